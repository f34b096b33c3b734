import type { Span } from './player.ts'

/** Shorter gaps count as pauses, not inactivity. */
const idleAfter = 5_000
/** Resume shortly before the next activity, so that it is visible. */
const leadIn = 1_000

export interface Known {
  /** Times of user activity, in order. */
  readonly moments: readonly number[]
  /** Later ones are not known yet. */
  readonly until: number
}

/** The inactive time that can be skipped from here; none during activity. */
export function idleFrom(at: number, { moments, until }: Known): Span | undefined {
  const next = firstAfter(moments, at)
  const before = moments[next - 1]
  if (before !== undefined && at - before < leadIn) return undefined
  const to = Math.min(until, (moments[next] ?? Number.POSITIVE_INFINITY) - leadIn)
  return to - at >= idleAfter ? { from: at, to } : undefined
}

function firstAfter(moments: readonly number[], at: number): number {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle] ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}
