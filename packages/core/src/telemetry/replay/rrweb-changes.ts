// Changes of a page in the format `rrweb-2`: of its tree, its style sheets and its states, and what its user did.

import type { NodeId, PressKind, ReplayNode, ReplayOperation, RulePath, SheetRef } from './operations.ts'
import { isObject, type JsonObject, listOf, numberOf, stringOf } from './read-json.ts'
import {
  attributeText,
  convertDocument,
  convertNode,
  isDocument,
  isState,
  nodeIdOf,
  readStates,
  shadowIdOf,
} from './rrweb-nodes.ts'

type Timeless<Each> = Each extends unknown ? Omit<Each, 'at'> : never
/** An operation without its time. Positions of the pointer are relative to it. */
export type Change = Timeless<ReplayOperation>

const sources = {
  tree: 0,
  move: 1,
  use: 2,
  scroll: 3,
  size: 4,
  input: 5,
  touchMove: 6,
  media: 7,
  rule: 8,
  drag: 12,
  declaration: 13,
  adopted: 15,
} as const
const uses: ReadonlyMap<unknown, PressKind> = new Map([
  [0, 'up'],
  [1, 'down'],
  [2, 'click'],
  [3, 'menu'],
  [4, 'double-click'],
  [7, 'touch'],
  [9, 'touch-end'],
])
const focused = 5
const blurred = 6
const noNode: NodeId = 0
/** Of one event. */
const changesAtMost = 300_000

/** @throws RecordingTooLarge */
export function convertChange(data: JsonObject): Change[] {
  if (data.source === sources.tree) return convertTree(data)
  if (data.source === sources.size)
    return [{ do: 'viewport', width: numberOf(data.width) ?? 0, height: numberOf(data.height) ?? 0 }]
  const id = nodeIdOf(data.id)
  switch (data.source) {
    case sources.use:
      return convertUse(data, id)
    case sources.rule:
      return convertRules(data)
    case sources.declaration:
      return convertDeclaration(data)
    default:
      return id === undefined ? [] : convertState(data, id)
  }
}

function convertState(data: JsonObject, id: NodeId): Change[] {
  const { source, text, isChecked, x, y } = data
  switch (source) {
    case sources.scroll: {
      return [{ do: 'state', id, state: { scroll: { x: numberOf(x) ?? 0, y: numberOf(y) ?? 0 } } }]
    }
    case sources.input:
      return [{ do: 'state', id, state: { value: stringOf(text), checked: isChecked === true } }]
    case sources.media:
      return data.type === 0 || data.type === 1
        ? [{ do: 'state', id, state: { playing: data.type === 0 } }]
        : []
    case sources.adopted:
      return convertAdopted(data, id)
    default:
      return []
  }
}

/** Moves have times of their own, relative to that of the event. */
export function convertMoves(data: JsonObject, at: number): ReplayOperation[] {
  if (data.source !== sources.move && data.source !== sources.touchMove && data.source !== sources.drag)
    return []
  const positions = listOf(data.positions)
    .filter(isObject)
    .map(({ timeOffset, x, y, id }) => ({
      at: at + (numberOf(timeOffset) ?? 0),
      x: numberOf(x) ?? 0,
      y: numberOf(y) ?? 0,
      id: nodeIdOf(id) ?? noNode,
    }))
  return positions.length === 0 ? [] : [{ at, do: 'pointer', positions }]
}

function convertUse({ type, x, y }: JsonObject, id: NodeId | undefined): Change[] {
  if (type === focused) return id === undefined ? [] : [{ do: 'focus', id }]
  if (type === blurred) return [{ do: 'focus', id: null }]
  const kind = uses.get(type)
  return kind === undefined
    ? []
    : [{ do: 'press', kind, x: numberOf(x) ?? 0, y: numberOf(y) ?? 0, id: id ?? noNode }]
}

function convertTree({ removes, adds, texts, attributes }: JsonObject): Change[] {
  const ids = each(removes).flatMap(removedIds)
  return [
    ...(ids.length === 0 ? [] : [{ do: 'remove' as const, ids }]),
    ...convertAdds(each(adds)),
    ...each(texts).flatMap(({ id, value }): Change[] => {
      const own = nodeIdOf(id)
      return own === undefined ? [] : [{ do: 'text', id: own, text: stringOf(value) }]
    }),
    ...each(attributes).flatMap(({ id, attributes: changed }): Change[] => {
      const own = nodeIdOf(id)
      return own === undefined || !isObject(changed) ? [] : convertAttributes(own, changed)
    }),
  ]
}

const each = (list: unknown): JsonObject[] => listOf(list).slice(0, changesAtMost).filter(isObject)

/** Nodes removed together are a list: the first id, and the difference of each to the previous one. */
function removedIds({ id, ids }: JsonObject): NodeId[] {
  if (!Array.isArray(ids)) return [nodeIdOf(id) ?? []].flat()
  let last = 0
  return ids.slice(0, changesAtMost).flatMap((step) => {
    last += numberOf(step) ?? 0
    return nodeIdOf(last) ?? []
  })
}

