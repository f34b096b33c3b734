// Loads segments of a tab: recent ones from the cache, the rest in one response, each as soon as it is
// complete.

import { type ReplaySource, readSegments } from '../../../api/replays.ts'
import type { PlannedSegment } from './plan-tab.ts'
import type { SegmentCache } from './segment-cache.ts'
import { type SegmentLines, splitSegments } from './split-segments.ts'

interface SegmentsRequest {
  readonly place: ReplaySource
  readonly tab: string
  /** In order, without gaps. */
  readonly segments: readonly PlannedSegment[]
  readonly signal: AbortSignal
}

/** A response without a byte for this long is aborted. */
const silence = 15_000

/** Requested segments missing in the response are reported as broken. */
export async function* loadSegments(
  request: SegmentsRequest,
  cache: SegmentCache,
): AsyncGenerator<SegmentLines> {
  const { tab, segments } = request
  let known = 0
  for (const { index } of segments) {
    const lines = cache.get(tab, index)
    if (lines === undefined) break
    known++
    yield { index, broken: false, lines }
  }
  const unread = segments.slice(known)
  if (unread.length === 0) return
  for await (const segment of fetchSegments({ ...request, segments: unread })) {
    if (!segment.broken) cache.keep(tab, segment.index, segment.lines)
    yield segment
  }
}

async function* fetchSegments({
  place,
  tab,
  segments,
  signal,
}: SegmentsRequest): AsyncGenerator<SegmentLines> {
  const waiting = segments.map(({ index }) => index)
  const range = { tab, from: waiting[0] ?? 0, to: waiting.at(-1) ?? 0 }
  const reader = (await readSegments(place, range, signal)).getReader()
  const decoder = new TextDecoder()
  const splitter = splitSegments(waiting)
  const came = new Set<number>()
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read())
      const found = done ? splitter.end() : splitter.push(decoder.decode(value, { stream: true }))
      for (const segment of found) {
        came.add(segment.index)
        yield segment
      }
      if (done) break
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
  // A response has a byte limit: request the segments after its last one again.
  const last = Math.max(-1, ...came)
  const lost = waiting.filter((index) => !came.has(index) && (index < last || came.size === 0))
  for (const index of lost) yield { index, broken: true, lines: '' }
}

async function withinTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The recording could not be loaded completely.')), silence)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
