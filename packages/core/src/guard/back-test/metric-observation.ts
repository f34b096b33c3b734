// What a guard can detect by the end of a stage, from one random assignment without a change: the harm that, if added,
// would be called a regression, and the harm that cannot be ruled out. Also for other numbers of users, because
// evidence grows in proportion to them and noise with their square root.

import { criticalMultiplier, isEnough, logEvidence } from '../../statistics/boundary.ts'
import { distinctUnits } from '../../statistics/distinct-units.ts'
import type { Estimate } from '../../statistics/effect.ts'
import { logShareEvidence, type StageEvents } from '../../statistics/event-share.ts'
import { betaDefault, priors } from '../../statistics/judge.ts'
import { partOfStart } from '../../statistics/late-harm.ts'
import { estimateQuantile } from '../../statistics/quantile-effect.ts'
import { estimateRatio } from '../../statistics/ratio-effect.ts'
import type { ClusteredSums } from '../../statistics/sums.ts'
import { eventsForVerdict } from '../judge-events.ts'
import {
  effectiveUnitsForVerdict,
  type MetricEvidence,
  unitsForVerdict,
  unitsWithEventForVerdict,
} from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'
import { effectiveUnits } from '../quality.ts'

/** One metric in one assignment; undefined if it could not be estimated. */
export type MetricObservation =
  | {
      kind: 'effect'
      /** On a logarithmic scale: higher is worse. */
      noise: number
      variance: number
      prior: number
      /** In the smaller arm; for events, units with the event. */
      units: number
      unitsWithEvent: number | undefined
    }
  | { kind: 'events'; stages: readonly StageEvents[]; better: JudgedMetric['better'] }

export function readObservation(
  { method, better }: JudgedMetric,
  evidence: MetricEvidence,
): MetricObservation | undefined {
  if (evidence.kind === 'gone') return undefined
  if (evidence.kind === 'events') {
    const stages = evidence.stages.map((stage) => ({ ...stage }))
    return { kind: 'events', stages, better }
  }
  const sums = evidence.kind === 'quantile' ? evidence.beyond : evidence.sums
  const found = estimateOf(method, evidence)
  if ('missing' in found) return undefined
  const { delta, variance } = found.effect
  return {
    kind: 'effect',
    noise: better === 'lower' ? delta : -delta,
    variance,
    prior: evidence.kind === 'quantile' ? priors.quantile : priors.ratio,
    units: fewestUnits(sums),
    unitsWithEvent: evidence.kind === 'quantile' ? undefined : evidence.unitsWithEvent,
  }
}

function estimateOf(
  method: JudgedMetric['method'],
  evidence: Extract<MetricEvidence, { kind: 'ratio' | 'quantile' }>,
): Estimate {
  if (evidence.kind === 'ratio') return estimateRatio(evidence.sums)
  const { quantiles, beyond } = evidence
  if (quantiles === undefined || method.kind !== 'quantile') return { missing: 'no-units' }
  return estimateQuantile(quantiles, beyond, { p: method.p })
}

function fewestUnits(sums: ClusteredSums): number {
  const effective = effectiveUnits(sums)
  const even = Math.min(effective.treatment, effective.control)
  const fewest = Math.min(distinctUnits(sums, 'treatment'), distinctUnits(sums, 'control'))
  // Both requirements in one number.
  return Math.min(fewest, (even * unitsForVerdict) / effectiveUnitsForVerdict)
}

/** With `scale` times as many users. */
function grown(observation: MetricObservation, scale: number): MetricObservation {
  if (observation.kind === 'effect') {
    const { noise, variance, units, unitsWithEvent, ...more } = observation
    return {
      ...more,
      noise: noise / Math.sqrt(scale),
      variance: variance / scale,
      units: units * scale,
      unitsWithEvent: unitsWithEvent === undefined ? undefined : unitsWithEvent * scale,
    }
  }
  return {
    ...observation,
    stages: observation.stages.map(({ treatment, control, share }) => {
      const all = treatment + control
      const drawn = all * share * scale + (treatment - all * share) * Math.sqrt(scale)
      const treated = Math.min(all * scale, Math.max(0, drawn))
      return { treatment: treated, control: all * scale - treated, share }
    }),
  }
}

