// The findings of one look: every metric with its share of alpha, against the margin of the next stage.
import { limits } from '../limits.ts'
import { divideAlpha } from '../statistics/several-metrics.ts'
import { type Finding, type Judging, judgeMetric, type MetricEvidence } from './judge-metric.ts'
import type { JudgedMetric } from './metric-method.ts'
import type { RolloutPlan } from './rollout.ts'

/** `evidence` is in the order of the metrics. Missing evidence makes the metric `gone`. */
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

/** The share that gets the treatment in the next stage. After the last stage: everyone. */
export function nextShareOf({ stages }: Pick<RolloutPlan, 'stages'>, stage: number): number {
  const next = stages[stage + 1]
  return next === undefined ? 1 : next.weight / limits.weightTotal
}
