// What the plan can tell, counted from the site's own traffic with what is typed, by the functions of the proposal itself.

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
  /** The smallest limit that the plan decides; nothing where none. */
  smallest: number | undefined
  /** The smallest harm that each stage sees. */
  smallestIn: readonly (number | undefined)[]
}

export interface Forecast {
  /** Users in each arm when the time of the stage is over; nothing while its numbers are none. */
  units: readonly (ArmUnits | undefined)[]
  metrics: ReadonlyMap<string, MetricForecast>
  /** People who come to the flag on a usual day. */
  perDay: number
}

/** Nothing where nothing is known of the traffic. */
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
    ...{ better, isQuantile },
    rareShare: rareShare ?? undefined,
    variancePerUnit: variancePerUnit ?? undefined,
  }
}
