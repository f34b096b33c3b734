// Masks text, attributes and styles but keeps lengths and line breaks, so that the layout is unchanged.

import { cleanUrl } from '../clean.ts'
import type { PrivacyLevel } from '../settings.ts'

/** What of a style sheet may leave the page at this level. */
export const sheetCleaner = (level: PrivacyLevel) =>
  level === 'mask-all' ? maskSheet : (text: string) => text

export function maskText(text: string): string {
  return text.replace(/\S/gu, 'x')
}

export interface MaskedElement {
  tag: string
  isSvg: boolean
  isHidden: boolean
  keepsQuery: boolean
}

const shape =
  /^(class|id|style|type|rel|media|role|dir|lang|hidden|open|popover|disabled|multiple|readonly|required|rows|cols|size|width|height|(col|row)?span|start|reversed|wrap|v?align|border|cell(padding|spacing)|bgcolor|color|face|tabindex|slot|part|is|inert|contenteditable|as|crossorigin|charset|data-(state|side|align|orientation|disabled|active|selected|open|expanded|theme|mode|variant|size|telltale-.*)|aria-(hidden|expanded|selected|checked|disabled|pressed|invalid|busy|orientation|level|sort|modal|haspopup))$/i
/** Of drawings: what places and paints them. */
const drawing =
  /^(xmlns.*|viewBox|preserveAspectRatio|d|[cdfr]?[xyr][12]?|points|path(Length)?|rotate|offset|in2?|result|values|k[1-4]|order|bias|radius|scale|seed|(amplitude|exponent|intercept|slope|tableValues|operator|divisor|edgeMode|method|spacing|side|orient|azimuth|elevation|version)|(base|std|stitch|num|surface|specular|diffuse|limiting|kernel|target|[xy]Channel|refX?Y?|start|text)[a-z]*|.*(Units|Transform)|transform.*|(fill|stroke|stop|flood|lighting|clip|mask|marker|color|font|letter|word|dominant|alignment|baseline|shape|image|paint|vector|writing|pointer|unicode|text)-?[a-z-]*|opacity|display|visibility|overflow|cursor|filter|mix-blend-mode|direction)$/i
/** What a page is for, and not what it looks like. */
const never = /^(nonce|integrity|srcdoc|srcset|imagesrcset|poster|ping|on[a-z]+)$/i
const address = /(^|:)href$|^(src|action|formaction|data|cite|background|manifest)$/i

/** The attribute as it may leave the page; undefined when it must not. */
export function maskAttribute(
  [name, value]: [name: string, value: string],
  element: MaskedElement,
): string | undefined {
  const { tag, isSvg, isHidden, keepsQuery } = element
  if (never.test(name)) return undefined
  if (address.test(name)) return maskAddress(value, { isHidden: isHidden && tag !== 'link', keepsQuery })
  if (!isHidden) return value
  if (name === 'style') return value.replace(inStyle, maskPart)
  if (shape.test(name) || (isSvg && drawing.test(name))) return value
  return maskText(value)
}

function maskAddress(
  value: string,
  { isHidden, keepsQuery }: { isHidden: boolean; keepsQuery: boolean },
): string {
  // A reference within the page: parts of drawings use it.
  if (value.startsWith('#')) return value
  return isHidden ? '#' : cleanUrl(value, keepsQuery)
}

const quoted = String.raw`"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)`
/** Names of fonts and grid areas affect the layout: they are kept. */
const shaping = String.raw`(?:font|grid|syntax)[\w-]*\s*:(?:${quoted}|[^;}"'])*`
const inStyle = new RegExp(
  String.raw`url\(\s*(?:${quoted}|[^)]*)\s*\)|${shaping}|/\*[^]*?(?:\*/|$)|${quoted}`,
  'gi',
)

/** Pictures, and text that a style puts into the page. */
function maskPart(part: string): string {
  if (/^url/i.test(part)) return 'none'
  if (part.startsWith('/*')) return ''
  return /^["']/.test(part) ? maskQuoted(part) : part
}

/** Icon font characters and separators reveal nothing. */
const isMark = /^.([^\p{L}\p{N}"'\\]{0,2}|[\uE000-\uF8FF]+|\\[ef][0-9a-f]{3,4} ?).$/iu

function maskQuoted(text: string): string {
  return isMark.test(text) ? text : text[0] + maskText(text.slice(1, -1)) + text[0]
}

const inSheet = new RegExp(
  String.raw`(url\(\s*)(${quoted}|[^)]*)(\s*\))|\[\s*([\w-]+)\s*[~|^$*]?=\s*(${quoted}|[^\]\s]+)|@(?:import|charset|namespace)[^;]*|${shaping}|(?:format|local|tech)\([^)]*\)|/\*[^]*?(?:\*/|$)|${quoted}`,
  'gi',
)

/** A style sheet without the texts that it puts into the page. What it selects by is masked as it is in the page. */
export function maskSheet(text: string): string {
  return text.replace(inSheet, (part: string, ...found: string[]) => {
    const [url, target = '', end = '', name, value = ''] = found
    if (url) return url + cleanTarget(target) + end
    if (name) return part.slice(0, part.length - value.length) + maskSelected(name, value)
    if (part.startsWith('/*')) return ''
    if (part.startsWith('@')) return part.replace(/=[^&#"')\s]*/g, '')
    return /^["']/.test(part) ? maskQuoted(part) : part
  })
}

function cleanTarget(target: string): string {
  const [, mark = '', bare = target] = /^(["'])(.*)\1$/s.exec(target) ?? []
  // Embedded in the style sheet itself, or in the page: part of the site's design.
  if (/^(data:|#)/i.test(bare)) return target
  const isShaping = /\.(woff2?|ttf|otf|css)([?#]|$)/i.test(bare)
  return mark + (isShaping ? cleanUrl(bare, false) : 'about:blank') + mark
}

function maskSelected(name: string, value: string): string {
  const [, mark = '', bare = value] = /^(["'])(.*)\1$/s.exec(value) ?? []
  return (
    mark + maskAttribute([name, bare], { tag: '', isSvg: false, isHidden: true, keepsQuery: false }) + mark
  )
}
