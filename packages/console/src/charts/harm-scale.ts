// One common scale for all changes of a table, around zero, so that lengths can be compared from row to row.

export interface ChangeScale {
  readonly from: number
  readonly to: number
  /** Where lines are drawn, without zero. */
  readonly ticks: readonly number[]
}

export interface Change {
  readonly est: number
  readonly lo: number
  readonly hi: number
  /** Below zero where less is worse. */
  readonly limit: number
}

const smallest = 0.1
const largest = 1
const room = 1.15

/** Wide enough for every limit and for what most intervals need; what is wider is cut at the edge. */
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
