// A recorded segment, and the interface of its conversion for the player.

import type { SegmentRange } from './queries.ts'

export interface RecordedSegment {
  seq: number
  /** Starts with a full snapshot of the page. */
  full: boolean
  format: string
  /** Unpacked. */
  text: Buffer
}

export interface PlayedSegment {
  /** Operations as lines of JSON. */
  lines: Buffer
  /** It cannot be read further than to the end of the lines. */
  isBroken: boolean
}

/** Reads the segments of one tab in order. */
export interface PlayerForm {
  /** Undefined for a segment that cannot be played: unknown format, or missing predecessors. */
  read(segment: RecordedSegment): Promise<PlayedSegment | undefined>
  /** The segment with which reading can continue; undefined if segments are independent. */
  readonly next: number | undefined
  /** Approximate size of the kept state in bytes. */
  readonly size: number
}

export type ReadRange = (range: SegmentRange) => AsyncIterable<RecordedSegment>
