// The finding for one metric, from the sums read from the database: the displayed numbers, and the verdict that the
// guard acts on. A metric that cannot be judged has a reason.

import { distinctUnits } from '../statistics/distinct-units.ts'
import type { Estimate, NotEstimable } from '../statistics/effect.ts'
import {
  betaDefault,
  judgeEffect,
  priors,
  type Standard,
  type Verdict,
  type VerdictState,
} from '../statistics/judge.ts'
import { estimateQuantile, type Quantiles, quantileOf } from '../statistics/quantile-effect.ts'
import { estimateRatio, meansOf } from '../statistics/ratio-effect.ts'
import { harmOf, limitAsWorse, safetyMargin } from '../statistics/safety-margin.ts'
import type { ArmName, ClusteredSums } from '../statistics/sums.ts'
import { compareDenominator } from './denominator-shift.ts'
import { type EventEvidence, eventsForVerdict, judgeEvents } from './judge-events.ts'
import { isOncePerUnit, type JudgedMetric } from './metric-method.ts'
import { boundsForAll, lineForHeard, type MissingPeople } from './missing-people.ts'
import { effectiveTotals, effectiveUnits, type MetricQuality, qualityOfSums } from './quality.ts'

/** The evidence read for a metric. */
export type MetricEvidence =
  | ({ kind: 'ratio'; sums: ClusteredSums; unitsWithEvent?: number | undefined } & WithHistory)
  | ({ kind: 'quantile'; quantiles: Quantiles | undefined; beyond: ClusteredSums } & WithHistory)
  | EventEvidence
  /** Its definition was deleted, or the engine refused the question. */
  | { kind: 'gone' }

interface WithHistory {
  /** The same sums with the history of units taken out. Verdicts and intervals are about these, values are not. */
  adjusted?: ClusteredSums | undefined
}

export interface Finding {
  metric: string
  state: VerdictState | 'gone'
  /** Why there is no number. */
  missing?: NotEstimable | 'too-few-units' | 'too-uneven' | 'too-few-events' | undefined
  /** Units in each arm that were measured. */
  units: Record<ArmName, number>
  /** The displayed values, in the metric's unit. */
  values?: Record<ArmName, number> | undefined
  /** On the harm axis, where higher is worse: 0.05 is a harm of 5 %. */
  harm?: { lower: number; estimate: number; upper: number } | undefined
  /** The limit and the margin, on the same axis. */
  limit: number
  margin: number
  /** Log evidence of a regression and of safety. */
  evidence?: { regression: number; safety: number } | undefined
  /** For events: units with the event, how many of them in the treatment, and how many were expected there. */
  events?: { all: number; treatment: number; expected: number } | undefined
  /** If no unit had the event: the upper bound of its rate. */
  rateBelow?: number | undefined
  quality?: MetricQuality | undefined
  /** With the history of users: the share of them that it saves. */
  saved?: number | undefined
  /** For a regression that began late: the start of the evidence, an instant in milliseconds. */
  since?: number | undefined
  /** Users of one arm are missing. The bounds of the harm hold for all users nevertheless. */
  missingPeople?: { arm: ArmName; share: number } | undefined
}

/** With fewer units in an arm, sums are not normally distributed; fewer events show nothing. */
export const unitsForVerdict = 100
/** If few units have most of the measured use, the effective number of units must reach this. */
export const effectiveUnitsForVerdict = 50
export const unitsWithEventForVerdict = 30

export interface Judging {
  alpha: number
  /** The share of all units that gets the treatment in the next stage, from 0 to 1. */
  nextShare: number
  /** The probability that a change at the margin is ever called safe. */
  beta?: number
  /** Users who were assigned to an arm and are not heard from. */
  missing?: MissingPeople | undefined
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
  const { missing } = judging
  const lines = {
    metric: metric.metric,
    limit: metric.limit,
    margin: harmOf(margin, better),
    ...(missing && { missingPeople: { arm: missing.arm, share: missing.share } }),
  }

  switch (evidence.kind) {
    case 'gone':
      return { ...lines, state: 'gone', units: { treatment: 0, control: 0 } }
    case 'events': {
      const { verdict, ...found } = judgeEvents(evidence, standard, missing)
      const isEnough = found.events.all >= eventsForVerdict
      return {
        ...lines,
        ...numbersOf(verdict, better),
        ...found,
        missing: isEnough ? undefined : 'too-few-events',
        units: evidence.units,
      }
    }
    case 'ratio':
      return { ...lines, ...judgeRatio(metric, evidence, { standard, missing }) }
    case 'quantile':
      return { ...lines, ...judgeQuantile(metric, evidence, { standard, missing }) }
  }
}

/** What a verdict depends on besides the sums. */
interface JudgeRatioOptions {
  standard: Standard
  missing: MissingPeople | undefined
}

