import { limits } from '@telltale/core/limits'
import { stepLength, type TimeStep, timeSteps } from '@telltale/core/telemetry/time-buckets'
import type { Overview } from '../../api/overview.ts'

const wanted = 0.75
const stepsAtLeast = 4

/**
 * The finest step in which most page loads are told of: where fewer are in a step than a percentile needs, it has none,
 * and a line of gaps says nothing. Undefined: the step of the answer is fine, or no step would be.
 */
export function stepForVitals({ series, step, from, to }: Overview): TimeStep | undefined {
  const loads = series.map(({ at, vitals }) => ({
    at: Date.parse(at),
    count: vitals.find(({ name }) => name === 'LCP')?.count ?? 0,
  }))
  const total = loads.reduce((sum, { count }) => sum + count, 0)
  const longest = (Date.parse(to) - Date.parse(from)) / stepsAtLeast
  const found = timeSteps.find(
    (one) =>
      stepLength[one] >= stepLength[step] &&
      stepLength[one] <= longest &&
      toldShare(loads, stepLength[one]) * total >= wanted * total,
  )
  return found === step || total === 0 ? undefined : found
}

/** Of the loads, those in steps of which there are enough. Where exactly steps begin makes no difference here. */
function toldShare(loads: readonly { at: number; count: number }[], length: number): number {
  const counts = new Map<number, number>()
  for (const { at, count } of loads) {
    const key = Math.floor(at / length)
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  let told = 0
  let total = 0
  for (const count of counts.values()) {
    total += count
    if (count >= limits.percentileMinimum) told += count
  }
  return total === 0 ? 0 : told / total
}
