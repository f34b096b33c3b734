// Names in SQL that a program puts together.

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
export const quotedTable = (name: string) => `public.${quoted(name)}`
