const longest = 200

/** A trait as it is read in one line. Text stands for itself; everything else is written as JSON. */
export function traitText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
}
