// Sends segments to the player, converted one after the other, so that a long session is never in memory as a
// whole. A segment that cannot be unpacked, has an unknown format or a fault is reported as broken in its place.

import { Readable } from 'node:stream'
import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { LRUCache } from 'lru-cache'
import type { MemoryBudget, MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { unpackWhole } from '../../platform/memory/unpack.ts'
import type { Question } from '../explore/question.ts'
import { toInstant } from './describe-tabs.ts'
import { createPlayerForm, needsEarlier } from './player-form.ts'
import { findBeginning, findSizes, readBodies, type SegmentBody, type SegmentRange } from './queries.ts'
import type { PlayerForm, ReadRange, RecordedSegment } from './recorded-segment.ts'

// State of reading a tab, so that the player's next request can continue there: a segment may depend on the
// previous ones. Without cached state, reading restarts at the last full snapshot.
const mebibyte = 1_024 * 1_024
const remembered = new LRUCache<string, PlayerForm>({
  max: 50,
  maxSize: 256 * mebibyte,
  maxEntrySize: 128 * mebibyte,
  ttl: 5 * 60_000,
  sizeCalculation: ({ size }) => size + 1,
})

type Tab = Pick<SegmentRange, 'session' | 'tab'>

const keyOf = ({ environmentId }: Question, { session, tab }: Tab, next: number) =>
  `${environmentId} ${session} ${tab} ${next}`

async function continueForm(
  question: Question,
  { from, ...tab }: Omit<SegmentRange, 'to'>,
  read: ReadRange,
): Promise<PlayerForm> {
  const key = keyOf(question, tab, from)
  const known = remembered.get(key)
  // The state is mutable, so a concurrent request for the same tab builds its own.
  remembered.delete(key)
  if (known !== undefined) return known
  const form = createPlayerForm()
  const begin = await findBeginning(question, { ...tab, from: 0, to: from })
  if (begin === undefined || begin === from) return form
  for await (const segment of read({ ...tab, from: begin, to: from - 1 })) await form.read(segment)
  return form
}

function rememberForm(question: Question, tab: Tab, form: PlayerForm): void {
  if (form.next !== undefined) remembered.set(keyOf(question, tab, form.next), form)
}

/** Operations of a byte of the binary format: a node of two bytes becomes an object. */
const binaryExpansion = 24
/** Segments read from the store at a time: the first are sent while the next are read. */
const segmentsAtOnce = 20

export async function readSegments(
  { question, memory }: SegmentSource,
  requested: SegmentRange,
): Promise<Readable> {
  const sizes = await findSizes(question, requested)
  let bytes = 0
  const fitting = sizes.filter(({ bytes: own }, index) => {
    bytes += own
    // A single segment is always sent, whatever its size.
    return index < limits.replaySegmentsRead && (index === 0 || bytes <= limits.replayBytesRead)
  })
  const next = sizes[fitting.length]?.seq ?? null
  const [first] = fitting
  const form =
    first !== undefined && needsEarlier(first.format)
      ? await continueForm(question, { ...requested, from: first.seq }, (range) =>
          readRecorded({ question, memory }, range),
        )
      : createPlayerForm()
  const reading = { requested, indexes: fitting.map(({ seq }) => seq), next, form }
  return Readable.from(lines({ question, memory }, reading), { objectMode: false })
}

export interface SegmentSource {
  question: Question
  memory: MemoryBudget
}

interface Reading {
  requested: SegmentRange
  indexes: readonly number[]
  next: number | null
  form: PlayerForm
}

async function* lines(
  { question, memory }: SegmentSource,
  { requested, indexes, next, form }: Reading,
): AsyncGenerator<Buffer> {
  for (let first = 0; first < indexes.length; first += segmentsAtOnce) {
    const some = indexes.slice(first, first + segmentsAtOnce)
    const [from = 0, to = 0] = [some[0], some.at(-1)]
    for (const row of await readBodies(question, { ...requested, from, to })) {
      yield await memory.during('management', (claim) => render(row, form, claim))
    }
  }
  rememberForm(question, requested, form)
  yield Buffer.from(`${JSON.stringify({ next })}\n`)
}

async function* readRecorded(
  { question, memory }: SegmentSource,
  range: SegmentRange,
): AsyncGenerator<RecordedSegment> {
  for (let { from } = range; from <= range.to; from += segmentsAtOnce) {
    const to = Math.min(range.to, from + segmentsAtOnce - 1)
    for (const row of await readBodies(question, { ...range, from, to })) {
      const claim = memory.open('management')
      try {
        const text = await unpackRow(row, claim)
        if (text !== undefined) yield recorded(row, text)
      } finally {
        claim.release()
      }
    }
  }
}

const recorded = ({ seq, full_snapshot, format }: SegmentBody, text: Buffer): RecordedSegment => ({
  seq,
  full: full_snapshot === 1,
  format,
  text,
})

async function render(row: SegmentBody, form: PlayerForm, claim: MemoryClaim): Promise<Buffer> {
  const unpacked = await unpackRow(row, claim)
  const played = unpacked && (await form.read(recorded(row, unpacked)))
  claim.grow(played?.lines.length ?? 0)
  const segment = {
    index: row.seq,
    startedAt: toInstant(row.started_at),
    endedAt: toInstant(row.ended_at),
    records: row.records,
    full: row.full_snapshot === 1,
    broken: played?.isBroken ?? true,
  }
  const head = Buffer.from(`${JSON.stringify({ segment })}\n`)
  return played === undefined ? head : Buffer.concat([head, played.lines])
}

export async function unpackRow(
  { body, format }: SegmentBody,
  claim: MemoryClaim,
): Promise<Buffer | undefined> {
  try {
    const packed = Buffer.from(body, 'base64')
    // gzip, or zlib as some clients compress it.
    const packing = packed[0] === 0x1f ? 'gzip' : 'zlib'
    const text = await unpackWhole(packed, { packing, mostBytes: limits.replaySegmentInflated }, claim)
    // JSON is parsed and written again, which takes more memory; the binary format names its strings once.
    claim.grow(format === 'telltale-replay-1' ? binaryExpansion * text.length : parsedSize(text))
    return text
  } catch (error) {
    if (error instanceof Problem && error.code === 'server-busy') throw error
    // Corrupted on disk or by another writer: a gap, but the rest of the replay still plays.
    return undefined
  }
}