function judgeRatio(
  { method }: JudgedMetric,
  { sums, unitsWithEvent, adjusted }: Extract<MetricEvidence, { kind: 'ratio' }>,
  requested: JudgeRatioOptions,
): Omit<Finding, 'metric' | 'limit' | 'margin'> {
  const units = unitsIn(sums)
  const hasEvents = unitsWithEvent === undefined || unitsWithEvent >= unitsWithEventForVerdict
  const judge = (estimate: Estimate) =>
    judgeEstimate(estimate, requested, {
      prior: priors.ratio,
      units,
      hasEvents,
      effective: method.kind === 'total' ? effectiveTotals(sums) : effectiveUnits(sums),
    })
  const compared = compareWithout(estimateRatio(sums), adjusted && estimateRatio(adjusted))
  const found = {
    ...judge(compared.estimate),
    saved: compared.saved,
    units,
    values: meansOf(sums),
    quality: {
      ...qualityOfSums(sums),
      ...(method.kind === 'total' && { effectiveUnits: effectiveTotals(sums) }),
    },
  }
  // The denominator of a share is the number of units itself.
  const denominator = isOncePerUnit(method)
    ? undefined
    : compareDenominator(compared.saved === undefined ? sums : (adjusted ?? sums))
  if (denominator === undefined) return found
  const { change, differs, mayDiffer, numerator } = denominator
  const isDecided = found.state === 'healthy' || found.state === 'regressed'
  // Events are found earlier than a shift of their denominator, so a count is always confirmed. A mean is only
  // confirmed if the denominator may differ: the number of values per unit varies far more than the values.
  const needsBoth = method.kind === 'count' || mayDiffer
  const isConfounded = needsBoth && isDecided && judge(numerator).state !== found.state
  return {
    ...found,
    state: isConfounded ? 'watching' : found.state,
    quality: { ...found.quality, denominator: { change, differs } },
  }
}

function judgeQuantile(
  { method }: JudgedMetric,
  { quantiles, beyond, adjusted }: Extract<MetricEvidence, { kind: 'quantile' }>,
  requested: JudgeRatioOptions,
): Omit<Finding, 'metric' | 'limit' | 'margin'> {
  const units = unitsIn(beyond)
  if (quantiles === undefined || method.kind !== 'quantile')
    return { state: 'collecting', missing: 'no-units', units }
  const { p, smallest } = method
  const valueIn = (arm: ArmName) => quantileOf(quantiles.distribution[arm], p, smallest)
  const compared = compareWithout(
    estimateQuantile(quantiles, beyond, { p }),
    adjusted && estimateQuantile(quantiles, beyond, { p, adjusted }),
  )
  return {
    ...judgeEstimate(compared.estimate, requested, {
      prior: priors.quantile,
      units,
      effective: effectiveUnits(beyond),
      hasEvents: true,
    }),
    saved: compared.saved,
    units,
    values: { treatment: valueIn('treatment'), control: valueIn('control') },
    quality: qualityOfSums(beyond),
  }
}

/** The estimate with history if there is one, and the share of users that it saves: their number goes with the variance. */
function compareWithout(
  plain: Estimate,
  adjusted: Estimate | undefined,
): { estimate: Estimate; saved: number | undefined } {
  if (adjusted === undefined || 'missing' in adjusted || 'missing' in plain)
    return { estimate: plain, saved: undefined }
  const saved = Math.max(0, 1 - adjusted.effect.variance / plain.effect.variance)
  return { estimate: adjusted, saved }
}

interface Gate {
  prior: number
  units: Record<ArmName, number>
  effective: Record<ArmName, number>
  hasEvents: boolean
}

function judgeEstimate(
  estimate: Estimate,
  { standard, missing }: JudgeRatioOptions,
  { prior, units, effective, hasEvents }: Gate,
): Omit<Finding, 'metric' | 'limit' | 'margin' | 'units'> {
  if ('missing' in estimate) return { state: 'collecting', missing: estimate.missing }
  const isLarge = Math.min(units.treatment, units.control) >= unitsForVerdict
  const isEven = Math.min(effective.treatment, effective.control) >= effectiveUnitsForVerdict
  const isReady = isLarge && isEven && hasEvents
  const tooFew = isEven ? 'too-few-events' : 'too-uneven'
  const lines = missing === undefined ? standard : lineForHeard(standard, missing)
  const verdict = judgeEffect(estimate.effect, lines, { prior, isReady })
  const { better } = standard
  const bounds = missing === undefined ? verdict.worse : boundsForAll(verdict.worse, missing, better)
  return {
    ...numbersOf({ ...verdict, worse: { ...verdict.worse, ...bounds } }, better),
    missing: isReady ? undefined : isLarge ? tooFew : 'too-few-units',
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

/** A unit that returns in several stages counts once; a unit that changed arms counts in both, as in the sums. */
function unitsIn(sums: ClusteredSums): Record<ArmName, number> {
  return { treatment: distinctUnits(sums, 'treatment'), control: distinctUnits(sums, 'control') }
}