interface Row {
  parent: NodeId
  before: NodeId | null
  /** The last one first. */
  nodes: ReplayNode[]
}

/** A moved node is recorded as removed, and added anew under its id. Neighbours are recorded from the last one on. */
function convertAdds(adds: readonly JsonObject[]): Change[] {
  const changes: Change[] = []
  const hosts = new Set<NodeId>()
  let row: Row | undefined
  const finish = () => {
    if (row !== undefined) changes.push({ do: 'insert', ...row, nodes: row.nodes.reverse() })
    row = undefined
  }
  for (const { parentId, nextId, node } of adds) {
    const parent = nodeIdOf(parentId)
    if (parent === undefined || !isObject(node)) continue
    if (isDocument(node)) {
      const document = convertDocument(node)
      finish()
      if (document !== undefined) changes.push({ do: 'document', id: parent, document })
      continue
    }
    const converted = convertNode(node)
    if (converted === undefined) continue
    const inShadow = node.isShadow === true
    const place = inShadow ? shadowIdOf(parent) : parent
    const before = nodeIdOf(nextId) ?? null
    if (row !== undefined && row.parent === place && before !== null && row.nodes.at(-1)?.id === before) {
      row.nodes.push(converted)
      continue
    }
    finish()
    if (inShadow && !hosts.has(parent)) {
      hosts.add(parent)
      changes.push({ do: 'shadow', id: parent, shadow: { id: place, children: [] } })
    }
    row = { parent: place, before, nodes: [converted] }
  }
  finish()
  return changes
}

function convertAttributes(id: NodeId, attributes: JsonObject): Change[] {
  const changes: Change[] = []
  for (const [name, value] of Object.entries(attributes)) {
    if (isState(name)) continue
    if (name === 'style' && isObject(value)) changes.push(...convertStyle(id, value))
    else {
      const text = value === null ? null : attributeText(value)
      if (text !== undefined) changes.push({ do: 'attribute', id, name, value: text })
    }
  }
  const state = readStates(attributes)
  if (Object.keys(state).length > 0) changes.push({ do: 'state', id, state })
  return changes
}

/** An inline style that changed in parts. */
function convertStyle(id: NodeId, style: JsonObject): Change[] {
  return Object.entries(style).flatMap(([property, declared]): Change[] => {
    const [value, priority] = Array.isArray(declared) ? declared : [declared, '']
    if (typeof value !== 'string' && value !== false) return []
    return [
      {
        do: 'declare',
        sheet: { node: id },
        path: [],
        property,
        value: value === false ? null : value,
        important: priority === 'important',
      },
    ]
  })
}

function sheetOf({ id, styleId }: JsonObject): SheetRef | undefined {
  const [node, constructed] = [nodeIdOf(id), nodeIdOf(styleId)]
  if (constructed !== undefined) return { constructed }
  return node === undefined ? undefined : { node }
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function pathOf(index: unknown): RulePath | undefined {
  if (index === undefined) return [0]
  const path = Array.isArray(index) ? index : [index]
  return path.length > 0 && path.length <= 100 && path.every(isIndex) ? path : undefined
}

function convertRules(data: JsonObject): Change[] {
  const sheet = sheetOf(data)
  if (sheet === undefined) return []
  const changes: Change[] = []
  for (const { rule, index } of each(data.adds)) {
    const path = pathOf(index)
    if (path !== undefined) changes.push({ do: 'insert-rule', sheet, path, text: stringOf(rule) })
  }
  for (const { index } of each(data.removes)) {
    const path = pathOf(index)
    if (path !== undefined) changes.push({ do: 'delete-rule', sheet, path })
  }
  for (const text of [data.replace, data.replaceSync])
    if (typeof text === 'string') changes.push({ do: 'sheet', sheet, text })
  return changes
}

function convertDeclaration(data: JsonObject): Change[] {
  const [sheet, path] = [sheetOf(data), pathOf(data.index)]
  if (sheet === undefined || path === undefined) return []
  const { set, remove } = data
  if (isObject(set))
    return [
      {
        do: 'declare',
        sheet,
        path,
        property: stringOf(set.property),
        value: typeof set.value === 'string' ? set.value : null,
        important: set.priority === 'important',
      },
    ]
  if (!isObject(remove)) return []
  return [{ do: 'declare', sheet, path, property: stringOf(remove.property), value: null, important: false }]
}

/** By the id of a document, or of the host of a shadow root: it is one of the two. */
function convertAdopted({ styles, styleIds }: JsonObject, id: NodeId): Change[] {
  const sheets = listOf(styleIds).flatMap((styleId) => nodeIdOf(styleId) ?? [])
  return [
    ...each(styles).flatMap(({ styleId, rules }): Change[] => {
      const constructed = nodeIdOf(styleId)
      const text = each(rules).map(({ rule }) => stringOf(rule))
      return constructed === undefined ? [] : [{ do: 'sheet', sheet: { constructed }, text: text.join('\n') }]
    }),
    { do: 'adopt', id, sheets },
    { do: 'adopt', id: shadowIdOf(id), sheets },
  ]
}
