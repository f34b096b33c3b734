/** A column of a table, lines, or one line of values with commas: what users have in their clipboard. */
export function splitPasted(text: string): string[] {
  const separator = /[\r\n]/.test(text) ? /[\r\n]+/ : text.includes('\t') ? /\t/ : /[,;]/
  return text
    .split(separator)
    .map((part) => part.trim().replace(/^"(.*)"$/, '$1'))
    .filter((part) => part !== '')
}
