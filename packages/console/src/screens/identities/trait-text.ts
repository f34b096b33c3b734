const longest = 200

/** A trait in one line. Text is shown as is; everything else as JSON. */
export function traitText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
}
