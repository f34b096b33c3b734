// The attributes of a recorded element that are allowed in the rebuilt page. Unknown names pass with a value
// that is neither an address nor a script, because style sheets select by them.

import { actingAttributes, namesOfNodes, plainAttributes, styleAttributes } from './allowed.ts'
import type { Assets } from './assets.ts'
import { cleanseCss } from './cleanse-css.ts'
import { isObject, type Json, numberOf } from './read-json.ts'

export interface AttributeContext {
  /** In lower case; undefined when only the node id is known. */
  readonly tag?: string
  readonly assets: Assets
}

type Value = string | number | true
type Declared = string | [string, string] | false
export type Style = Record<string, Declared>

const aName = /^[a-z][a-z0-9_.:-]*$/i
const longestName = 100
/** Words, numbers and their signs: no colon, slash or bracket. */
const plainValue = /^[\p{L}\p{N}\s_.,%#+-]{0,300}$/u
const aPicture = /^data:image\/(png|jpe?g|gif|webp|avif|bmp);base64,[a-z0-9+/=\s]*$/i
/** Datadog's SDK replaces a masked image with this: a grey box of the same size. */
const aMaskedPicture =
  /^data:image\/svg\+xml,%3Csvg xmlns='http:\/\/www\.w3\.org\/2000\/svg' width='[\d.]{1,20}' height='[\d.]{1,20}' style='background-color:silver'%3E%3C\/svg%3E$/
const aLength = /^-?\d{1,6}(\.\d+)?(px)?$/
const named = new Set(['slot', 'input', 'select', 'textarea', 'button', 'map', 'output'])

/** Of a new element. */
export function cleanseAttributes(attributes: unknown, context: AttributeContext): Record<string, Value> {
  if (!isObject(attributes)) return {}
  const kept: [string, Value][] = []
  for (const [name, value] of Object.entries(attributes)) {
    const cleansed = cleanseAttribute(name, value, context)
    if (cleansed !== undefined) kept.push([name, cleansed])
  }
  return Object.fromEntries(kept)
}

/** Of an existing element: null removes an attribute, and a style can change in parts. */
export function cleanseAttributeChange(
  attributes: unknown,
  context: AttributeContext,
): Record<string, string | Style | null> {
  if (!isObject(attributes)) return {}
  const kept: [string, string | Style | null][] = []
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'style' && isObject(value)) kept.push([name, cleanseStyle(value, context)])
    else if (value === null) {
      if (aName.test(name)) kept.push([name, null])
    } else {
      const cleansed = cleanseAttribute(name, value, context)
      if (cleansed !== undefined) kept.push([name, cleansed === true ? '' : `${cleansed}`])
    }
  }
  return Object.fromEntries(kept)
}

function cleanseAttribute(name: string, value: unknown, context: AttributeContext): Value | undefined {
  if (name === '_cssText') return cleanseSheet(value, context.assets)
  if (name.startsWith('rr_')) return cleanseOwn(name, value, context)
  if (!aName.test(name) || name.length > longestName) return undefined
  if (typeof value === 'number' || value === true) return isActing(name) ? undefined : value
  return typeof value === 'string' ? cleanseText(name, value, context) : undefined
}

function cleanseSheet(text: unknown, assets: Assets): string | undefined {
  return typeof text === 'string' ? cleanseCss(assets.fill(text), assets.urlOf) : undefined
}

function isActing(name: string): boolean {
  const lower = name.toLowerCase()
  return lower.startsWith('on') || lower.startsWith('xmlns:') || actingAttributes.has(lower)
}

function cleanseText(name: string, value: string, { tag, assets }: AttributeContext): string | undefined {
  const lower = name.toLowerCase()
  if (lower === 'href' || lower === 'xlink:href') return cleanseAddress(value, tag)
  if (lower === 'src') return tag === 'img' && isPicture(value) ? value : undefined
  if (lower === 'values') return tag?.startsWith('fe') && plainValue.test(value) ? value : undefined
  if (isActing(name)) return undefined
  // Natively, opening one closes the others; the recording decides which are open.
  if (lower === 'popover') return 'manual'
  if (lower === 'name')
    return tag !== undefined && named.has(tag) && !namesOfNodes.has(value) ? value : undefined
  if (lower === 'id') return namesOfNodes.has(value) ? undefined : value
  if (styleAttributes.has(lower)) return cleanseCss(value, assets.urlOf)
  if (plainAttributes.has(name) || name.startsWith('data-') || name.startsWith('aria-')) return value
  return plainValue.test(value) ? value : undefined
}

const isPicture = (value: string) => aPicture.test(value) || aMaskedPicture.test(value)

/** Links cannot be followed here, and the browser would prefetch the DNS of their hosts. */
function cleanseAddress(value: string, tag: string | undefined): string | undefined {
  if (/^#[\w.:-]*$/.test(value)) return value
  if (tag === 'image') return aPicture.test(value) ? value : undefined
  return tag === 'use' || tag?.startsWith('fe') ? undefined : '#'
}

/** Attributes added by the recorder: sizes of hidden elements, scroll positions, open dialogs. */
function cleanseOwn(name: string, value: unknown, { tag }: AttributeContext): Value | undefined {
  if (name === 'rr_width' || name === 'rr_height') {
    if (typeof value === 'number') return `${value}px`
    return typeof value === 'string' && aLength.test(value) ? value : undefined
  }
  if (name === 'rr_scrollLeft' || name === 'rr_scrollTop') return numberOf(value)
  if (name === 'rr_open_mode') return value === 'modal' || value === 'non-modal' ? value : undefined
  if (name === 'rr_dataURL') {
    const isShown = tag === 'img' || tag === 'canvas'
    return isShown && typeof value === 'string' && aPicture.test(value) ? value : undefined
  }
  return undefined
}

const aProperty = /^(--[\w-]{1,100}|-?[a-z][a-z-]{0,60})$/i

function cleanseStyle(style: Json, { assets }: AttributeContext): Style {
  const kept: [string, Declared][] = []
  for (const [property, value] of Object.entries(style)) {
    if (!aProperty.test(property)) continue
    if (value === false) kept.push([property, false])
    else if (typeof value === 'string') kept.push([property, cleanseCss(value, assets.urlOf)])
    else if (Array.isArray(value) && typeof value[0] === 'string') {
      kept.push([property, [cleanseCss(value[0], assets.urlOf), value[1] === 'important' ? 'important' : '']])
    }
  }
  return Object.fromEntries(kept)
}
