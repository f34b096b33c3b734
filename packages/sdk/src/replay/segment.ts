// A segment under construction: the bytes of its records, the compressed part of them, and the final metadata, which
// never claims more than the body contains.

import type { EventContext } from '@telltale/core/contract/events'
import { type Piece, wrap } from '../browser/gzip.ts'
import { createUuid } from '../browser/uuid.ts'
import type { SheetMark } from './assets.ts'

export interface Segment {
  id: string
  context: EventContext
  startedAt: number
  endedAt: number
  records: number
  /** Playback can start here. */
  full: boolean
  assets: string[]
  /** Gzip, in members, unless it is packed otherwise. */
  body: Piece[]
  sizeBytes: number
}

export interface OpenSegment extends Segment {
  used: Set<string>
  /** Hashes of assets that were not known when they were written, and where they go. */
  marks: { offset: number; mark: SheetMark }[]
  /** Where records end that are not in the body. */
  ends: number[]
  /** Bytes in the body, before compression. */
  packed: number
  /** From this offset on: how long it is open, the stream has them. */
  read(offset: number): Piece
  isDone?: boolean
}

/** The maximum the server accepts. */
const assetsAtMost = 500

export function openSegment({ at, full, context, read }: NewSegment): OpenSegment {
  return {
    id: createUuid(),
    context: { ...context },
    startedAt: at,
    endedAt: at,
    read,
    records: 0,
    full,
    assets: [],
    body: [],
    sizeBytes: 0,
    used: new Set(),
    marks: [],
    ends: [],
    packed: 0,
  }
}

interface NewSegment {
  at: number
  full: boolean
  context: EventContext
  read: OpenSegment['read']
}

/** The bytes from what is packed up to there, with the hashes that are known by now. */
function bytesUntil(segment: OpenSegment, end: number): Piece {
  const { packed, marks, used } = segment
  const bytes = segment.read(packed).subarray(0, end - packed)
  for (const { offset, mark } of marks) {
    if (offset < packed || offset >= end || !mark.hash) continue
    new TextEncoder().encodeInto(mark.hash, bytes.subarray(offset - packed))
    used.add(mark.hash)
  }
  return bytes
}

function add(segment: OpenSegment, piece: Piece, end: number): void {
  segment.body.push(piece)
  segment.sizeBytes += piece.length
  segment.packed = end
  const waiting = segment.ends.filter((each) => each > end)
  segment.records += segment.ends.length - waiting.length
  segment.ends = waiting
  segment.marks = segment.marks.filter(({ offset }) => offset >= end)
}

/** All whole records so far. */
export async function packRecords(
  segment: OpenSegment,
  pack: (bytes: Piece) => Promise<Piece>,
): Promise<void> {
  const end = segment.ends.at(-1)
  if (!end) return
  const piece = await pack(bytesUntil(segment, end))
  if (!segment.isDone) add(segment, piece, end)
}

/** Whole records, uncompressed: a page that is being left has no time to compress. False: some had no room. */
export function wrapRecords(segment: OpenSegment, roomBytes: number): boolean {
  const end = segment.ends.findLast((each) => each <= segment.packed + roomBytes)
  if (end) add(segment, wrap(bytesUntil(segment, end)), end)
  return segment.ends.length === 0
}

/** With the content of its body, even if the rest failed. Undefined when the body is empty. */
export function sealSegment(segment: OpenSegment): Segment | undefined {
  segment.isDone = true
  segment.assets = [...segment.used].slice(0, assetsAtMost)
  segment.read = () => new Uint8Array()
  return segment.records > 0 ? segment : undefined
}
