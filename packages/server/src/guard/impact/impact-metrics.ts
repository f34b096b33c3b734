import type { ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpact } from '@telltale/core/contract/impact'
import { problem } from '@telltale/core/errors'
import { freezeMetric } from '@telltale/core/guard/built-in-metrics'
import type { Finding } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { usualAlpha } from '@telltale/core/guard/usual-plan'
import { betaDefault } from '@telltale/core/statistics/judge'
import { divideAlpha } from '@telltale/core/statistics/several-metrics'
import type { Services } from '../../platform/services.ts'
import { metricsOf, type NamedMetric } from '../metrics/named-metrics.ts'
import { judgedOf, standingOf } from '../rollouts/queries.ts'
import { toInterval } from '../rollouts/to-finding.ts'
import type { ChosenArms } from './find-arms.ts'

/**
 * The probability that any interval of an unguarded metric ever misses the true value; each end gets its part
 * of it.
 */
const panelLevel = 0.05

export interface JudgedHere {
  named: NamedMetric
  metric: JudgedMetric
  /** The probability that its lower end ever misses, and that its upper end does. */
  alpha: number
  beta: number
  isGuarded: boolean
  /** The guard found a regression, which it never retracts. */
  hasRegressed: boolean
}

/**
 * Guarded metrics are judged as in the rollout. Other metrics are judged against their default limit and form
 * one family: every metric in every arm gets its part of the level, so that all these intervals hold together
 * with 95 %.
 */
export function judgedBy(
  { rollout, comparable }: Pick<ChosenArms, 'rollout' | 'comparable'>,
  metrics: readonly NamedMetric[],
): JudgedHere[] {
  const frozen = rollout === undefined ? [] : judgedOf(rollout)
  const guarded = divideAlpha(
    rollout?.draft.alpha ?? usualAlpha,
    frozen.map(({ alphaWeight }) => alphaWeight),
  )
  const indexOf = (key: string) => frozen.findIndex(({ metric }) => metric === key)
  const others = metrics.filter(({ definition }) => indexOf(definition.key) < 0)
  // Both ends of an interval may miss.
  const parts = divideAlpha(
    panelLevel / 2 / Math.max(1, comparable.length),
    others.map(({ definition }) => definition.alphaWeight),
  )
  const regressed = rollout === undefined ? [] : standingOf(rollout).regressed
  return metrics.map((named): JudgedHere => {
    const { definition } = named
    const place = indexOf(definition.key)
    const usual = freezeMetric(definition, { limit: definition.limit, base: undefined })
    const level = parts[others.indexOf(named)] ?? panelLevel
    return {
      named,
      metric: frozen[place] ?? usual,
      alpha: guarded[place] ?? level,
      beta: place < 0 ? level : betaDefault,
      isGuarded: place >= 0,
      hasRegressed: regressed.includes(definition.key),
    }
  })
}

/** With its part of the error rate among all metrics. Throws `not-found`. */
export async function getJudged(
  { db }: Pick<Services, 'db'>,
  requested: { projectId: string; metric: string },
  chosen: Pick<ChosenArms, 'rollout' | 'comparable'>,
): Promise<JudgedHere> {
  const all = judgedBy(chosen, await metricsOf({ db }, requested.projectId))
  const found = all.find(({ named }) => named.definition.key === requested.metric)
  if (found === undefined) throw problem('not-found')
  return found
}

type Numbers = Pick<
  NonNullable<ReplyOf<typeof getFlagImpact>['compared']>['comparisons'][number]['metrics'][number],
  'units' | 'values' | 'harm'
>

/** An infinite end becomes null. */
export function numbersOf({ units, values, harm }: Pick<Finding, 'units' | 'values' | 'harm'>): Numbers {
  return {
    units,
    values: values ?? null,
    harm: harm ? toInterval(harm) : null,
  }
}
