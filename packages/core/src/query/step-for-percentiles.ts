import { limits } from '../limits.ts'
import { stepLength, type TimeStep, timeSteps } from './time-buckets.ts'

const wanted = 0.75
const stepsAtLeast = 4

interface Counted {
  readonly from: string
  readonly to: string
  /** Of the points; the query used no finer one. */
  readonly step: TimeStep
  /** The number of values in each step. */
  readonly points: readonly { readonly at: string; readonly count: number }[]
}

/**
 * The finest step in which most values are in steps with enough of them for a percentile; a line of gaps would
 * be useless. Undefined if no step qualifies.
 */
export function stepForPercentiles({ from, to, step, points }: Counted): TimeStep | undefined {
  const counts = points.map(({ at, count }) => ({ at: Date.parse(at), count }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const longest = (Date.parse(to) - Date.parse(from)) / stepsAtLeast
  return timeSteps
    .filter((one) => one === step || (stepLength[one] > stepLength[step] && stepLength[one] <= longest))
    .find((one) => resolvedCount(counts, stepLength[one]) >= wanted * total)
}

/** The number of values in sufficiently filled steps. The exact start of steps is irrelevant here. */
function resolvedCount(points: readonly { at: number; count: number }[], length: number): number {
  const counts = new Map<number, number>()
  for (const { at, count } of points) {
    const key = Math.floor(at / length)
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  const reported = [...counts.values()].filter((count) => count >= limits.percentileMinimum)
  return reported.reduce((sum, count) => sum + count, 0)
}
