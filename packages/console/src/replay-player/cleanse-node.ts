// Recorded nodes as they may be built: allowed elements and attributes, and an empty, hidden element in place
// of every other one, so that later events still find its neighbours.

import type { serializedNodeWithId } from '@rrweb/types'
import { htmlTags, popoverMark, shadowHosts, svgTags, takenNames, unseenTags } from './allowed.ts'
import type { Assets } from './assets.ts'
import { cleanseAttributes } from './cleanse-attributes.ts'
import { cleanseCss } from './cleanse-css.ts'
import { idOf, isObject, type Json, listOf, stringOf } from './read-json.ts'

/** State of the shown page, needed to interpret its changes. */
export interface PageNotes {
  /** Style elements, and the texts in them. */
  readonly styles: Set<number>
  readonly frames: Set<number>
  /** Marked as open, the latest last. */
  readonly popovers: Set<number>
}

export interface NodeContext {
  readonly assets: Assets
  readonly notes: PageNotes
}

interface Around {
  readonly depth: number
  readonly isInStyle: boolean
  readonly takesShadow: boolean
  readonly seen: Set<number>
}

export class TooLarge extends Error {}

/** Bound the depth: recursion would overflow the stack. */
const deepest = 600
const nodesAtMost = 300_000
const nodeTypes = { document: 0, doctype: 1, element: 2, text: 3, data: 4, comment: 5 } as const
const aCustomName = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/
const longestName = 100
const unseen = 'template'

/** A whole page, or the page of a frame. */
export function cleansePage(node: unknown, context: NodeContext): serializedNodeWithId | undefined {
  if (!isObject(node) || node.type !== nodeTypes.document) return undefined
  const id = idOf(node.id)
  if (id === undefined) return undefined
  const seen = new Set([id])
  const children = cleanseChildren(node, context, { ...top, seen })
  const doctype = children.find(({ type }) => type === nodeTypes.doctype)
  const html = children.find((child) => child.type === nodeTypes.element && child.tagName === 'html')
  if (html === undefined) return undefined
  const childNodes = doctype === undefined ? [html] : [doctype, html]
  return { type: nodeTypes.document, id, childNodes, ...compatOf(node), ...rootOf(node) }
}

/** A subtree that is added to a page. */
export function cleanseNode(
  node: unknown,
  context: NodeContext,
  isInStyle: boolean,
): serializedNodeWithId | undefined {
  return cleanse(node, context, { ...top, isInStyle, takesShadow: true, seen: new Set() })
}

const top = { depth: 0, isInStyle: false, takesShadow: false }

function cleanse(node: unknown, context: NodeContext, around: Around): serializedNodeWithId | undefined {
  if (!isObject(node)) return undefined
  const id = idOf(node.id)
  if (id === undefined || around.seen.has(id)) return undefined
  around.seen.add(id)
  if (around.depth > deepest || around.seen.size > nodesAtMost) throw new TooLarge()
  const own = { id, ...rootOf(node), ...(around.takesShadow && node.isShadow === true && { isShadow: true }) }
  switch (node.type) {
    case nodeTypes.doctype:
      return { ...own, type: nodeTypes.doctype, name: 'html', publicId: '', systemId: '' }
    case nodeTypes.element:
      return cleanseElement(node, context, { around, own })
    case nodeTypes.text:
    case nodeTypes.data: {
      const text = stringOf(node.textContent)
      if (!around.isInStyle) return { ...own, type: nodeTypes.text, textContent: text }
      context.notes.styles.add(id)
      return {
        ...{ ...own, type: nodeTypes.text, isStyle: true },
        textContent: cleanseCss(context.assets.fill(text), context.assets.urlOf),
      }
    }
    case nodeTypes.comment:
      return { ...own, type: nodeTypes.comment, textContent: '' }
    default:
      return undefined
  }
}

interface Own {
  readonly id: number
  readonly rootId?: number
  readonly isShadow?: boolean
}

function cleanseElement(
  node: Json,
  context: NodeContext,
  { around, own }: { around: Around; own: Own },
): serializedNodeWithId {
  const { notes, assets } = context
  const isSvg = node.isSVG === true
  const { tag, attributes } = elementOf(node, context, isSvg)
  if (tag === 'style') notes.styles.add(own.id)
  if (tag === 'iframe') notes.frames.add(own.id)
  if (isObject(attributes) && popoverMark in attributes) notePopover(notes, own.id)
  const isCustom = aCustomName.test(tag)
  const isHost = node.isShadowHost === true && !isSvg && (isCustom || shadowHosts.has(tag))
  const isEmpty = tag === unseen || tag === 'iframe'
  const childNodes = isEmpty
    ? []
    : cleanseChildren(node, context, {
        ...{ depth: around.depth + 1, seen: around.seen },
        ...{ isInStyle: tag === 'style', takesShadow: isHost },
      })
  return {
    ...{ ...own, type: nodeTypes.element, tagName: tag, childNodes },
    attributes: cleanseAttributes(attributes, { tag, assets }),
    ...(isSvg && tag !== unseen && { isSVG: true as const }),
    ...(isHost && { isShadowHost: true }),
    ...(isCustom && node.isCustom === true && { isCustom: true as const }),
  }
}

function cleanseChildren(node: Json, context: NodeContext, around: Around): serializedNodeWithId[] {
  return listOf(node.childNodes).flatMap((child) => cleanse(child, context, around) ?? [])
}

/** Its replacement: the style sheet for a link to one, an inert element for an unknown one. */
function elementOf(
  node: Json,
  { assets }: NodeContext,
  isSvg: boolean,
): { tag: string; attributes: unknown } {
  const tag = stringOf(node.tagName).toLowerCase()
  const { attributes } = node
  if (unseenTags.has(tag)) return { tag: unseen, attributes: {} }
  if (isSvg) return { tag: svgTags.has(tag) ? tag : 'g', attributes }
  if (tag === 'link')
    return { tag: 'style', attributes: isObject(attributes) ? sheetOf(attributes, assets) : {} }
  const isCustom = aCustomName.test(tag) && tag.length <= longestName && !takenNames.has(tag)
  return { tag: htmlTags.has(tag) || isCustom ? tag : 'span', attributes }
}

function sheetOf(attributes: Json, assets: Assets): Json {
  const rel = stringOf(attributes.rel)
  if (/\balternate\b/i.test(rel) || 'disabled' in attributes) return {}
  const closed = /\bstylesheet\b/i.test(rel) ? assets.textOf(stringOf(attributes.href)) : undefined
  const text = attributes._cssText ?? closed
  if (typeof text !== 'string') return {}
  return { ...(typeof attributes.media === 'string' && { media: attributes.media }), _cssText: text }
}

const compatOf = ({ compatMode }: Json) => (compatMode === 'BackCompat' ? { compatMode } : {})

function rootOf({ rootId }: Json): { rootId?: number } {
  const id = idOf(rootId)
  return id === undefined ? {} : { rootId: id }
}

/** The last one opened is on top of the others. */
export function notePopover({ popovers }: PageNotes, id: number): void {
  popovers.delete(id)
  popovers.add(id)
}
