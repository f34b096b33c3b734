// The finding about one metric, from the sums that left the database: its numbers for people, and the verdict the guard acts
// on. A metric that cannot be judged says why.
import type { Estimate, NotEstimable } from '../statistics/effect.ts'
import { eventsIn, expectedInTreatment, type StageEvents } from '../statistics/event-share.ts'
import {
  betaDefault,
  judgeEffect,
  judgeShare,
  priors,
  type Standard,
  type Verdict,
  type VerdictState,
} from '../statistics/judge.ts'
import { estimateQuantile, type Quantiles, quantileOf } from '../statistics/quantile-effect.ts'
import { estimateRatio, meansOf } from '../statistics/ratio-effect.ts'
import { harmOf, limitAsWorse, rateBelow, safetyMargin } from '../statistics/safety-margin.ts'
import type { ArmName, ClusteredSums } from '../statistics/sums.ts'
import type { JudgedMetric } from './metric-method.ts'

/** What was read for a metric. */
export type MetricEvidence =
  | { kind: 'ratio'; sums: ClusteredSums; unitsWithEvent?: number | undefined }
  | { kind: 'quantile'; quantiles: Quantiles | undefined; beyond: ClusteredSums }
  | { kind: 'events'; stages: readonly StageEvents[]; units: Record<ArmName, number> }
  /** Its definition was deleted, or the engine refused the question. */
  | { kind: 'gone' }

export interface Finding {
  metric: string
  state: VerdictState | 'gone'
  /** Why there is no number. */
  missing?: NotEstimable | 'too-few-units' | 'too-few-events' | undefined
  /** Units in each arm that the metric was measured on. */
  units: Record<ArmName, number>
  /** What people read, in the metric's unit. */
  values?: Record<ArmName, number> | undefined
  /** On the harm axis, where more is worse: 0.05 is a harm of 5 %. */
  harm?: { lower: number; estimate: number; upper: number } | undefined
  /** The lines it is judged against, on the same axis. */
  limit: number
  margin: number
  /** The logarithms of the evidence for a regression and for safety. */
  evidence?: { regression: number; safety: number } | undefined
  /** Of events: how many units met it, how many of them in the treatment, and how many were expected there. */
  events?: { all: number; treatment: number; expected: number } | undefined
  /** Nobody met it: then its rate is below this. */
  rateBelow?: number | undefined
}

/** Fewer units in an arm are no normal distribution yet; fewer events show nothing. */
export const unitsForVerdict = 100
export const unitsWithEventForVerdict = 30
export const eventsForVerdict = 8

export interface Judging {
  alpha: number
  /** The share of all that the treatment gets in the next stage, from 0 to 1. */
  nextShare: number
  /** The chance that a change at the margin is ever called safe. */
  beta?: number
}

export function judgeMetric(metric: JudgedMetric, evidence: MetricEvidence, judging: Judging): Finding {
  const { better } = metric
  const limit = limitAsWorse(metric.limit, better)
  const margin = safetyMargin(limit, judging.nextShare)
  const standard: Standard = {
    better,
    limit,
    margin,
    alpha: judging.alpha,
    beta: judging.beta ?? betaDefault,
  }
  const lines = { metric: metric.metric, limit: metric.limit, margin: harmOf(margin, better) }

  switch (evidence.kind) {
    case 'gone':
      return { ...lines, state: 'gone', units: { treatment: 0, control: 0 } }
    case 'events':
      return { ...lines, ...judgeEvents(evidence, standard) }
    case 'ratio': {
      const units = unitsIn(evidence.sums)
      const hasEvents =
        evidence.unitsWithEvent === undefined || evidence.unitsWithEvent >= unitsWithEventForVerdict
      const found = judgeEstimate(estimateRatio(evidence.sums), standard, {
        prior: priors.ratio,
        units,
        hasEvents,
      })
      return { ...lines, ...found, units, values: meansOf(evidence.sums) }
    }
    case 'quantile':
      return { ...lines, ...judgeQuantile(metric, evidence, standard) }
  }
}

function judgeQuantile(
  { method }: JudgedMetric,
  { quantiles, beyond }: Extract<MetricEvidence, { kind: 'quantile' }>,
  standard: Standard,
): Omit<Finding, 'metric' | 'limit' | 'margin'> {
  const units = unitsIn(beyond)
  if (quantiles === undefined || method.kind !== 'quantile')
    return { state: 'collecting', missing: 'no-units', units }
  const { p, smallest } = method
  const valueIn = (arm: ArmName) => quantileOf(quantiles.distribution[arm], p, smallest)
  return {
    ...judgeEstimate(estimateQuantile(quantiles, beyond, p), standard, {
      prior: priors.quantile,
      units,
      hasEvents: true,
    }),
    units,
    values: { treatment: valueIn('treatment'), control: valueIn('control') },
  }
}

function judgeEvents(
  { stages, units }: Extract<MetricEvidence, { kind: 'events' }>,
  standard: Standard,
): Omit<Finding, 'metric' | 'limit' | 'margin'> {
  const all = eventsIn(stages)
  const treatment = stages.reduce((sum, stage) => sum + stage.treatment, 0)
  const control = stages.reduce((sum, stage) => sum + stage.control, 0)
  const verdict = judgeShare(stages, standard, all >= eventsForVerdict)
  const share = (hits: number, of: number) => (of > 0 ? hits / of : 0)
  return {
    ...numbersOf(verdict, standard.better),
    missing: all >= eventsForVerdict ? undefined : 'too-few-events',
    units,
    values: { treatment: share(treatment, units.treatment), control: share(control, units.control) },
    events: { all, treatment, expected: expectedInTreatment(stages) },
    rateBelow: all === 0 ? rateBelow(units.treatment + units.control) : undefined,
  }
}

function judgeEstimate(
  estimate: Estimate,
  standard: Standard,
  { prior, units, hasEvents }: { prior: number; units: Record<ArmName, number>; hasEvents: boolean },
): Omit<Finding, 'metric' | 'limit' | 'margin' | 'units'> {
  if ('missing' in estimate) return { state: 'collecting', missing: estimate.missing }
  const isLarge = Math.min(units.treatment, units.control) >= unitsForVerdict
  const verdict = judgeEffect(estimate.effect, standard, { prior, isReady: isLarge && hasEvents })
  const tooFew = isLarge ? 'too-few-events' : 'too-few-units'
  return {
    ...numbersOf(verdict, standard.better),
    missing: verdict.state === 'collecting' ? tooFew : undefined,
  }
}

function numbersOf({ state, worse, regression, safety }: Verdict, better: Standard['better']) {
  const [lower, estimate, upper] = [worse.lower, worse.estimate, worse.upper].map((by) => harmOf(by, better))
  return {
    state,
    harm: { lower: lower ?? 0, estimate: estimate ?? 0, upper: upper ?? 0 },
    evidence: { regression, safety },
  }
}

/** Those who moved count in both arms, as they do in the sums. */
function unitsIn({ stages }: ClusteredSums): Record<ArmName, number> {
  const count = (arm: ArmName) => stages.reduce((sum, stage) => sum + stage[arm].units, 0)
  return { treatment: count('treatment'), control: count('control') }
}
