// Converts recordings of Datadog's browser client into operations. Each record is applied to a page model, and the
// resulting changes are written; ids of nodes, strings and style sheets continue across all segments of a view. Invalid
// records and references to missing nodes are skipped; memory use is bounded.

import { isObject } from '../json.ts'
import type { NodeId, ReplayOperation } from '../replay/operations.ts'
import { type Change, convertChange, convertMoves } from '../replay/rrweb-changes.ts'
import { applyChanges, type Changes } from './apply-changes.ts'
import { createRecordedPage, type PageNode } from './recorded-page.ts'
import { createStringTable } from './string-table.ts'
import { createStyleSheets, textOf, type UsedSheet } from './style-sheets.ts'
import { playerId, writeDocument, writeNode } from './write-node.ts'

export interface ReplayConverter {
  /** Throws `RecordingTooLarge`; the converter is then unusable until the next full snapshot. */
  convert(record: unknown): ReplayOperation[]
  /** Resets the limit on characters that a segment may expand to. */
  beginSegment(): void
  /** Number of changes that could not be applied. */
  readonly unknown: number
  /** Approximate size in bytes. */
  readonly size: number
}

const stringsAtMost = 1_100_000
const charactersAtMost = 64 * 1_024 * 1_024
const bytesPerNode = 300
const records = { page: 2, change: 3, size: 4, viewport: 8, changes: 12 } as const

