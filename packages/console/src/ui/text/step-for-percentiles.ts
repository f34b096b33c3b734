import { limits } from '@telltale/core/limits'
import { stepLength, type TimeStep, timeSteps } from '@telltale/core/query/time-buckets'

const wanted = 0.75
const stepsAtLeast = 4

interface Counted {
  readonly from: string
  readonly to: string
  /** Of the points; a finer one was not asked for. */
  readonly step: TimeStep
  /** How many values there are in each step. */
  readonly points: readonly { readonly at: string; readonly count: number }[]
}

/**
 * The finest step in which most values are told of: where fewer are in a step than a percentile needs, it has none, and a
 * line of gaps says nothing. Undefined where no step would be enough.
 */
export function stepForPercentiles({ from, to, step, points }: Counted): TimeStep | undefined {
  const counts = points.map(({ at, count }) => ({ at: Date.parse(at), count }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const longest = (Date.parse(to) - Date.parse(from)) / stepsAtLeast
  return timeSteps
    .filter((one) => one === step || (stepLength[one] > stepLength[step] && stepLength[one] <= longest))
    .find((one) => toldOf(counts, stepLength[one]) >= wanted * total)
}

/** How many are in steps of which there are enough. Where exactly steps begin makes no difference here. */
function toldOf(points: readonly { at: number; count: number }[], length: number): number {
  const counts = new Map<number, number>()
  for (const { at, count } of points) {
    const key = Math.floor(at / length)
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  const told = [...counts.values()].filter((count) => count >= limits.percentileMinimum)
  return told.reduce((sum, count) => sum + count, 0)
}
