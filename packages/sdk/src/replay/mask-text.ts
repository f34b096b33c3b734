// Text and attributes without what they say: as long, broken at the same places, and the page looks as it did.

import { cleanUrl } from '../clean.ts'

export function maskText(text: string): string {
  return text.replace(/\S/gu, 'x')
}

const shape =
  /^(class|id|style|type|rel|media|role|dir|lang|hidden|open|popover|disabled|multiple|readonly|required|rows|cols|size|width|height|(col|row)?span|start|reversed|wrap|v?align|border|cell(padding|spacing)|bgcolor|color|face|tabindex|slot|part|is|inert|contenteditable|as|crossorigin|charset|rr_.*|data-(state|side|align|orientation|disabled|active|selected|open|expanded|theme|mode|variant|size|telltale-.*)|aria-(hidden|expanded|selected|checked|disabled|pressed|invalid|busy|orientation|level|sort|modal|haspopup))$/i
/** Drawings are shapes: all but what names something. */
const named = /^(data-|aria-|on)|href$|^(name|value|title|alt|label|content)$/i
/** What a page is for, and not what it looks like. */
const never = /^(nonce|integrity|srcdoc|srcset|imagesrcset|poster|ping|on[a-z]+)$/i
const address = /(^|:)href$|^(src|action|formaction|data|cite|background|manifest|rr_src)$/i

/** The attribute as it may leave the page; nothing: not at all. */
export function maskAttribute(
  [name, value]: [name: string, value: unknown],
  {
    tag,
    isSvg,
    isHidden,
    keepsQuery,
  }: { tag: string; isSvg: boolean; isHidden: boolean; keepsQuery: boolean },
): unknown {
  if (never.test(name)) return undefined
  if (address.test(name)) return maskAddress(`${value}`, { isHidden: isHidden && tag !== 'link', keepsQuery })
  if (!isHidden) return value
  if (name === 'style') return maskStyle(value)
  if (isSvg ? !named.test(name) : shape.test(name)) return value
  return typeof value === 'string' && value ? maskText(value) : value
}

function maskAddress(
  value: string,
  { isHidden, keepsQuery }: { isHidden: boolean; keepsQuery: boolean },
): string {
  // A place in the page itself: parts of drawings are used by it.
  if (value.startsWith('#')) return value
  return isHidden ? '#' : cleanUrl(value, keepsQuery)
}

/** Pictures, and text that a style puts into the page. A change of a style comes as an object. */
function maskStyle(value: unknown): unknown {
  if (typeof value === 'string') {
    return value
      .replace(/url\([^)]*\)/gi, 'none')
      .replace(/((?:--[\w-]+|content)\s*:)([^;]*)/gi, (_all, name, text) => name + maskQuoted(text))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, typeof part === 'string' ? maskQuoted(part) : part]),
  )
}

function maskQuoted(text: string): string {
  return text
    .replace(/url\([^)]*\)/gi, 'none')
    .replace(/"[^"]*"|'[^']*'/g, (quoted) => quoted[0] + maskText(quoted.slice(1, -1)) + quoted[0])
}
