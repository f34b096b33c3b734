import type { TimeStep } from '@telltale/core/query/time-buckets'
import type { Overview } from '../../api/overview.ts'
import { stepForPercentiles } from '../../ui/text/step-for-percentiles.ts'

/** The step in which most page loads are told of; undefined when that of the answer is fine, or no step would be. */
export function stepForVitals({ series, step, from, to }: Overview): TimeStep | undefined {
  const points = series.map(({ at, vitals }) => ({
    at,
    count: vitals.find(({ name }) => name === 'LCP')?.count ?? 0,
  }))
  const found = stepForPercentiles({ from, to, step, points })
  return found === step ? undefined : found
}
