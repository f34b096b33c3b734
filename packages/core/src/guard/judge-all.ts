// The findings of one look: every metric with its part of the chance of a false alarm, against the margin of the next stage.
import { limits } from '../limits.ts'
import { divideAlpha } from '../statistics/several-metrics.ts'
import { type Finding, type Judging, judgeMetric, type MetricEvidence } from './judge-metric.ts'
import type { JudgedMetric } from './metric-method.ts'
import type { RolloutPlan } from './rollout.ts'

/** `evidence` in the order of the metrics; what is missing is gone. */
export function judgeAll(
  metrics: readonly JudgedMetric[],
  evidence: readonly MetricEvidence[],
  { alpha, nextShare, missing }: Pick<Judging, 'alpha' | 'nextShare' | 'missing'>,
): Finding[] {
  const parts = divideAlpha(
    alpha,
    metrics.map(({ alphaWeight }) => alphaWeight),
  )
  return metrics.map((metric, index) =>
    judgeMetric(metric, evidence[index] ?? { kind: 'gone' }, {
      alpha: parts[index] ?? alpha,
      nextShare,
      missing,
    }),
  )
}

/** Who gets the treatment next; to end the last stage demands what everybody would. */
export function nextShareOf({ stages }: Pick<RolloutPlan, 'stages'>, stage: number): number {
  const next = stages[stage + 1]
  return next === undefined ? 1 : next.weight / limits.weightTotal
}
