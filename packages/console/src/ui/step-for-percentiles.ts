import { limits } from '@telltale/core/limits'
import { stepLength, type TimeStep, timeSteps } from '@telltale/core/telemetry/time-buckets'

/** Days differ from nights: on average, a step should have this many times what a percentile needs. */
const margin = 2

interface Stepped {
  from: string
  to: string
  /** In which it was asked for. */
  step: TimeStep
  /** In the whole time. */
  count: number
  points: readonly { count: number; value: number | null }[]
}

/**
 * The step in which there are enough events for percentiles: the one that was asked for when it will do, undefined when
 * none does.
 */
export function stepForPercentiles({ from, to, step, count, points }: Stepped): TimeStep | undefined {
  const counted = points.filter((point) => point.count > 0)
  const told = counted.filter(({ value }) => value !== null)
  if (told.length * 2 >= counted.length) return step
  const length = Date.parse(to) - Date.parse(from)
  return timeSteps
    .slice(timeSteps.indexOf(step) + 1)
    .find(
      (one) =>
        stepLength[one] < length && count * stepLength[one] >= margin * limits.percentileMinimum * length,
    )
}

export const stepNames: Readonly<Record<TimeStep, string>> = {
  ...{ '1m': 'minute', '5m': '5 minutes', '15m': '15 minutes', '1h': 'hour' },
  ...{ '3h': '3 hours', '6h': '6 hours', '1d': 'day', '7d': 'week' },
}
