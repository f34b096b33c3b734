/** PostgreSQL cannot store NUL. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '')
}
