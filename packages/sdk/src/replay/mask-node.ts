// Masks a node for a privacy level: its text, its attributes, and its descendants.

import type { PrivacyLevel } from '../settings.ts'
import { maskAttribute, maskSheet, maskText } from './mask-text.ts'
import { type Context, hidden, ignored, type Masking, type MaskingOptions } from './masking.ts'
import { nodeTypes, type PageAttributes, type PageNode } from './page-event.ts'
import { isElement, maskMark } from './page-tree.ts'

export interface MaskOptions extends MaskingOptions {
  /** The node with this id; undefined when it was removed. */
  nodeOf(id: number): Node | null
  /** What is written instead of the text of a style sheet. */
  sheet(text: string): unknown
  /** A part that is shown as a box of its size. */
  onBox(element: Element, attributes: PageAttributes): void
  /** It can be shown above the page. */
  onPopover(element: Element, attributes: PageAttributes): void
}

/** What a node stands in. */
export interface Place {
  context: Context
  tag: string
}

export interface MaskedAttributes {
  tag: string
  isSvg: boolean
  isHidden: boolean
  /** All of its attributes, where only some are told. */
  of?: PageAttributes
}

export interface NodeMask {
  node(node: PageNode, place: Place): void
  attributes(attributes: PageAttributes, element: MaskedAttributes): void
  /** Whether the value of a field is masked. */
  isHeldBack(tag: string, attributes: PageAttributes, isHidden: boolean): boolean
}

const fields = /^(input|textarea|select|option|datalist)$/i
const buttons = /^(submit|button|reset|image)$/
const secrets = /^(password|hidden)$/
const secretHint = /cc-|password|one-time-code/

export const isField = (tag: string) => fields.test(tag)

/** What of a style sheet may leave the page at this level. */
export const sheetCleaner = (level: PrivacyLevel) =>
  level === 'mask-all' ? maskSheet : (text: string) => text

export function createNodeMask(
  { level, nodeOf, sheet, onBox, onPopover }: MaskOptions,
  masking: Masking,
): NodeMask {
  const keepsQuery = level === 'allow'
  const cleanSheet = sheetCleaner(level)

  const isHeldBack = (tag: string, attributes: PageAttributes, isHidden: boolean) => {
    const type = `${attributes.type ?? 'text'}`.toLowerCase()
    if (isHidden) return true
    if (!keepsQuery) return isField(tag) && !buttons.test(type)
    const isPassword = secrets.test(type) || 'data-rr-is-password' in attributes
    return isPassword || secretHint.test(`${attributes.autocomplete}`)
  }
  const maskAttributes = (
    attributes: PageAttributes,
    { of = attributes, ...element }: MaskedAttributes,
  ): void => {
    // Input in a marked field is masked, but its position and appearance may be shown.
    const isMarkedField = isField(element.tag) && maskMark in of
    const hidesValue = isHeldBack(element.tag, of, element.isHidden || isMarkedField)
    for (const [name, value] of Object.entries(attributes)) {
      if (name === '_cssText') attributes[name] = sheet(`${value}`)
      else if (name === 'value' && typeof value === 'string' && hidesValue) attributes[name] = maskText(value)
      else if ((name === 'checked' || name === 'selected') && !keepsQuery) delete attributes[name]
      else {
        const masked = value === null ? null : maskAttribute([name, value], { ...element, keepsQuery })
        if (masked === undefined) delete attributes[name]
        else attributes[name] = masked
      }
    }
  }
  const walk = (node: PageNode, place: Place) => {
    const { type, tagName: tag = '', attributes = {}, childNodes, isSVG: isSvg = false } = node
    if (type === nodeTypes.text || type === nodeTypes.characters) {
      if (!node.textContent || !(place.context & hidden) || place.tag === 'script') return
      node.textContent = (place.tag === 'style' ? cleanSheet : maskText)(node.textContent)
      return
    }
    if (type === nodeTypes.comment) node.textContent = ''
    const element = type === nodeTypes.element ? nodeOf(node.id) : null
    const inside = isElement(element) ? masking.inside(element, place.context) : place.context
    const isBox = 'rr_width' in attributes
    if (isElement(element) && (isBox || 'popover' in attributes))
      (isBox ? onBox : onPopover)(element, attributes)
    // Only the value of a field is masked: its position and appearance may be shown.
    const isHidden = ((isField(tag) ? place.context : inside) & hidden) > 0
    maskAttributes(attributes, { tag, isSvg, isHidden })
    if (inside & ignored && isField(tag)) forgetTyped(attributes)
    for (const child of childNodes ?? []) walk(child, { context: inside, tag })
  }
  return { node: walk, attributes: maskAttributes, isHeldBack }
}

export function forgetTyped(attributes: PageAttributes): void {
  delete attributes.value
  delete attributes.checked
}
