// Rebuilds the events of a recording from known parts only, so that nothing unexpected passes. Drops events of
// another form, or of a kind without visible effect.

import type {
  addedNodeMutation,
  attributeMutation,
  eventWithTime,
  incrementalData,
  styleSheetAddRule,
  styleSheetDeleteRule,
  textMutation,
} from '@rrweb/types'
import { popoverMark } from './allowed.ts'
import type { Assets } from './assets.ts'
import { cleanseAttributeChange } from './cleanse-attributes.ts'
import { cleanseCss } from './cleanse-css.ts'
import { cleanseNode, cleansePage, type NodeContext, notePopover, type PageNotes } from './cleanse-node.ts'
import { idOf, isObject, type Json, listOf, numberOf, stringOf, within } from './read-json.ts'
import { unfoldAdded, unfoldRemoved } from './unfold-added.ts'

export interface Cleanser {
  /** Throws `TooLarge`. */
  cleanse(event: unknown): eventWithTime | undefined
  /** Ids of the page's open elements, past and present, the latest last. */
  popovers(): ReadonlySet<number>
}

const types = { page: 2, change: 3, size: 4 } as const
const sources = {
  ...{ mutation: 0, scroll: 3, size: 4, input: 5, rule: 8, declaration: 13, adopted: 15 },
} as const
export const largestPage = 10_000
const changesAtMost = 300_000
const rulesAtMost = 50_000

export function createCleanser(assets: Assets): Cleanser {
  let notes = noNotes()
  return {
    popovers: () => notes.popovers,
    cleanse(event) {
      if (!isObject(event) || !isObject(event.data)) return undefined
      const timestamp = numberOf(event.timestamp)
      if (timestamp === undefined) return undefined
      const { type, data } = event
      if (type === types.size) {
        return { type, data: { href: '', ...sizeOf(data) }, timestamp }
      }
      if (type === types.page) {
        notes = noNotes()
        const node = cleansePage(data.node, { assets, notes })
        const offset = isObject(data.initialOffset) ? data.initialOffset : {}
        const initialOffset = { top: placeOf(offset.top), left: placeOf(offset.left) }
        return node && { type, data: { node, initialOffset }, timestamp }
      }
      const change = type === types.change ? cleanseChange(data, { assets, notes }) : undefined
      return change && { type: types.change, data: change, timestamp }
    },
  }
}

const noNotes = (): PageNotes => ({ styles: new Set(), frames: new Set(), popovers: new Set() })

const placeOf = (value: unknown) => within(value, -1e7, 1e7)

export function sizeOf({ width, height }: Json): { width: number; height: number } {
  return { width: within(width, 1, largestPage), height: within(height, 1, largestPage) }
}

function cleanseChange(data: Json, context: NodeContext): incrementalData | undefined {
  switch (data.source) {
    case sources.mutation:
      return cleanseMutation(data, context)
    case sources.size:
      return { source: sources.size, ...sizeOf(data) }
    case sources.scroll: {
      const id = idOf(data.id)
      return id === undefined
        ? undefined
        : { source: sources.scroll, id, x: placeOf(data.x), y: placeOf(data.y) }
    }
    case sources.input: {
      const id = idOf(data.id)
      const text = stringOf(data.text)
      return id === undefined
        ? undefined
        : { source: sources.input, id, text, isChecked: data.isChecked === true }
    }
    case sources.rule:
      return cleanseRules(data, context)
    case sources.declaration:
      return cleanseDeclaration(data, context)
    case sources.adopted:
      return cleanseAdopted(data, context)
    default:
      return undefined
  }
}

function cleanseMutation(data: Json, context: NodeContext): incrementalData {
  const each = (list: unknown) => listOf(list).slice(0, changesAtMost).filter(isObject)
  return {
    source: sources.mutation,
    removes: each(data.removes)
      .flatMap((removed) => [...unfoldRemoved(removed)])
      .slice(0, changesAtMost)
      .flatMap(({ id, parentId, isShadow }) => {
        const [own, parent] = [idOf(id), idOf(parentId)]
        if (own === undefined || parent === undefined) return []
        return { id: own, parentId: parent, ...(isShadow === true && { isShadow: true }) }
      }),
    adds: each(data.adds)
      .flatMap((added) => [...unfoldAdded(added)])
      .slice(0, changesAtMost)
      .flatMap((added) => cleanseAdded(added, context) ?? []),
    texts: each(data.texts).flatMap((text) => cleanseText(text, context) ?? []),
    attributes: each(data.attributes).flatMap((change) => cleanseAttributesOf(change, context) ?? []),
  }
}

