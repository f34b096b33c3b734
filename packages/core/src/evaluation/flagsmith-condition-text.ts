// Operand texts of Flagsmith conditions: regular expressions, and lists that all engine versions split the same way.

/** Escapes a text for use in a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

const unlisted = new Set(['', '0', 'true', 'false'])

/** Whether all engine versions find exactly this text in a list with commas. From 7 on, 0 and booleans never match. */
export function isPlain(text: string): boolean {
  return !unlisted.has(text) && !text.includes(',') && !text.startsWith('[')
}

/** The members of a JSON or comma-separated list. */
export function plainList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list.filter((member) => typeof member === 'string')
  } catch {
    // Not JSON: comma-separated.
  }
  return text.split(',')
}

const number = '(?:0|[1-9]\\d*)'
const identifier = `(?:${number}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`

/** Semantic Versioning 2.0.0, without anchors. Needed because engines before 7 fail on invalid versions. */
export const semverShape = `${number}\\.${number}\\.${number}(?:-${identifier}(?:\\.${identifier})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?`

/** Whether JavaScript, which Flagsmith's clients use, gives the expression the same meaning as RE2. */
export function readsAlike(value: string): boolean {
  const foreign = /\(\?(?!:)|\[\[|\[:|\\[^dDwWbBnrtfv.^$*+?()[\]{}|/\\-]/
  if (foreign.test(value)) return false
  try {
    new RegExp(value)
    return true
  } catch {
    // Invalid in JavaScript: the clients never match it.
    return false
  }
}

/** An expression that matches every text in which the given one is not found. */
export function withoutFinding(expression: string): string {
  return `^(?![\\s\\S]*(?:${expression}))`
}

/** An expression that matches every text that the given one does not match as a whole. */
export function exceptWhole(expression: string): string {
  return `^(?!(?:${expression})$)`
}

const excepting = /^\^\(\?!(?:\(\?:([\s\S]*)\)\$|\[\\s\\S\]\*\(\?:([\s\S]*)\))\)$/

/** Reverts the two functions above, because linear-time engines do not support lookahead. */
export function exceptedBy(expression: string): string | undefined {
  const [, whole, found] = excepting.exec(expression) ?? []
  return whole === undefined ? found : `^(?:${whole})$`
}
