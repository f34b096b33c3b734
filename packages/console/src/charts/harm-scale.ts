// One common scale for all changes of a table, around zero, so that rows can be compared.

export interface ChangeScale {
  readonly from: number
  readonly to: number
  /** Positions of grid lines, without zero. */
  readonly ticks: readonly number[]
}

export interface Change {
  readonly est: number
  readonly lo: number
  readonly hi: number
  /** Negative where a decrease is harm. */
  readonly limit: number
}

const smallest = 0.1
const largest = 1
const room = 1.15

/** Wide enough for every limit and most intervals; wider ones are cut at the edge. */
export function changeScale(changes: readonly Change[]): ChangeScale {
  const limits = changes.map(({ limit }) => Math.abs(limit))
  const ends = changes
    .map(({ lo, hi }) => Math.max(Math.abs(lo), Math.abs(hi)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const usual = ends[Math.floor(ends.length / 2)] ?? 0
  const reach = Math.min(largest, Math.max(smallest, room * Math.max(...limits, usual, 0)))
  const tick = [0.05, 0.1, 0.2, 0.5].findLast((one) => one <= 0.75 * reach) ?? 0.05
  return { from: -reach, to: reach, ticks: [-tick, tick] }
}
