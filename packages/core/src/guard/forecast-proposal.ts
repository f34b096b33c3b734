// Forecast of a plan from the site's own traffic, with the same functions as the proposal, which brings the traffic.

import {
  type ArmUnits,
  type Spread,
  smallestAlarmIn,
  smallestLimit,
  type Traffic,
  unitsAt,
  unitsIn,
} from './forecast-plan.ts'
import { alphaAmong } from './propose-plan.ts'

/** The part of a proposed metric that a forecast reads. */
interface Proposed {
  metric: string
  limit: number
  better: 'lower' | 'higher'
  spread: { isQuantile: boolean; rareShare: number | null; variancePerUnit: number | null }
}

interface Proposal<Metric> {
  pool: number
  traffic: { units: number; perDay: number; days: number; reading: number }
  metrics: readonly Metric[]
}

/** Numbers are `NaN` while they are edited. */
interface Plan {
  stages: readonly { weight: number }[]
  metrics: readonly { metric: string; limit: number }[]
  timeBox: number
}

export interface MetricForecast<Metric> {
  of: Metric
  /** The smallest limit that the plan can decide; undefined if none. */
  smallest: number | undefined
  /** The smallest harm that each stage detects. */
  smallestIn: readonly (number | undefined)[]
}

export interface PlanForecast<Metric> {
  /** Users in each variation at the end of the stage; undefined while its inputs are invalid. */
  units: readonly (ArmUnits | undefined)[]
  metrics: ReadonlyMap<string, MetricForecast<Metric>>
  /** Users exposed to the flag on a typical day. */
  perDay: number
}

/** Undefined without known traffic. */
export function forecastOf<Metric extends Proposed>(
  proposal: Proposal<Metric> | undefined,
  plan: Plan,
): PlanForecast<Metric> | undefined {
  if (proposal === undefined || proposal.traffic.units === 0) return undefined
  const { pool, metrics } = proposal
  const traffic: Traffic = { ...proposal.traffic, inPeriod: proposal.traffic.units }
  const all = unitsIn(plan.timeBox, traffic)
  const units = plan.stages.map(({ weight }) =>
    Number.isNaN(weight) || Number.isNaN(all) ? undefined : unitsAt(weight, { all, pool }),
  )
  const stages = plan.stages.flatMap(({ weight }, index) => {
    const own = units[index]
    return own === undefined ? [] : [{ weight, units: own }]
  })
  const planned = new Set(plan.metrics.map(({ metric }) => metric))
  const isWhole = stages.length === plan.stages.length
  return {
    units,
    perDay: traffic.perDay * traffic.reading,
    metrics: new Map(
      metrics.map((of): [string, MetricForecast<Metric>] => {
        const spread = spreadOf(of)
        const limit = plan.metrics.find(({ metric }) => metric === of.metric)?.limit ?? of.limit
        const alarm = { limit, alpha: alphaAmong(of.metric, planned) }
        const seen = units.map((own) => own && smallestAlarmIn(spread, own, alarm))
        return [
          of.metric,
          { of, smallest: isWhole ? smallestLimit(spread, stages) : undefined, smallestIn: seen },
        ]
      }),
    ),
  }
}

function spreadOf({ better, spread: { isQuantile, rareShare, variancePerUnit } }: Proposed): Spread {
  return {
    better,
    isQuantile,
    rareShare: rareShare ?? undefined,
    variancePerUnit: variancePerUnit ?? undefined,
  }
}
