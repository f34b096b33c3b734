// The last minute of a page, kept in memory until something happens that is worth it. What is older goes, as far as what is
// left can still be played; all that is kept can be sent.

import type { Segment } from './open-segment.ts'

export interface LookBack {
  add(segment: Segment): void
  /** All that is kept; then nothing is. */
  take(): Segment[]
}

export const lookBack = 60_000
/** What waits for the server has twice as much room: what follows comes while this is on its way. */
export const lookBackBytes = 2 * 1024 * 1024

export function createLookBack(now: () => number): LookBack {
  let kept: Segment[] = []
  const size = () => kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    add(segment) {
      kept.push(segment)
      const since = now() - lookBack
      const beginnings = kept.flatMap(({ full, startedAt }, index) =>
        full && startedAt <= since ? [index] : [],
      )
      kept = kept.slice(beginnings.at(-1) ?? 0)
      while (kept.length > 1 && size() > lookBackBytes) {
        // Without its beginning, what follows it cannot be played either.
        const next = kept.findIndex(({ full }, index) => full && index > 0)
        kept = kept.slice(Math.max(1, next))
      }
    },
    take: () => kept.splice(0),
  }
}
