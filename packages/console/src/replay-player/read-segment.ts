// The lines of a segment as a list of timed events, and what they report. Lines that are not events are
// dropped.

import type { RecordedPrivacy, RecorderNote } from './messages.ts'
import { idOf, isObject, type Json, listOf, numberOf, stringOf, within } from './read-json.ts'

export type Item =
  | { readonly kind: 'event'; readonly at: number; readonly segment: number; readonly event: Json }
  | { readonly kind: 'pointer'; readonly at: number; readonly place: Place }
  | { readonly kind: 'press'; readonly at: number; readonly place: Place }

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

const types = { change: 3, word: 5 } as const
const sources = { move: 1, press: 2, scroll: 3, input: 5, touch: 6, drag: 12 } as const
const moves = new Set<unknown>([sources.move, sources.touch, sources.drag])
const byPeople = new Set<unknown>([...moves, sources.press, sources.scroll, sources.input])
/** Click and the first touch. */
const presses = new Set<unknown>([2, 7])
const positionsAtMost = 1_000
const momentEvery = 200

export function readSegment({ index, startedAt, endedAt, lines }: SegmentText): ReadSegment {
  const items: Item[] = []
  const moments: number[] = []
  const notes: RecorderNote[] = []
  const addresses: Json[] = []
  let privacy: RecordedPrivacy | undefined
  let offset: number | undefined
  let isBeginning = true
  for (const event of eventsOf(lines)) {
    const timestamp = numberOf(event.timestamp)
    if (timestamp === undefined || !isObject(event.data)) continue
    // The page's clock may be off by years: align the first event with the start of the segment.
    offset ??= startedAt - timestamp
    const { data } = event
    isBeginning &&= event.type !== types.change
    // A recording starts with the full snapshot, which is written a moment later.
    const at = isBeginning ? startedAt : within(timestamp + offset, startedAt, endedAt)
    if (event.type === types.word) {
      const word = wordOf(data)
      if (word.kind === 'recording') privacy = privacyOf(word)
      else if (word.kind === 'assets') addresses.push(word)
      else notes.push(...noteOf(word, at))
      continue
    }
    if (event.type === types.change && byPeople.has(data.source)) {
      if (at - (moments.at(-1) ?? 0) >= momentEvery) moments.push(at)
    }
    items.push(...itemsOf(event, { at, data, segment: index }))
  }
  items.sort((one, other) => one.at - other.at)
  return { items, moments, notes, privacy, addresses }
}

function* eventsOf(lines: string): Generator<Json> {
  let from = 0
  while (from < lines.length) {
    const found = lines.indexOf('\n', from)
    const end = found === -1 ? lines.length : found
    const event = parse(lines.slice(from, end))
    if (isObject(event)) yield event
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

function itemsOf(event: Json, { at, data, segment }: { at: number; data: Json; segment: number }): Item[] {
  if (event.type === types.change && moves.has(data.source)) {
    return listOf(data.positions)
      .slice(0, positionsAtMost)
      .filter(isObject)
      .map((position) => ({
        ...{ kind: 'pointer' as const, at: at + within(position.timeOffset, -5_000, 0) },
        place: placeOf(position),
      }))
  }
  if (event.type === types.change && data.source === sources.press) {
    return presses.has(data.type) ? [{ kind: 'press', at, place: placeOf(data) }] : []
  }
  return [{ kind: 'event', at, segment, event }]
}

const placeOf = ({ x, y, id }: Json): Place => ({
  ...{ x: within(x, -100_000, 100_000), y: within(y, -100_000, 100_000), node: idOf(id) ?? 0 },
})

/** Telltale's own; others report nothing. */
function wordOf({ tag, payload }: Json): Json {
  return tag === 'telltale' && isObject(payload) ? payload : {}
}

const levels = ['mask-all', 'mask-inputs', 'allow'] as const
const kinds = ['throttled', 'blocked', 'stopped', 'lost'] as const

function privacyOf(word: Json): RecordedPrivacy | undefined {
  const level = levels.find((known) => known === word.level)
  return level && { level, reason: stringOf(word.reason).slice(0, 40) }
}

function noteOf(word: Json, at: number): RecorderNote[] {
  const kind = kinds.find((known) => known === word.kind)
  return kind === undefined ? [] : [{ at, kind, detail: stringOf(word.target ?? word.why).slice(0, 200) }]
}
