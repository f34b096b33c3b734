// Texts in the conditions of Flagsmith: lists as its engines of every version divide them, and expressions.

/** A text that stands for itself in an expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

const unlisted = new Set(['', '0', 'true', 'false'])

/** Whether engines of every version find exactly this text in a list with commas. 0 and booleans are in no list from 7 on. */
export function isPlain(text: string): boolean {
  return !unlisted.has(text) && !text.includes(',') && !text.startsWith('[')
}

/** The members of a list that is written as JSON or with commas. */
export function plainList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list.filter((member) => typeof member === 'string')
  } catch {
    // Then it is written with commas.
  }
  return text.split(',')
}

const number = '(?:0|[1-9]\\d*)'
const identifier = `(?:${number}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`

/** Semantic Versioning 2.0.0, without its ends: engines before 7 fail at what is no version. */
export const semverShape = `${number}\\.${number}\\.${number}(?:-${identifier}(?:\\.${identifier})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?`

/** Its clients read expressions as JavaScript does: only what means the same there can be said. */
export function readsAlike(value: string): boolean {
  const foreign = /\(\?(?!:)|\[\[|\[:|\\[^dDwWbBnrtfv.^$*+?()[\]{}|/\\-]/
  if (foreign.test(value)) return false
  try {
    new RegExp(value)
    return true
  } catch {
    // What is no expression there is found nowhere.
    return false
  }
}

/** True of every text in which the expression is not found. */
export function withoutFinding(expression: string): string {
  return `^(?![\\s\\S]*(?:${expression}))`
}

/** True of every text that is not what the expression says from end to end. */
export function exceptWhole(expression: string): string {
  return `^(?!(?:${expression})$)`
}

const excepting = /^\^\(\?!(?:\(\?:([\s\S]*)\)\$|\[\\s\\S\]\*\(\?:([\s\S]*)\))\)$/

/** What must not be found, of an expression that one of the two above made: linear-time engines do not look ahead. */
export function exceptedBy(expression: string): string | undefined {
  const [, whole, found] = excepting.exec(expression) ?? []
  return whole === undefined ? found : `^(?:${whole})$`
}
