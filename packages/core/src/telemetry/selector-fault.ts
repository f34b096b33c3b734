// What is wrong with a CSS selector, as far as that can be said without a browser: it must be complete, and match
// elements. Names of pseudo-classes are not checked.

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' }
/** Outside brackets and strings; every character beyond ASCII can be part of a name. */
const allowed = /[\w\s#.:*|,>+~-]|\P{ASCII}/u

/** Undefined: looks like a selector. Otherwise the message of a fault. */
export function selectorFault(selector: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
  if (/[\u0000-\u001f\u007f]/.test(selector)) return 'contains an invalid character'
  if (selector.trim() === '') return 'must not be empty'
  const skeleton = withoutNested(selector)
  if (skeleton === undefined) return 'has a bracket or a quotation mark that is not closed'
  const wrong = [...skeleton].find((character) => !allowed.test(character))
  if (wrong !== undefined) return `must not contain ${wrong}`
  if (/::/.test(skeleton)) return 'must match elements, not pseudo-elements'
  if (/^\s*,|,\s*,|[,>+~]\s*$/.test(skeleton)) return 'is incomplete'
  return undefined
}

/** The selector with brackets, strings and escapes replaced by letters. Undefined: one of them does not end. */
function withoutNested(selector: string): string | undefined {
  const open: string[] = []
  let quote = ''
  let skeleton = ''
  for (let at = 0; at < selector.length; at++) {
    const character = selector.charAt(at)
    if (character === '\\') {
      if (++at === selector.length) return undefined
      if (open.length === 0) skeleton += 'x'
    } else if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") {
      quote = character
      if (open.length === 0) skeleton += character
    } else if (closing[character] !== undefined) {
      if (open.length === 0) skeleton += 'x'
      open.push(closing[character])
    } else if (character === ')' || character === ']') {
      if (open.pop() !== character) return undefined
    } else if (open.length === 0) skeleton += character
  }
  return open.length > 0 || quote !== '' ? undefined : skeleton
}
