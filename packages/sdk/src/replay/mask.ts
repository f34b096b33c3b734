// Takes out of what was recorded what may not leave the page, before it is written anywhere: by the privacy level, and by
// what the page marks with `data-telltale-mask`. What is masked stays masked through frames and shadow trees.

import type { PrivacyLevel } from '../settings.ts'
import { maskAttribute, maskText } from './mask-text.ts'
import {
  nodeTypes,
  type PageAttributes,
  type PageChange,
  type PageEvent,
  type PageNode,
  types,
} from './page-event.ts'

export interface MaskOptions {
  level: PrivacyLevel
  /** The node that a number stands for; nothing when it is gone. */
  nodeOf(id: number): Node | null
  /** What is written instead of the text of a style sheet. */
  sheet(text: string): unknown
}

export const maskMark = 'data-telltale-mask'
const fields = /^(input|textarea|select|option|datalist)$/i
const buttons = /^(submit|button|reset|image)$/
const secrets = /^(password|hidden)$/
const secretHint = /cc-|password|one-time-code/
const isSource = { input: 5 } as const

/** Changes the event in place. */
export function createMask({ level, nodeOf, sheet }: MaskOptions): (event: PageEvent) => void {
  const isStrict = level === 'mask-all'
  const keepsQuery = level === 'allow'
  const isTyped = (element: Element) =>
    !keepsQuery &&
    (fields.test(element.localName) ||
      /^(|true|plaintext-only)$/.test(element.getAttribute('contenteditable') ?? 'no'))

  const isMarked = (node: Node | null): boolean => {
    if (isStrict) return true
    // What is gone cannot be asked any more.
    if (!node) return level !== 'allow'
    for (let at: Node | null = node; at; at = parentOf(at)) {
      if (isElement(at) && (at.hasAttribute(maskMark) || isTyped(at))) return true
    }
    return false
  }
  const isHeldBack = (tag: string, attributes: PageAttributes, isHidden: boolean) => {
    const type = `${attributes.type ?? 'text'}`
    if (isHidden) return true
    if (!keepsQuery) return fields.test(tag) && !buttons.test(type)
    return (
      secrets.test(type) ||
      'data-rr-is-password' in attributes ||
      secretHint.test(`${attributes.autocomplete}`)
    )
  }
  const maskAttributes = (
    attributes: PageAttributes,
    { tag, isSvg, isHidden }: { tag: string; isSvg: boolean; isHidden: boolean },
  ) => {
    const hidesValue = isHeldBack(tag, attributes, isHidden)
    for (const [name, value] of Object.entries(attributes)) {
      if (name === '_cssText') attributes[name] = sheet(`${value}`)
      else if (name === 'value' && typeof value === 'string' && hidesValue) attributes[name] = maskText(value)
      else if ((name === 'checked' || name === 'selected') && !keepsQuery) delete attributes[name]
      else {
        const masked =
          value === null ? null : maskAttribute([name, value], { tag, isSvg, isHidden, keepsQuery })
        if (masked === undefined) delete attributes[name]
        else attributes[name] = masked
      }
    }
  }
  const walk = (node: PageNode, isHidden: boolean, parent = '') => {
    const { type, tagName: tag = '', attributes, childNodes, isSVG = false } = node
    if (type === nodeTypes.text || type === nodeTypes.characters) {
      const isCode = parent === 'style' || parent === 'script'
      if (node.textContent && isHidden && !isCode) node.textContent = maskText(node.textContent)
      return
    }
    if (type === nodeTypes.comment) node.textContent = ''
    const isEditable =
      !keepsQuery && 'contenteditable' in (attributes ?? {}) && attributes?.contenteditable !== 'false'
    const hidden =
      isHidden || (!!attributes && maskMark in attributes) || isEditable || (!keepsQuery && fields.test(tag))
    if (attributes)
      maskAttributes(attributes, { tag, isSvg: isSVG, isHidden: hidden && !(fields.test(tag) && !isHidden) })
    for (const child of childNodes ?? []) walk(child, hidden, tag)
  }
  const maskChange = (data: PageChange) => {
    if (data.node) walk(data.node, isStrict)
    for (const { parentId, node } of data.adds ?? []) {
      // Rules of a style sheet are added, too.
      if (!node) continue
      const parent = nodeOf(parentId)
      walk(node, isMarked(parent), isElement(parent) ? parent.localName : '')
    }
    for (const text of data.texts ?? []) {
      const node = nodeOf(text.id)
      const isStyle = isElement(node?.parentNode) && node.parentNode.localName === 'style'
      if (text.value && !isStyle && isMarked(node)) text.value = maskText(text.value)
    }
    for (const { id, attributes } of data.attributes ?? []) {
      const node = nodeOf(id)
      const tag = isElement(node) ? node.localName : ''
      const isSvg = isElement(node) && node.namespaceURI === 'http://www.w3.org/2000/svg'
      // A field is masked by its value alone: its place and its looks may be seen.
      const isHidden = isStrict || (fields.test(tag) ? isMarked(node?.parentNode ?? null) : isMarked(node))
      maskAttributes(attributes, { tag, isSvg, isHidden })
    }
    if (data.source === isSource.input) {
      const node = nodeOf(data.id ?? -1)
      const attributes = isElement(node)
        ? Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]))
        : {}
      const tag = isElement(node) ? node.localName : 'input'
      if (data.text && isHeldBack(tag, attributes, isMarked(node))) data.text = maskText(data.text)
      if (!keepsQuery) data.isChecked = false
    }
  }
  return ({ type, data }) => {
    if (type === types.page || type === types.change) maskChange(data)
    // The views of the session say where it was, as the environment wants it written.
    if (type === types.address && !keepsQuery) data.href = location.origin
  }
}

function isElement(node: Node | null | undefined): node is Element {
  return node?.nodeType === 1
}

/** Out of a shadow tree to its host, and out of a frame to its element. */
function parentOf(node: Node): Node | null {
  if (node.parentNode) return node.parentNode
  const { host, defaultView } = Object(node)
  try {
    return host ?? defaultView?.frameElement ?? null
  } catch {
    return null
  }
}