function cleanseAdded({ parentId, nextId, node }: Json, context: NodeContext): addedNodeMutation | undefined {
  const parent = idOf(parentId)
  if (parent === undefined || !isObject(node)) return undefined
  const { styles, frames } = context.notes
  const isPage = node.type === 0
  if (isPage && !frames.has(parent)) return undefined
  // A frame shows a page and nothing else.
  if (!isPage && frames.has(parent)) return undefined
  const cleansed = isPage ? cleansePage(node, context) : cleanseNode(node, context, styles.has(parent))
  return cleansed && { parentId: parent, nextId: idOf(nextId) ?? null, node: cleansed }
}

function cleanseText({ id, value }: Json, { assets, notes }: NodeContext): textMutation | undefined {
  const own = idOf(id)
  if (own === undefined) return undefined
  const text = stringOf(value)
  return { id: own, value: notes.styles.has(own) ? cleanseCss(assets.fill(text), assets.urlOf) : text }
}

function cleanseAttributesOf(
  { id, attributes }: Json,
  { assets, notes }: NodeContext,
): attributeMutation | undefined {
  const own = idOf(id)
  if (own !== undefined && isObject(attributes) && popoverMark in attributes) notePopover(notes, own)
  return own === undefined
    ? undefined
    : { id: own, attributes: cleanseAttributeChange(attributes, { assets }) }
}

/** Of an element, or of a constructed style sheet. */
function targetOf({ id, styleId }: Json): { id?: number; styleId?: number } | undefined {
  const [own, style] = [idOf(id), idOf(styleId)]
  if (style !== undefined) return { styleId: style }
  return own === undefined ? undefined : { id: own }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function placeInSheet(index: unknown): number | number[] | undefined {
  if (Array.isArray(index)) return index.filter(isCount).slice(0, 100)
  return isCount(index) ? index : undefined
}

function cleanseAddedRules(rules: unknown, { assets }: NodeContext): styleSheetAddRule[] {
  return listOf(rules)
    .slice(0, rulesAtMost)
    .filter(isObject)
    .map(({ rule, index }) => {
      const place = placeInSheet(index)
      const text = cleanseCss(stringOf(rule), assets.urlOf)
      return { rule: text, ...(place !== undefined && { index: place }) }
    })
}

function cleanseRules(data: Json, context: NodeContext): incrementalData | undefined {
  const target = targetOf(data)
  if (target === undefined) return undefined
  const removes = listOf(data.removes)
    .slice(0, rulesAtMost)
    .flatMap((removed): styleSheetDeleteRule[] => {
      const index = isObject(removed) ? placeInSheet(removed.index) : undefined
      return index === undefined ? [] : [{ index }]
    })
  const whole = (text: unknown) => cleanseCss(context.assets.fill(stringOf(text)), context.assets.urlOf)
  return {
    ...{ source: sources.rule, ...target, removes, adds: cleanseAddedRules(data.adds, context) },
    ...(typeof data.replace === 'string' && { replace: whole(data.replace) }),
    ...(typeof data.replaceSync === 'string' && { replaceSync: whole(data.replaceSync) }),
  }
}

const aProperty = /^(--[\w-]{1,100}|-?[a-z][a-z-]{0,60})$/i

function cleanseDeclaration(data: Json, { assets }: NodeContext): incrementalData | undefined {
  const target = targetOf(data)
  const index = listOf(data.index).filter(isCount).slice(0, 100)
  if (target === undefined || index.length === 0) return undefined
  const { set, remove } = data
  const change = isObject(set) ? set : isObject(remove) ? remove : {}
  const property = stringOf(change.property)
  if (!aProperty.test(property)) return undefined
  const base = { source: sources.declaration, ...target, index }
  if (!isObject(set)) return { ...base, remove: { property } }
  const value = set.value === null ? null : cleanseCss(stringOf(set.value), assets.urlOf)
  return {
    ...base,
    set: { property, value, priority: set.priority === 'important' ? 'important' : undefined },
  }
}

function cleanseAdopted(data: Json, context: NodeContext): incrementalData | undefined {
  const id = idOf(data.id)
  if (id === undefined) return undefined
  const styles = listOf(data.styles)
    .filter(isObject)
    .flatMap(({ styleId, rules }) => {
      const own = idOf(styleId)
      return own === undefined ? [] : [{ styleId: own, rules: cleanseAddedRules(rules, context) }]
    })
  const styleIds = listOf(data.styleIds).flatMap((styleId) => idOf(styleId) ?? [])
  return { source: sources.adopted, id, styles, styleIds }
}
