// A segment under construction: its text, the compressed part of it, and the final metadata, which never claims more
// than the body contains.

import type { EventContext } from '@telltale/core/contract/events'
import { compress, type Piece, wrap } from '../browser/gzip.ts'
import { createUuid } from '../browser/uuid.ts'
import { type PageEvent, types } from './page-event.ts'

export interface Segment {
  id: string
  context: EventContext
  startedAt: number
  endedAt: number
  records: number
  /** Playback can start here. */
  full: boolean
  assets: string[]
  /** Gzip, in pieces. */
  body: Piece[]
  sizeBytes: number
}

export interface OpenSegment extends Segment {
  waiting: PageEvent[]
  used: Set<string>
  /** All its lines written so far. */
  text: string
  /** How much of the text is in the body. */
  packed: number
  /** Number of records from which playback can start. */
  beginning?: number
  isDone?: boolean
}

/** The maximum the server accepts. */
const assetsAtMost = 500

export function beginSegment({ timestamp }: PageEvent, context: EventContext): OpenSegment {
  return {
    ...{ id: createUuid(), context: { ...context }, startedAt: timestamp, endedAt: timestamp },
    ...{ records: 0, full: false, assets: [], body: [], sizeBytes: 0 },
    ...{ waiting: [], used: new Set(), text: '', packed: 0 },
  }
}

export function addEvent(segment: OpenSegment, event: PageEvent): void {
  segment.waiting.push(event)
  segment.endedAt = Math.max(segment.endedAt, event.timestamp)
  segment.records++
  if (event.type === types.page) segment.beginning ??= segment.records
}

/** Always from its first line on: one piece is smaller than several. */
export async function packText(segment: OpenSegment): Promise<void> {
  const { text } = segment
  if (text.length === segment.packed) return
  const piece = await compress(text)
  if (segment.isDone) return
  Object.assign(segment, { body: [piece], sizeBytes: piece.length, packed: text.length })
}

/** Uncompressed whole lines: a page that is being left has no time to compress. */
export function wrapRest(segment: OpenSegment, roomBytes: number): void {
  const rest = segment.text.slice(segment.packed)
  const { read } = new TextEncoder().encodeInto(rest, new Uint8Array(Math.max(0, roomBytes)))
  const lines = read === rest.length ? rest : rest.slice(0, rest.lastIndexOf('\n', read - 1) + 1)
  if (!lines) return
  const piece = wrap(new TextEncoder().encode(lines))
  segment.body.push(piece)
  segment.sizeBytes += piece.length
  segment.packed += lines.length
}

/** With the content of its body, even if the rest failed. Undefined when the body is empty. */
export function sealSegment(segment: OpenSegment): Segment | undefined {
  segment.isDone = true
  segment.records = segment.text.slice(0, segment.packed).split('\n').length - 1
  segment.full = segment.beginning !== undefined && segment.beginning <= segment.records
  segment.assets = [...segment.used].slice(0, assetsAtMost)
  segment.text = ''
  return segment.records > 0 ? segment : undefined
}
