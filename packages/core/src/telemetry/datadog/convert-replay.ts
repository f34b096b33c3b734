// Converts recordings of Datadog's browser client to rrweb 2 events, which the player plays. Each record is applied to
// a page model, and the resulting changes are written; ids of nodes, strings and style sheets continue across all
// segments of a view. Invalid records and references to missing nodes are skipped; memory use is bounded.

import { applyChanges, type Changes } from './apply-changes.ts'
import { isObject } from './json.ts'
import { createRecordedPage, type PageNode } from './recorded-page.ts'
import { createStringTable } from './string-table.ts'
import { createStyleSheets, type TellSheet, textOf } from './style-sheets.ts'
import { playerId, type WrittenPlace, writeAdded, writeTree } from './write-node.ts'

export interface PlayedEvent {
  readonly type: number
  readonly data: object
  readonly timestamp: number
}

export interface ReplayConverter {
  /** Throws `RecordingTooLarge`; the converter is then unusable until the next full snapshot. */
  convert(record: unknown): PlayedEvent[]
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
const types = { page: 2, change: 3, size: 4, word: 5 } as const
const records = {
  page: 2,
  change: 3,
  size: 4,
  focus: 6,
  end: 7,
  view: 8,
  frustration: 9,
  changes: 12,
} as const
const sources = { mutation: 0, scroll: 3, input: 5, media: 7, rule: 8, adopted: 15 } as const
const words: ReadonlyMap<unknown, string> = new Map([
  [records.focus, 'focus'],
  [records.end, 'view-end'],
  [records.view, 'visual-viewport'],
  [records.frustration, 'frustration'],
])

export function createReplayConverter(): ReplayConverter {
  const page = createRecordedPage()
  const strings = createStringTable({ strings: stringsAtMost, characters: charactersAtMost })
  const sheets = createStyleSheets()
  let unknown = 0

  const begin = (data: unknown): object[] => {
    page.clear()
    strings.clear()
    sheets.clear()
    const changes = applyChanges(data, { page, strings })
    unknown += changes.unknown
    const { root } = page
    if (root === undefined) return []
    const styled = attachSheets(changes)
    const { x: left, y: top } = changes.scrolled.get(root) ?? { x: 0, y: 0 }
    return [{ node: writeTree(root), initialOffset: { left, top } }, ...styled]
  }
  const change = (data: unknown): object[] => {
    if (page.root === undefined) return []
    const changes = applyChanges(data, { page, strings })
    unknown += changes.unknown
    const styled = attachSheets(changes)
    return [...writeMutation(changes), ...styled, ...writeStates(changes)]
  }
  /** Sheets of an element are written into it; all others are written as adopted sheets once the owner exists. */
  const attachSheets = (changes: Changes): object[] =>
    sheets.take(changes.sheets, changes.attached).flatMap(({ owner, sheets: told }) => {
      if (owner.kind !== 'element') return writeAdopted(owner, told)
      for (const { sheet } of told) if (sheet !== undefined) setText(changes, owner, textOf(sheet))
      return []
    })
  const setText = (changes: Changes, owner: PageNode, text: string) => {
    strings.spend(text.length)
    if (owner.unwritten !== undefined) owner.unwritten.attributes.set('_cssText', text)
    else
      changes.attributes.set(owner, new Map([...(changes.attributes.get(owner) ?? []), ['_cssText', text]]))
  }
  const convert = (type: unknown, data: unknown): [number, object[]] => {
    if (type === records.size) return [types.size, sizeOf(data)]
    if (type === records.page) return [types.page, begin(data)]
    if (type === records.changes) return [types.change, change(data)]
    if (type === records.change) return [types.change, writeInteraction(data, page.find)]
    const tag = words.get(type)
    return [types.word, tag === undefined ? [] : [{ tag: `datadog-${tag}`, payload: data ?? null }]]
  }
  return {
    convert(record) {
      if (!isObject(record) || !isNumber(record.timestamp)) return []
      const { timestamp } = record
      const [type, data] = convert(record.type, record.data)
      const [first, ...rest] = data.map((each) => ({ type, data: each, timestamp }))
      if (first === undefined) return []
      // Events after a full snapshot are changes of it.
      return [first, ...rest.map((event) => ({ ...event, type: type === types.page ? types.change : type }))]
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

function sizeOf(data: unknown): object[] {
  if (!isObject(data)) return []
  const { href, width, height } = data
  return [
    { href: typeof href === 'string' ? href : '', width: Number(width) || 0, height: Number(height) || 0 },
  ]
}

function writeMutation({ added, removed, texts, attributes }: Changes): object[] {
  const mutation = {
    source: sources.mutation,
    removes: removed,
    adds: writeAllAdded(added),
    texts: [...texts].map(([node, value]) => ({ id: playerId(node), value })),
    attributes: [...attributes].map(([node, values]) => ({
      id: playerId(node),
      attributes: Object.fromEntries(values),
    })),
  }
  const { removes, adds } = mutation
  const isEmpty = removes.length + adds.length + mutation.texts.length + mutation.attributes.length === 0
  return isEmpty ? [] : [mutation]
}

/** Ordered so that each node follows its parent and its next sibling. */
function writeAllAdded(added: readonly PageNode[]): WrittenPlace[] {
  const fresh = new Set(added)
  const written = new Set<PageNode>()
  const places: WrittenPlace[] = []
  const isRoot = (node: PageNode | undefined): node is PageNode =>
    node !== undefined && fresh.has(node) && !written.has(node)
  for (const node of added) {
    if (node.parent !== undefined && fresh.has(node.parent)) continue
    const row: PageNode[] = []
    for (let next: PageNode | undefined = node; isRoot(next); next = next.next) {
      row.push(next)
      written.add(next)
    }
    for (const one of row.reverse()) for (const place of writeAdded(one)) places.push(place)
  }
  return places
}

function writeStates({ inputs, scrolled, played }: Changes): object[] {
  return [
    ...[...inputs].map(([node, state]) => ({ source: sources.input, id: playerId(node), ...state })),
    ...[...scrolled].map(([node, place]) => ({ source: sources.scroll, id: playerId(node), ...place })),
    ...[...played].map(([node, state]) => ({
      source: sources.media,
      id: playerId(node),
      type: state === 'play' ? 0 : 1,
    })),
  ]
}

function writeAdopted(owner: PageNode, told: readonly TellSheet[]): object[] {
  const styles = told.flatMap(({ id, sheet, isKnown }) => {
    if (isKnown) return []
    const rules = sheet === undefined || sheet.isWhole ? [] : sheet.rules
    return [{ styleId: id + 1, rules: rules.map((rule, index) => ({ rule, index })) }]
  })
  const adopted = {
    ...{ source: sources.adopted, id: playerId(owner), styleIds: told.map(({ id }) => id + 1) },
    ...(styles.length > 0 && { styles }),
  }
  const whole = told.flatMap(({ id, sheet, isKnown }) =>
    sheet !== undefined && (isKnown || sheet.isWhole)
      ? [{ source: sources.rule, styleId: id + 1, replaceSync: textOf(sheet) }]
      : [],
  )
  return [adopted, ...whole]
}

const moves = new Set<unknown>([1, 6])
const ofNodes = new Set<unknown>([sources.scroll, sources.media, sources.rule])
const ofPages = new Set<unknown>([2, 4])

/** Interactions are in rrweb's format already, except for their node ids. */
function writeInteraction(data: unknown, find: (id: unknown) => PageNode | undefined): object[] {
  if (!isObject(data)) return []
  const { source } = data
  const idOf = (id: unknown) => {
    const node = find(id)
    return node === undefined ? {} : { id: playerId(node) }
  }
  if (moves.has(source)) {
    const positions = Array.isArray(data.positions) ? data.positions.filter(isObject) : []
    return [{ ...data, positions: positions.map(({ id, ...place }) => ({ id: 0, ...place, ...idOf(id) })) }]
  }
  if (ofPages.has(source)) return [{ ...data, ...('id' in data && { id: 0, ...idOf(data.id) }) }]
  const known = ofNodes.has(source) ? idOf(data.id) : {}
  return 'id' in known ? [{ ...data, ...known }] : []
}
