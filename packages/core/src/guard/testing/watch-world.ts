// A simulated rollout judged like a real one: the same reading of each metric, the same requirements and the same
// verdicts.
import { findQuantiles } from '../../statistics/quantile-effect.ts'
import { WorldCount } from '../../statistics/testing/count-world.ts'
import type { Random } from '../../statistics/testing/seeded-random.ts'
import { type Design, drawWorld } from '../../statistics/testing/simulated-world.ts'
import { type Finding, judgeMetric, type MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'

const lcp = {
  metric: 'lcp',
  method: { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1 },
  better: 'lower',
  alphaWeight: 1,
} as const
const meanOfLcp = { ...lcp, metric: 'mean', method: { kind: 'mean', measure: 'LCP' } } as const
export const watchedMetrics = { p75: lcp, mean: meanOfLcp } as const

export interface WorldQuestion {
  metric: keyof typeof watchedMetrics
  limit: number
  alpha: number
}

export interface WatchedWorld {
  /** Units of the treatment when the metric first regressed or was healthy; undefined if it never did. */
  regressed?: number
  healthy?: number
  last: Finding | undefined
}

/** In the order of the questions. The next stage is everyone, so safe means within the limit itself. */
export function watchWorld(
  design: Design,
  random: Random,
  questions: readonly WorldQuestion[],
): WatchedWorld[] {
  const world = drawWorld(design, random)
  const count = new WorldCount(world, design)
  const watched = questions.map((): WatchedWorld => ({ last: undefined }))
  const isMeasured = (metric: WorldQuestion['metric']) =>
    questions.some((question) => question.metric === metric)
  for (const look of world.visits.keys()) {
    count.add(look)
    const evidence = {
      p75: isMeasured('p75') ? quantileEvidence(count) : undefined,
      mean: isMeasured('mean') ? ({ kind: 'ratio', sums: count.sums('sum') } as const) : undefined,
    }
    for (const [index, { metric, limit, alpha }] of questions.entries()) {
      const [read, into] = [evidence[metric], watched[index]]
      if (read === undefined || into === undefined) continue
      const judged: JudgedMetric = { ...watchedMetrics[metric], limit }
      const finding = judgeMetric(judged, read, { alpha, nextShare: 1 })
      into.last = finding
      if (finding.state === 'regressed') into.regressed ??= finding.units.treatment
      if (finding.state === 'healthy') into.healthy ??= finding.units.treatment
    }
  }
  return watched
}

function quantileEvidence(count: WorldCount): MetricEvidence | undefined {
  const quantiles = findQuantiles(count.histograms, lcp.method.p)
  return quantiles && { kind: 'quantile', quantiles, beyond: count.sumsBeyond(quantiles) }
}
