// The lines of a segment as a list of timed operations, and what they report. Lines that are not operations are
// dropped.

import type { RecordedPrivacy, RecorderNote } from './messages.ts'
import { idOf, isObject, type Json, listOf, numberOf, stringOf, within } from './read-json.ts'

export type Item =
  | { readonly kind: 'operation'; readonly at: number; readonly segment: number; readonly operation: Json }
  | { readonly kind: 'pointer'; readonly at: number; readonly place: Place }
  | { readonly kind: 'press'; readonly at: number; readonly place: Place; readonly isShown: boolean }

/** Relative to the window of the document that contains the node. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly node: number
}

export interface ReadSegment {
  readonly items: readonly Item[]
  readonly moments: readonly number[]
  readonly notes: readonly RecorderNote[]
  readonly privacy: RecordedPrivacy | undefined
  /** Addresses of style sheets and fonts, the assets that contain them, and fonts outside any style sheet. */
  readonly addresses: readonly Json[]
}

export interface SegmentText {
  readonly index: number
  readonly startedAt: number
  readonly endedAt: number
  readonly lines: string
}

/** A recording starts with the page, which may be written a moment after the first of these. */
const beginnings = new Set<unknown>(['page', 'viewport', 'zoom', 'note'])
const presses = new Set<unknown>(['click', 'touch'])
const positionsAtMost = 1_000
const momentEvery = 200
/** Positions are reported together, each for this long at most. */
const longestPath = 5_000

export function readSegment({ index, startedAt, endedAt, lines }: SegmentText): ReadSegment {
  const items: Item[] = []
  const moments: number[] = []
  const notes: RecorderNote[] = []
  const addresses: Json[] = []
  let privacy: RecordedPrivacy | undefined
  let offset: number | undefined
  let isBeginning = true
  let last = startedAt
  for (const operation of operationsOf(lines)) {
    const recordedAt = numberOf(operation.at)
    if (recordedAt === undefined) continue
    // The page's clock may be off by years: align the first operation with the start of the segment.
    offset ??= startedAt - recordedAt
    isBeginning &&= beginnings.has(operation.do)
    const at = isBeginning ? startedAt : within(recordedAt + offset, startedAt, endedAt)
    if (operation.do === 'page') isBeginning = false
    if (operation.do === 'note') {
      const note = isObject(operation.note) ? operation.note : {}
      if (note.kind === 'recording') privacy = privacyOf(note)
      else if (note.kind === 'assets') addresses.push(note)
      else notes.push(...noteOf(note, at))
      continue
    }
    if (isByUser(operation) && at - (moments.at(-1) ?? 0) >= momentEvery) moments.push(at)
    if (operation.do === 'pointer') items.push(...positionsOf(operation, at))
    else if (operation.do === 'press') {
      items.push({ kind: 'press', at, place: pointOf(operation), isShown: presses.has(operation.kind) })
    } else {
      // A change never comes before the one that it builds on, even if the page's clock was set back.
      last = Math.max(last, at)
      items.push({ kind: 'operation', at: last, segment: index, operation })
    }
  }
  items.sort((one, other) => one.at - other.at)
  return { items, moments, notes, privacy, addresses }
}

function isByUser({ do: kind, state }: Json): boolean {
  if (kind === 'pointer' || kind === 'press') return true
  return kind === 'state' && isObject(state) && ['value', 'checked', 'scroll'].some((name) => name in state)
}

function* operationsOf(lines: string): Generator<Json> {
  let from = 0
  while (from < lines.length) {
    const found = lines.indexOf('\n', from)
    const end = found === -1 ? lines.length : found
    const operation = parse(lines.slice(from, end))
    if (isObject(operation)) yield operation
    from = end + 1
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Truncated or foreign line: the rest of the segment may be valid.
    return undefined
  }
}

function positionsOf({ at: recordedAt, positions }: Json, at: number): Item[] {
  const offset = at - (numberOf(recordedAt) ?? 0)
  return listOf(positions)
    .slice(0, positionsAtMost)
    .filter(isObject)
    .map((position) => {
      const own = numberOf(position.at)
      const place = pointOf(position)
      return {
        kind: 'pointer',
        at: own === undefined ? at : within(own + offset, at - longestPath, at),
        place,
      }
    })
}

const pointOf = ({ x, y, id }: Json): Place => ({
  x: within(x, -100_000, 100_000),
  y: within(y, -100_000, 100_000),
  node: idOf(id) ?? 0,
})

const levels = ['mask-all', 'mask-inputs', 'allow'] as const
const kinds = ['throttled', 'thinned', 'blocked', 'stopped', 'lost'] as const

function privacyOf(note: Json): RecordedPrivacy | undefined {
  const level = levels.find((known) => known === note.level)
  return level && { level, reason: stringOf(note.reason).slice(0, 40) }
}

function noteOf(note: Json, at: number): RecorderNote[] {
  const kind = kinds.find((known) => known === note.kind)
  return kind === undefined ? [] : [{ at, kind, detail: stringOf(note.target ?? note.why).slice(0, 200) }]
}
