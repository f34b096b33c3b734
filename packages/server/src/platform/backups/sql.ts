// Quotes names in generated SQL.

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
export const quotedTable = (name: string) => `public.${quoted(name)}`
