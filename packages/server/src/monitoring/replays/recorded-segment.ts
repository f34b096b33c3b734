// A segment as it was recorded, and what makes of it what the player plays.

import type { SegmentRange } from './queries.ts'

export interface RecordedSegment {
  seq: number
  /** Starts with a full snapshot of the page. */
  full: boolean
  format: string
  text: Buffer
}

/** Reads the segments of one tab in their order. */
export interface PlayerForm {
  /** Nothing for one that cannot be played: of a form that nobody knows, or whose beginning is missing. */
  read(segment: RecordedSegment): Promise<Buffer | undefined>
  /** The segment that it can go on with where one begins in the middle; none when each stands for itself. */
  readonly next: number | undefined
  /** About so many bytes, kept to go on. */
  readonly size: number
}

export type ReadRange = (range: SegmentRange) => AsyncIterable<RecordedSegment>
