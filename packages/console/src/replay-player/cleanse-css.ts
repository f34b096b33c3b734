// Style sheets of a recorded page without anything that the browser would fetch: allowed addresses are
// fragments, data URLs of images and fonts, and stored assets. Escapes are resolved first. What depends on the pointer
// and the focus depends on attributes instead, which the player sets.

import { markUserStates } from './mark-user-states.ts'

/** Address of a stored asset, by its address in the page. */
export type AssetOf = (address: string) => string | undefined

const none = 'url("data:,")'
const passes = 5

export function cleanseCss(css: string, assetOf: AssetOf = () => undefined): string {
  if (!/[\\@(:]/.test(css)) return css
  const plain = withoutEscapedLetters(css)
  if (plain === undefined) return ''
  return markUserStates(
    plain
      // Unknown at-rules are removed with their block. Where they count as a rule, an empty one keeps the place.
      .replace(/@(import|namespace)/gi, '@media not all{}@-left-out')
      .replace(/@(document|-moz-document)/gi, '@-left-out')
      // They accept an address as a plain string, indistinguishable from other strings.
      .replace(/(-webkit-)?(image-set|cross-fade|element|paint)\s*\(/gi, '-left-out(')
      .replace(/(^|[^\w-])(image|src)\s*\(/gi, '$1-left-out(')
      .replace(/(behavior|-moz-binding)\s*:/gi, '-left-out:')
      .replace(/expression\s*\(/gi, '-left-out(')
      .replace(anAddress, (_all, written: string) => render(withoutQuotes(written.trim()), assetOf)),
  )
}

/** Letters need no escape: an escaped letter is used to hide a keyword. */
const escapedLetter =
  /\\(?:(?:0{4}(?=..)|0{0,3}(?=..(?![0-9a-f])))(4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])(?:\r\n|[ \t\r\n\f])?|([g-z]))/gi

/** The result may form another escape. Undefined for a text that never settles. */
function withoutEscapedLetters(css: string): string | undefined {
  let plain = css
  for (let pass = 0; pass < passes; pass++) {
    const next = plain.replace(escapedLetter, (_all, code?: string, letter?: string) =>
      code === undefined ? (letter ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
    )
    if (next === plain) return plain
    plain = next
  }
  return undefined
}

/** With its quotes, or up to the end of what the browser would parse as one. */
const anAddress =
  /url(?:-prefix)?\(\s*("(?:[^"\\\n]|\\[^\n])*"\s*(?=\))|'(?:[^'\\\n]|\\[^\n])*'\s*(?=\))|[^)]*)\)?/gi
const withoutQuotes = (written: string) => written.replace(/^(["'])([\s\S]*)\1$/, '$2')
const anImage = /^data:image\/[a-z0-9.+-]+[;,]/i
const aFont = /^data:(font\/|application\/(x-)?font|application\/vnd\.ms-fontobject)/i

function render(written: string, assetOf: AssetOf): string {
  if (/^#[\w-]*$/.test(written)) return `url("${written}")`
  const address = written.replace(/\\(["'()\\ ])/g, '$1')
  // Images, including SVG, load nothing themselves. Their text must not be able to end the address.
  if (anImage.test(address) || aFont.test(address)) return `url("${address.replace(/["'()\\\s]/g, encode)}")`
  const found = assetOf(address)
  return found === undefined ? none : `url("${found}")`
}

const encode = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`
