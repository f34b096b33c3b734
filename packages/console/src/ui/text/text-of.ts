/** What looks like a number or a word of JSON in the address is one by now, and is text all the same. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}
