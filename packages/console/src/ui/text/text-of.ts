/** The router parses numbers and JSON literals in the URL: convert them back to text. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}
