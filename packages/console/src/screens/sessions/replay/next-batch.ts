import type { PlannedSegment } from './plan-tab.ts'

export interface Ahead {
  /** The playhead. */
  readonly at: number
  /** How far ahead of it is worth having, milliseconds. */
  readonly span: number
  /** Bytes as they are stored that already wait ahead of the playhead. */
  readonly waiting: number
}

/** Stored bytes ahead of the playhead: unpacked they are ten times as many. */
export const bytesAhead = 3 * 1024 * 1024
/** Of one request. */
const bytesAtOnce = 1024 * 1024
const segmentsAtOnce = 60

/**
 * The segments to ask for next, beginning with this one; none when enough waits. What lies before the playhead is always
 * needed, and a single one may be of any size.
 */
export function nextBatch(
  segments: readonly PlannedSegment[],
  first: number,
  { at, span, waiting }: Ahead,
): readonly PlannedSegment[] {
  const batch: PlannedSegment[] = []
  let bytes = 0
  for (const segment of segments.slice(first, first + segmentsAtOnce)) {
    const isAhead = segment.from > at
    if (isAhead && (segment.from > at + span || waiting + bytes >= bytesAhead)) break
    if (batch.length > 0 && bytes + segment.bytes > bytesAtOnce) break
    batch.push(segment)
    bytes += segment.bytes
  }
  return batch
}