/** Whether the guard would call it a regression. Skips the numbers of the verdict, which are the expensive part. */
export function isRegressed(
  observation: MetricObservation | undefined,
  { limit, alpha }: { limit: number; alpha: number },
): boolean {
  if (observation === undefined) return false
  if (observation.kind === 'effect') {
    const { noise, variance, prior } = observation
    return (
      isReady(observation) &&
      isEnough(logEvidence({ excess: noise - Math.log1p(limit), variance, prior }), alpha)
    )
  }
  const stages = harmed(observation, 1)
  return areEnough(stages) && isEnough(logShareEvidence(stages, 1 + limit, 'more'), alpha * partOfStart)
}

/** The largest harm that is searched for. */
const mostHarm = 100
const halvings = 20

/** The smallest harm that would be called a regression; infinity if none would. Limit and harm are "worse by". */
export function seenHarm(
  observation: MetricObservation | undefined,
  { limit, alpha, scale }: { limit: number; alpha: number; scale: number },
): number {
  if (observation === undefined) return Number.POSITIVE_INFINITY
  const seen = grown(observation, scale)
  if (seen.kind === 'effect') {
    if (!isReady(seen)) return Number.POSITIVE_INFINITY
    const { noise, variance, prior } = seen
    const reach = criticalMultiplier({ variance, prior, level: alpha }) * Math.sqrt(variance)
    return Math.max(0, Math.expm1(Math.log1p(limit) + reach - noise))
  }
  const isSeen = (log: number) => {
    const stages = harmed(seen, Math.exp(log))
    return areEnough(stages) && isEnough(logShareEvidence(stages, 1 + limit, 'more'), alpha * partOfStart)
  }
  return leastThat(isSeen, 0)
}

/** The smallest value, as "worse by", at which a monotonic condition holds. */
function leastThat(holds: (log: number) => boolean, from: number): number {
  let [below, above] = [from, Math.log1p(mostHarm)]
  if (!holds(above)) return Number.POSITIVE_INFINITY
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (below + above) / 2
    if (holds(middle)) above = middle
    else below = middle
  }
  return Math.expm1(above)
}

/** The largest harm, as "worse by", that cannot be ruled out; infinity if nothing can. */
export function uncertainHarm(observation: MetricObservation | undefined, scale: number): number {
  if (observation === undefined) return Number.POSITIVE_INFINITY
  const seen = grown(observation, scale)
  if (seen.kind === 'effect') {
    if (!isReady(seen)) return Number.POSITIVE_INFINITY
    const { noise, variance, prior } = seen
    const reach = criticalMultiplier({ variance, prior, level: betaDefault }) * Math.sqrt(variance)
    return Math.expm1(noise + reach)
  }
  const stages = harmed(seen, 1)
  if (!areEnough(stages)) return Number.POSITIVE_INFINITY
  const isRuledOut = (log: number) => isEnough(logShareEvidence(stages, Math.exp(log), 'less'), betaDefault)
  return leastThat(isRuledOut, -Math.log1p(mostHarm))
}

/** Whether this assignment, without a change, would be found safe at the margin ("worse by"). */
export function isCleared(
  observation: MetricObservation | undefined,
  { margin, scale }: { margin: number; scale: number },
) {
  if (observation === undefined) return false
  const seen = grown(observation, scale)
  if (seen.kind === 'effect') {
    const { noise, variance, prior } = seen
    return (
      isReady(seen) &&
      isEnough(logEvidence({ excess: Math.log1p(margin) - noise, variance, prior }), betaDefault)
    )
  }
  const stages = harmed(seen, 1)
  return areEnough(stages) && isEnough(logShareEvidence(stages, 1 + margin, 'less'), betaDefault)
}

function isReady({ units, unitsWithEvent }: Extract<MetricObservation, { kind: 'effect' }>): boolean {
  return (
    units >= unitsForVerdict && (unitsWithEvent === undefined || unitsWithEvent >= unitsWithEventForVerdict)
  )
}

function areEnough(stages: readonly StageEvents[]): boolean {
  return stages.reduce((sum, { treatment, control }) => sum + treatment + control, 0) >= eventsForVerdict
}

/** The events with the treatment made `times` as bad. If higher is better, the control gets the additional events. */
function harmed(
  { stages, better }: Extract<MetricObservation, { kind: 'events' }>,
  times: number,
): StageEvents[] {
  return stages.map(({ treatment, control, share }) =>
    better === 'lower'
      ? { treatment: treatment * times, control, share }
      : { treatment: control, control: treatment / times, share: 1 - share },
  )
}
