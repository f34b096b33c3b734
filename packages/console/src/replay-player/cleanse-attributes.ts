// The attributes of a recorded element that are allowed in the rebuilt page. Unknown names pass with a value
// that is neither an address nor a script, because style sheets select by them.

import { actingAttributes, namesOfNodes, ownAttributes, plainAttributes, styleAttributes } from './allowed.ts'
import type { Assets } from './assets.ts'
import { cleanseCss } from './cleanse-css.ts'

interface AttributeContext {
  /** As built, in lower case. */
  readonly tag: string
  readonly assets: Assets
}

const aName = /^[a-z][a-z0-9_.:-]*$/i
const longestName = 100
/** Words, numbers and their signs: no colon, slash or bracket. */
const plainValue = /^[\p{L}\p{N}\s_.,%#+-]{0,300}$/u
const aPicture = /^data:image\/(png|jpe?g|gif|webp|avif|bmp);base64,[a-z0-9+/=\s]*$/i
/** Datadog's SDK replaces a masked image with this: a grey box of the same size. */
const aMaskedPicture =
  /^data:image\/svg\+xml,%3Csvg xmlns='http:\/\/www\.w3\.org\/2000\/svg' width='[\d.]{1,20}' height='[\d.]{1,20}' style='background-color:silver'%3E%3C\/svg%3E$/
const named = new Set(['slot', 'input', 'select', 'textarea', 'button', 'map', 'output'])

const own = new Set<string>(Object.values(ownAttributes))

/** The value that the rebuilt element gets; undefined if it does not get the attribute. */
export function cleanseAttribute(name: string, value: string, context: AttributeContext): string | undefined {
  if (!aName.test(name) || name.length > longestName || own.has(name.toLowerCase())) return undefined
  return cleanseText(name, value, context)
}

function isActing(name: string): boolean {
  const lower = name.toLowerCase()
  return lower.startsWith('on') || lower.startsWith('xmlns:') || actingAttributes.has(lower)
}

function cleanseText(name: string, value: string, { tag, assets }: AttributeContext): string | undefined {
  const lower = name.toLowerCase()
  if (lower === 'href' || lower === 'xlink:href') return cleanseAddress(value, tag)
  if (lower === 'src') return tag === 'img' && isPicture(value) ? value : undefined
  if (lower === 'values') return tag.startsWith('fe') && plainValue.test(value) ? value : undefined
  if (isActing(name)) return undefined
  // Natively, opening one closes the others; the recording decides which are open.
  if (lower === 'popover') return 'manual'
  if (lower === 'name') return named.has(tag) && !namesOfNodes.has(value) ? value : undefined
  if (lower === 'id') return namesOfNodes.has(value) ? undefined : value
  if (styleAttributes.has(lower)) return cleanseCss(value, assets.urlOf)
  if (plainAttributes.has(name) || name.startsWith('data-') || name.startsWith('aria-')) return value
  return plainValue.test(value) ? value : undefined
}

const isPicture = (value: string) => aPicture.test(value) || aMaskedPicture.test(value)

/** Links cannot be followed here, and the browser would prefetch the DNS of their hosts. */
function cleanseAddress(value: string, tag: string): string | undefined {
  if (/^#[\w.:-]*$/.test(value)) return value
  if (tag === 'image') return aPicture.test(value) ? value : undefined
  return tag === 'use' || tag.startsWith('fe') ? undefined : '#'
}
