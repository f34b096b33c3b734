// Rewrites selectors that depend on the pointer or the focus: the recorded page gets neither, so the player sets
// attributes where they were. An attribute counts as much as a pseudo-class.

import { ownAttributes } from './allowed.ts'

const attributes: ReadonlyMap<string, string> = new Map([
  ['hover', ownAttributes.hover],
  ['focus', ownAttributes.focus],
  ['focus-visible', ownAttributes.focusVisible],
  ['focus-within', ownAttributes.focusWithin],
])
/** An escaped character, or the pseudo-class of an element: that of a pseudo-element cannot be an attribute. */
const aState =
  /\\[\s\S]|(?<!::[a-z-]{1,40}(?:\([^()]{0,100}\))?(?::[a-z-]{1,20}){0,3}):(hover|focus-visible|focus-within|focus)(?![\w-])/gi
const comments = /\/\*[\s\S]*?(\*\/|$)/g

export function markUserStates(css: string): string {
  if (!/:(hover|focus)/i.test(css)) return css
  let written = ''
  let from = 0
  for (let at = 0; at < css.length; at++) {
    switch (css[at]) {
      case '\\':
        at++
        break
      case '"':
      case "'":
        at = endOfString(css, at)
        break
      case '/':
        if (css[at + 1] === '*') at = endOfComment(css, at)
        break
      case '{':
        written += markSelector(css.slice(from, at))
        from = at
        break
      case ';':
      case '}':
        written += css.slice(from, at)
        from = at
    }
  }
  return written + css.slice(from)
}

/** It begins with the character before it. Conditions of at-rules are no selectors. */
function markSelector(text: string): string {
  const selector = text
    .replace(/^[{};]/, '')
    .replace(comments, '')
    .trimStart()
  if (selector.startsWith('@') && !/^@scope\b/i.test(selector)) return text
  return text.replace(aState, (found: string, name?: string) => {
    const attribute = name === undefined ? undefined : attributes.get(name.toLowerCase())
    return attribute === undefined ? found : `[${attribute}]`
  })
}

function endOfString(css: string, from: number): number {
  const quote = css[from]
  for (let at = from + 1; at < css.length; at++) {
    if (css[at] === '\\') at++
    // An unclosed string ends with its line.
    else if (css[at] === quote || css[at] === '\n') return at
  }
  return css.length
}

function endOfComment(css: string, from: number): number {
  const end = css.indexOf('*/', from + 2)
  return end === -1 ? css.length : end + 1
}
