// The last minute of a page, kept in memory until something happens that is worth it. What is older goes, as far as what is
// left can still be played.

import type { Segment } from './segments.ts'

export interface LookBack {
  add(segment: Segment): void
  /** All that is kept; then nothing is. */
  take(): Segment[]
}

export const lookBack = 60_000
const roomBytes = 4 * 1024 * 1024

export function createLookBack(now: () => number): LookBack {
  let kept: Segment[] = []
  return {
    add(segment) {
      kept.push(segment)
      const since = now() - lookBack
      const beginnings = kept.flatMap(({ full, startedAt }, index) =>
        full && startedAt <= since ? [index] : [],
      )
      kept = kept.slice(beginnings.at(-1) ?? 0)
      let size = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      while (size > roomBytes) size -= kept.shift()?.sizeBytes ?? size
    },
    take: () => kept.splice(0),
  }
}
