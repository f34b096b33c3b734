import type { PlannedSegment } from './plan-tab.ts'

interface Ahead {
  /** The playhead. */
  readonly at: number
  /** How far ahead of it to load, in milliseconds. */
  readonly span: number
  /** Stored bytes already loaded ahead of the playhead. */
  readonly waiting: number
}

/** Stored bytes ahead of the playhead: decompressed they are ten times as many. */
export const bytesAhead = 3 * 1024 * 1024
/** Per request. */
const bytesAtOnce = 1024 * 1024
const segmentsAtOnce = 60

/**
 * The segments to request next, starting with this one; none when enough are loaded. Segments before the
 * playhead are always needed, and a single one may have any size.
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
