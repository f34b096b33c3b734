// Loads the start of a picture while its document still loads. A failure is ignored here: the run requests it
// again and reports errors.

import type { ReplaySource } from '../../../api/replays.ts'
import { loadSegments } from './load-segments.ts'
import { nextBatch } from './next-batch.ts'
import { beginningFor, type Stretch } from './plan-tab.ts'
import { playedAhead } from './run.ts'
import type { SegmentCache } from './segment-cache.ts'

interface Beginning {
  readonly tab: string
  readonly stretch: Stretch
  readonly at: number
}

interface WarmUp {
  begin(beginning: Beginning): void
  /** Resolves when the pending loads for this start are complete. */
  of(beginning: Beginning): Promise<void>
  stop(): void
}

export function createWarmUp(place: ReplaySource, cache: SegmentCache): WarmUp {
  let last: { tab: string; at: number; done: Promise<void>; aborting: AbortController } | undefined
  const isLast = ({ tab, at }: Beginning) => last?.tab === tab && last.at === at
  const read = async ({ tab, stretch, at }: Beginning, signal: AbortSignal) => {
    const first = beginningFor(stretch, at)
    const segments = nextBatch(stretch.segments, first, { at, span: playedAhead, waiting: 0 })
    try {
      for await (const _segment of loadSegments({ place, tab, segments, signal }, cache));
    } catch {
      // The run requests it again.
    }
  }
  return {
    begin(beginning) {
      if (isLast(beginning)) return
      last?.aborting.abort()
      const aborting = new AbortController()
      const { tab, at } = beginning
      last = { tab, at, done: read(beginning, aborting.signal), aborting }
    },
    of: (beginning) => (isLast(beginning) && last ? last.done : Promise.resolve()),
    stop() {
      last?.aborting.abort()
      last = undefined
    },
  }
}
