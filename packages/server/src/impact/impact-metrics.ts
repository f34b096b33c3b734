import type { ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpact } from '@telltale/core/contract/impact'
import { problem } from '@telltale/core/errors'
import { freezeMetric } from '@telltale/core/guard/built-in-metrics'
import type { Finding } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { divideAlpha } from '@telltale/core/statistics/several-metrics'
import { getMetric, type NamedMetric } from '../metrics/named-metrics.ts'
import { judgedOf, type RolloutRow, standingOf } from '../rollouts/queries.ts'
import type { Services } from '../services.ts'

/** The level of each drawn end where no rollout divides it. */
export const alpha = 0.05

export interface JudgedHere {
  named: NamedMetric
  metric: JudgedMetric
  /** The level of its lower end. */
  alpha: number
  isGuarded: boolean
  /** Its guard called it a regression, and does not take that back. */
  hasRegressed: boolean
}

/** As the guard of a rollout judges it; what has no guard, against the limit that it begins with. */
export function judgedBy(rollout: RolloutRow | undefined, metrics: readonly NamedMetric[]): JudgedHere[] {
  const frozen = rollout === undefined ? [] : judgedOf(rollout)
  const parts = divideAlpha(
    rollout?.draft.alpha ?? alpha,
    frozen.map(({ alphaWeight }) => alphaWeight),
  )
  const regressed = rollout === undefined ? [] : standingOf(rollout).regressed
  return metrics.map((named) => {
    const { definition } = named
    const place = frozen.findIndex(({ metric }) => metric === definition.key)
    const usual = freezeMetric(definition, { limit: definition.limit, baseRate: undefined })
    return {
      named,
      metric: frozen[place] ?? usual,
      alpha: parts[place] ?? alpha,
      isGuarded: place >= 0,
      hasRegressed: regressed.includes(definition.key),
    }
  })
}

/** Throws `not-found`. */
export async function getJudged(
  { db }: Pick<Services, 'db'>,
  asked: { projectId: string; metric: string },
  rollout: RolloutRow | undefined,
): Promise<JudgedHere> {
  const [found] = judgedBy(rollout, [await getMetric({ db }, asked.projectId, asked.metric)])
  if (found === undefined) throw problem('not-found')
  return found
}

type Numbers = Pick<
  NonNullable<ReplyOf<typeof getFlagImpact>['compared']>['comparisons'][number]['metrics'][number],
  'units' | 'values' | 'harm'
>

/** An end that is infinite has none. */
export function numbersOf({ units, values, harm }: Pick<Finding, 'units' | 'values' | 'harm'>): Numbers {
  return {
    units,
    values: values ?? null,
    harm: harm
      ? { lower: finite(harm.lower), estimate: finite(harm.estimate), upper: finite(harm.upper) }
      : null,
  }
}

const finite = (value: number) => (Number.isFinite(value) ? value : null)