export function createReplayConverter(): ReplayConverter {
  const page = createRecordedPage()
  const strings = createStringTable({ strings: stringsAtMost, characters: charactersAtMost })
  const sheets = createStyleSheets()
  let size = { width: 0, height: 0 }
  let unknown = 0

  const begin = (data: unknown): Change[] => {
    page.clear()
    strings.clear()
    sheets.clear()
    const changes = applyChanges(data, { page, strings })
    unknown += changes.unknown
    const { root } = page
    if (root === undefined) return []
    const styled = attachSheets(changes)
    const scroll = changes.states.get(root)?.scroll
    changes.states.delete(root)
    const document = { ...writeDocument(root), ...(scroll && { scroll }) }
    return [{ do: 'page', ...size, document }, ...styled, ...writeStates(changes)]
  }
  const change = (data: unknown): Change[] => {
    if (page.root === undefined) return []
    const changes = applyChanges(data, { page, strings })
    unknown += changes.unknown
    const styled = attachSheets(changes)
    return [...writeTree(changes), ...styled, ...writeStates(changes)]
  }
  /** Sheets of an element are written into it; all others are written as adopted sheets once the owner exists. */
  const attachSheets = (changes: Changes): Change[] =>
    sheets.take(changes.sheets, changes.attached).flatMap(({ owner, sheets: used }) => {
      if (owner.kind !== 'element') return writeAdopted(owner, used)
      for (const { sheet } of used) if (sheet !== undefined) setSheet(changes, owner, textOf(sheet))
      return []
    })
  const setSheet = (changes: Changes, owner: PageNode, sheet: string) => {
    strings.spend(sheet.length)
    if (owner.unwritten !== undefined) owner.unwritten.state = { ...owner.unwritten.state, sheet }
    else changes.states.set(owner, { ...changes.states.get(owner), sheet })
  }
  const resize = (data: unknown): Change[] => {
    if (!isObject(data)) return []
    size = { width: Number(data.width) || 0, height: Number(data.height) || 0 }
    return [{ do: 'viewport', ...size }]
  }
  const convert = (type: unknown, data: unknown): Change[] => {
    if (type === records.size) return resize(data)
    if (type === records.page) return begin(data)
    if (type === records.changes) return change(data)
    return type === records.viewport ? writeZoom(data) : []
  }
  return {
    convert(record) {
      if (!isObject(record) || !isNumber(record.timestamp)) return []
      const { type, data, timestamp: at } = record
      if (type === records.change) return writeInteraction(data, at, page.find)
      return convert(type, data).map((operation) => ({ at, ...operation }))
    },
    beginSegment: () => strings.allow(charactersAtMost),
    get unknown() {
      return unknown
    },
    get size() {
      return 2 * strings.size + bytesPerNode * page.count
    },
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function writeZoom(data: unknown): Change[] {
  if (!isObject(data)) return []
  const { scale, offsetLeft: x, offsetTop: y } = data
  return isNumber(scale) && isNumber(x) && isNumber(y) ? [{ do: 'zoom', scale, x, y }] : []
}

function writeTree({ added, removed, texts, attributes, zoom }: Changes): Change[] {
  return [
    ...(removed.length === 0 ? [] : [{ do: 'remove' as const, ids: removed }]),
    ...writeAdded(added),
    ...[...texts].map(([node, text]): Change => ({ do: 'text', id: playerId(node), text })),
    ...[...attributes].flatMap(([node, values]) =>
      [...values].map(([name, value]): Change => ({ do: 'attribute', id: playerId(node), name, value })),
    ),
    ...(zoom === undefined ? [] : [{ do: 'zoom' as const, ...zoom }]),
  ]
}

/** Each row of added neighbours is one insertion. */
function writeAdded(added: readonly PageNode[]): Change[] {
  const fresh = new Set(added)
  const written = new Set<PageNode>()
  const isWaiting = (node: PageNode | undefined): node is PageNode =>
    node !== undefined && fresh.has(node) && !written.has(node)
  return added.flatMap((node): Change[] => {
    const { parent } = node
    // With its parent, or with the neighbour before it.
    if (parent === undefined || fresh.has(parent) || !isWaiting(node)) return []
    if (node.kind === 'shadow') return writeShadow(node, parent)
    let first = node
    while (isWaiting(first.previous) && first.previous.kind !== 'shadow') first = first.previous
    const row: PageNode[] = []
    let next: PageNode | undefined = first
    for (; isWaiting(next) && next.kind !== 'shadow'; next = next.next) {
      row.push(next)
      written.add(next)
    }
    const beside = next?.kind === 'shadow' ? next.next : next
    const before = beside === undefined ? null : playerId(beside)
    const nodes = row.flatMap((one) => writeNode(one) ?? [])
    return [{ do: 'insert', parent: playerId(parent), before, nodes }]
  })
}

function writeShadow(root: PageNode, host: PageNode): Change[] {
  const { children } = writeDocument(root)
  return [{ do: 'shadow', id: playerId(host), shadow: { id: playerId(root), children } }]
}

function writeStates({ states }: Changes): Change[] {
  return [...states].map(([node, state]): Change => ({ do: 'state', id: playerId(node), state }))
}

function writeAdopted(owner: PageNode, used: readonly UsedSheet[]): Change[] {
  return [
    ...used.flatMap(({ id, sheet, isKnown }): Change[] => {
      if (sheet === undefined && isKnown) return []
      const text = sheet === undefined ? '' : textOf(sheet)
      return [{ do: 'sheet', sheet: { constructed: id }, text }]
    }),
    { do: 'adopt', id: playerId(owner), sheets: used.map(({ id }) => id) },
  ]
}

const moves = new Set<unknown>([1, 6])
const ofNodes = new Set<unknown>([3, 7, 8])
const ofPages = new Set<unknown>([2, 4])

/** Interactions are in rrweb's format, except for their node ids. */
function writeInteraction(
  data: unknown,
  at: number,
  find: (id: unknown) => PageNode | undefined,
): ReplayOperation[] {
  if (!isObject(data)) return []
  const { source, id } = data
  const idOf = (given: unknown): { id?: NodeId } => {
    const node = find(given)
    return node === undefined ? {} : { id: playerId(node) }
  }
  if (moves.has(source)) {
    const positions = Array.isArray(data.positions) ? data.positions.filter(isObject) : []
    const known = positions.map(({ id, ...place }) => ({ ...place, ...idOf(id) }))
    return convertMoves({ source, positions: known }, at)
  }
  const { id: _recorded, ...rest } = data
  const known = idOf(id)
  if (!ofPages.has(source) && !(ofNodes.has(source) && known.id !== undefined)) return []
  return convertChange({ ...rest, ...known }).map((change) => ({ at, ...change }))
}
