// Forecast of the plan from the site's own traffic and the typed values, with the same functions as the
// proposal.

import {
  type ArmUnits,
  type Spread,
  smallestAlarmIn,
  smallestLimit,
  type Traffic,
  unitsAt,
  unitsIn,
} from '@telltale/core/guard/forecast-plan'
import { alphaAmong } from '@telltale/core/guard/propose-plan'
import type { RolloutProposal } from '../../../api/rollouts.ts'
import type { Plan } from './plan-form.ts'

type ProposedMetric = RolloutProposal['metrics'][number]

export interface MetricForecast {
  of: ProposedMetric
  /** The smallest limit that the plan can decide; undefined if none. */
  smallest: number | undefined
  /** The smallest harm that each stage detects. */
  smallestIn: readonly (number | undefined)[]
}

export interface Forecast {
  /** Users in each variation at the end of the stage; undefined while its inputs are invalid. */
  units: readonly (ArmUnits | undefined)[]
  metrics: ReadonlyMap<string, MetricForecast>
  /** Users exposed to the flag on a typical day. */
  perDay: number
}

/** Undefined without known traffic. */
export function forecastOf(proposal: RolloutProposal | undefined, plan: Plan): Forecast | undefined {
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
      metrics.map((of): [string, MetricForecast] => {
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

function spreadOf({ better, spread: { isQuantile, rareShare, variancePerUnit } }: ProposedMetric): Spread {
  return {
    better,
    isQuantile,
    rareShare: rareShare ?? undefined,
    variancePerUnit: variancePerUnit ?? undefined,
  }
}
