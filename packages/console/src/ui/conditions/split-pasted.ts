/** Splits a pasted column of a table, lines, or one line of comma-separated values. */
export function splitPasted(text: string): string[] {
  const separator = /[\r\n]/.test(text) ? /[\r\n]+/ : text.includes('\t') ? /\t/ : /[,;]/
  return text
    .split(separator)
    .map((part) => part.trim().replace(/^"(.*)"$/, '$1'))
    .filter((part) => part !== '')
}
