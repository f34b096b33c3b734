// Keeps the last minute of a page in memory until a trigger. Older segments are dropped as long as the rest can still
// be played; everything kept can be sent.

import type { Segment } from './segment.ts'

export interface LookBack {
  add(segment: Segment): void
  /** All that is kept; then nothing is. */
  take(): Segment[]
}

export const lookBack = 60_000
/** The upload queue has twice as much room: later segments arrive while these are being sent. */
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
        // Without its beginning, later segments cannot be played either.
        const next = kept.findIndex(({ full }, index) => full && index > 0)
        kept = kept.slice(Math.max(1, next))
      }
    },
    take: () => kept.splice(0),
  }
}
