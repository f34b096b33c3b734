// The split that decides whether a variation is the cause: all users in halves, once, for as long as needed.

import { limits } from '@telltale/core/limits'
import type { Metric } from '../../../api/metrics.ts'
import type { PlaceChoice } from './place-choices.ts'
import { type PlanForm, usualMetrics, watchedMetric } from './plan-form.ts'

export interface Settling {
  /** Both halves together. */
  people: number
  days: number
  /** Of the metric. Harm close to its limit is never decided. */
  limit: number
  /** The key of the metric that decides it. */
  metric: string | undefined
  reason: string
}

const day = 86_400_000

/** When all users have the variation: losing it does not harm them here. */
export function placeServing(
  places: readonly PlaceChoice[],
  variation: string | undefined,
): PlaceChoice | undefined {
  return places.find(({ arms }) => {
    const served = arms.filter(({ weight }) => weight > 0)
    return served.length === 1 && served[0]?.variation === variation
  })
}

type Settled = Pick<PlanForm, 'stages' | 'metrics' | 'timeBox' | 'reason'>

export function planSettling(settling: Settling, pool: number, metrics: readonly Metric[]): Settled {
  const minDuration = Math.min(
    Math.max(Math.ceil(settling.days) * day, limits.guardDwellBeforeAll),
    limits.rolloutStageLongest,
  )
  const stage = {
    id: 0,
    weight: Math.max(1, Math.round(pool / 2)),
    minDuration,
    needsApproval: false,
    minUnits: Math.ceil(settling.people / 2),
  }
  const requested = metrics
    .filter(({ key }) => key === settling.metric)
    .map((metric) => watchedMetric({ ...metric, limit: Math.min(metric.limit, settling.limit) }))
  const others = usualMetrics(metrics).filter(({ metric }) => metric !== settling.metric)
  return {
    stages: [stage],
    metrics: [...requested.map((one) => ({ ...one, role: 'required' as const })), ...others],
    timeBox: Math.min(Math.max(limits.guardTimeBox, 2 * minDuration), limits.rolloutStageLongest),
    reason: settling.reason.slice(0, limits.descriptionLength),
  }
}
