// Segments as a player takes them: unpacked one after the other while they are sent, so that a long session never lies in
// memory whole. One that cannot be unpacked, or is in a form that nobody knows, is told as broken in its place.

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { unzip } from 'node:zlib'
import { limits } from '@telltale/core/limits'
import type { Question } from '../explore/question.ts'
import { continueForm, rememberForm } from './continue-form.ts'
import { toInstant } from './describe-tabs.ts'
import { createPlayerForm, needsEarlier } from './player-form.ts'
import { findSizes, readBodies, type SegmentBody, type SegmentRange } from './queries.ts'
import type { PlayerForm, RecordedSegment } from './recorded-segment.ts'

/** gzip, or zlib where the client packs it so. */
const unpack = promisify(unzip)
/** Read from the store at a time: the first of them are on their way while the next ones are read. */
const segmentsAtOnce = 20

export async function readSegments(question: Question, asked: SegmentRange): Promise<Readable> {
  const sizes = await findSizes(question, asked)
  let bytes = 0
  const fitting = sizes.filter(({ bytes: own }, index) => {
    bytes += own
    // A single one always fits.
    return index < limits.replaySegmentsRead && (index === 0 || bytes <= limits.replayBytesRead)
  })
  const next = sizes[fitting.length]?.seq ?? null
  const [first] = fitting
  const form =
    first !== undefined && needsEarlier(first.format)
      ? await continueForm(question, { ...asked, from: first.seq }, (range) => readRecorded(question, range))
      : createPlayerForm()
  const reading = { asked, indexes: fitting.map(({ seq }) => seq), next, form }
  return Readable.from(lines(question, reading), { objectMode: false })
}

interface Reading {
  asked: SegmentRange
  indexes: readonly number[]
  next: number | null
  form: PlayerForm
}

async function* lines(question: Question, { asked, indexes, next, form }: Reading): AsyncGenerator<Buffer> {
  for (let first = 0; first < indexes.length; first += segmentsAtOnce) {
    const some = indexes.slice(first, first + segmentsAtOnce)
    const [from = 0, to = 0] = [some[0], some.at(-1)]
    for (const row of await readBodies(question, { ...asked, from, to })) yield await render(row, form)
  }
  rememberForm(question, asked, form)
  yield Buffer.from(`${JSON.stringify({ next })}\n`)
}

async function* readRecorded(question: Question, range: SegmentRange): AsyncGenerator<RecordedSegment> {
  for (let { from } = range; from <= range.to; from += segmentsAtOnce) {
    const to = Math.min(range.to, from + segmentsAtOnce - 1)
    for (const row of await readBodies(question, { ...range, from, to })) {
      const text = await unpackRow(row)
      if (text !== undefined) yield recorded(row, text)
    }
  }
}

const recorded = ({ seq, full_snapshot, format }: SegmentBody, text: Buffer): RecordedSegment => ({
  ...{ seq, full: full_snapshot === 1, format, text },
})

async function render(row: SegmentBody, form: PlayerForm): Promise<Buffer> {
  const packed = await unpackRow(row)
  const text = packed && (await form.read(recorded(row, packed)))
  const segment = {
    ...{ index: row.seq, startedAt: toInstant(row.started_at), endedAt: toInstant(row.ended_at) },
    ...{ records: row.records, full: row.full_snapshot === 1, broken: text === undefined },
  }
  const head = Buffer.from(`${JSON.stringify({ segment })}\n`)
  return text === undefined ? head : Buffer.concat([head, text])
}

async function unpackRow({ body }: SegmentBody): Promise<Buffer | undefined> {
  try {
    return await unpack(Buffer.from(body, 'base64'), { maxOutputLength: limits.replaySegmentInflated })
  } catch {
    // The disk changed it, or another server wrote something else: a gap, and not the end of the replay.
    return undefined
  }
}
