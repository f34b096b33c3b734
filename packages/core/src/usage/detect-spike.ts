// Whether an environment suddenly sends far more than usual. The usual of an hour is the median of the same hour on the
// days before.

import { limits } from '../limits.ts'

const hour = 3_600_000

/** `before`: the events of the same hour on past days. Undefined while there are too few to know what is usual. */
export function usualEvents(before: readonly number[]): number | undefined {
  if (before.length < limits.spikeDaysMinimum) return undefined
  const sorted = [...before].sort((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}

/** `events`: of this hour so far. */
export function isSpike(events: number, usual: number): boolean {
  return events >= limits.spikeFactor * Math.max(usual, limits.spikeFloor)
}

export interface SpikeSpan {
  /** Events that arrived: stored, or dropped by the sample. */
  arrived: number
  /** Milliseconds. */
  span: number
}

/** Lifted at a lower rate than it began at, so that traffic at the threshold does not switch it on and off. */
export function isSpikeOver({ arrived, span }: SpikeSpan, usual: number): boolean {
  return (arrived * hour) / span < limits.spikeLiftFactor * Math.max(usual, limits.spikeFloor)
}
