/** PostgreSQL keeps no NUL. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '')
}
