import { limits } from '@telltale/core/limits'
import { stepLength, type TimeStep, timeSteps } from '@telltale/core/telemetry/time-buckets'
import type { MeasuredRequest } from '../../api/requests.ts'

/** Days differ from nights: on average, a step should have this many times what a percentile needs. */
const margin = 2

/**
 * The step in which there are enough requests for percentiles: the one that was asked for when it will do, undefined when
 * none does.
 */
export function stepForPercentiles(
  request: Pick<MeasuredRequest, 'from' | 'to' | 'step' | 'count' | 'series'>,
): TimeStep | undefined {
  const { from, to, step, count, series } = request
  const counted = series.filter((point) => point.count > 0)
  const told = counted.filter(({ p75 }) => p75 !== null)
  if (told.length * 2 >= counted.length) return step
  const length = Date.parse(to) - Date.parse(from)
  return timeSteps
    .slice(timeSteps.indexOf(step) + 1)
    .find(
      (one) =>
        stepLength[one] < length && count * stepLength[one] >= margin * limits.percentileMinimum * length,
    )
}
