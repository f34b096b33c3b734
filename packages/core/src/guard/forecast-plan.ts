// What a number of users can detect: how many arrive in a time span, the smallest harm that a stage detects, and the
// smallest limit that a harmless change is found to meet, each in 80 % of cases. Used by both the proposal and the
// dialog that edits it.
import { limits } from '../limits.ts'
import { criticalMultiplier, isEnough } from '../statistics/boundary.ts'
import { logShareEvidence, shareUpper } from '../statistics/event-share.ts'
import { betaDefault, priors } from '../statistics/judge.ts'
import { fourInFive } from '../statistics/normal.ts'
import { harmOf, limitAsWorse, safetyMargin } from '../statistics/safety-margin.ts'
import { eventsForVerdict } from './judge-events.ts'
import { unitsForVerdict } from './judge-metric.ts'

export interface Traffic {
  /** Distinct units on a typical day, and in the whole period. */
  perDay: number
  inPeriod: number
  days: number
  /** The share of units that read the flag. */
  reading: number
}

/** How much a metric varies between units. */
export interface Spread {
  better: 'lower' | 'higher'
  isQuantile: boolean
  /** For events of few units: the share that has the event. */
  rareShare?: number | undefined
  /** Otherwise: the variance of the logarithm, per unit in an arm. */
  variancePerUnit?: number | undefined
}

export interface ArmUnits {
  treatment: number
  control: number
}

interface ForecastStage {
  weight: number
  /** Units in each arm at the end of the stage. */
  units: ArmUnits
}

const day = 86_400_000
/** Distinct units in a time span: users return, so two days bring fewer than twice the users of one. */
export function unitsIn(span: number, { perDay, inPeriod, days, reading }: Traffic): number {
  const growth = days > 1 && perDay > 0 ? Math.log(Math.max(1, inPeriod / perDay)) / Math.log(days) : 1
  const time = span / day
  return perDay * reading * (time < 1 ? time : time ** Math.min(1, growth))
}

/** The units that a stage of this weight assigns to each arm. */
export function unitsAt(weight: number, { all, pool }: { all: number; pool: number }): ArmUnits {
  const share = (of: number) => (all * Math.max(0, of)) / limits.weightTotal
  return { treatment: share(weight), control: share(pool - weight) }
}

/** The smallest harm that these units distinguish from none, in 80 % of cases. Undefined if there is none. */
export function smallestIn(metric: Spread, units: ArmUnits): number | undefined {
  if (units.control <= 0) return undefined
  const needed = neededMargin(metric, units)
  if (needed === undefined || !(needed > 0) || !Number.isFinite(needed)) return undefined
  return harmOf(needed, metric.better)
}

/** The standard of a regression: the limit of the metric, and its share of alpha. */
export interface Alarm {
  limit: number
  alpha: number
}

/** The smallest harm that the guard calls a regression by then, in 80 % of cases. Undefined if there is none. */
export function smallestAlarmIn(
  { better, isQuantile, rareShare, variancePerUnit }: Spread,
  units: ArmUnits,
  { limit, alpha }: Alarm,
): number | undefined {
  const { treatment, control } = units
  if (!(treatment > 0) || !(control > 0)) return undefined
  const accepted = limitAsWorse(limit, better)
  if (!Number.isFinite(accepted)) return undefined
  if (rareShare !== undefined) {
    const isCalled = (log: number) =>
      isCalledByEvents({ better, rareShare }, units, { worse: Math.exp(log), accepted, alpha })
    const worse = leastLog(isCalled, Math.log1p(accepted))
    return worse === undefined ? undefined : harmOf(Math.expm1(worse), better)
  }
  if (variancePerUnit === undefined || Math.min(treatment, control) < unitsForVerdict) return undefined
  const variance = variancePerUnit * (1 / treatment + 1 / control)
  if (!(variance > 0)) return undefined
  const prior = isQuantile ? priors.quantile : priors.ratio
  const reach = criticalMultiplier({ variance, prior, level: alpha }) + fourInFive
  return harmOf(Math.expm1(Math.log1p(accepted) + reach * Math.sqrt(variance)), better)
}

/** In an assignment at the 20 % quantile: 80 % show more of the harm. */
function isCalledByEvents(
  { better, rareShare }: { better: Spread['better']; rareShare: number },
  { treatment, control }: ArmUnits,
  { worse, accepted, alpha }: { worse: number; accepted: number; alpha: number },
): boolean {
  // If higher is better, the harm is fewer events in the treatment: the control has relatively more.
  const treated = rareShare * treatment * (better === 'lower' ? worse : 1 / worse)
  const events = treated + rareShare * control
  if (events < eventsForVerdict || treated > treatment) return false
  const unlucky = fourInFive * Math.sqrt((treated * rareShare * control) / events)
  const share = treatment / (treatment + control)
  const moved = Math.min(events, Math.max(0, better === 'lower' ? treated - unlucky : treated + unlucky))
  const counted = { treatment: moved, control: events - moved, share }
  return isEnough(
    logShareEvidence([better === 'lower' ? counted : swapped(counted)], 1 + accepted, 'more'),
    alpha,
  )
}

const mostHarm = Math.log(1_000)
const halvings = 30

function leastLog(holds: (log: number) => boolean, from: number): number | undefined {
  let above = from + 0.01
  while (!holds(above)) {
    above += 0.05
    if (above > mostHarm) return undefined
  }
  let below = from
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (below + above) / 2
    if (holds(middle)) above = middle
    else below = middle
  }
  return above
}

/**
 * The limit at which every stage can be healthy at its own margin. The last stage, with everyone in the treatment,
 * has no control.
 */
export function smallestLimit(metric: Spread, stages: readonly ForecastStage[]): number | undefined {
  const { better } = metric
  let smallest = 0
  for (const [index, { units }] of stages.entries()) {
    if (units.control <= 0) continue
    const needed = neededMargin(metric, units)
    if (needed === undefined) return undefined
    const next = stages[index + 1]
    const nextShare = next === undefined ? 1 : next.weight / limits.weightTotal
    smallest = Math.max(smallest, limitFor(needed, nextShare))
  }
  if (!(smallest > 0) || !Number.isFinite(smallest)) return undefined
  return harmOf(smallest, better)
}

/** The margin, as "worse by", that the upper bound of a harmless change stays below in 80 % of cases. */
function neededMargin(
  { better, isQuantile, rareShare, variancePerUnit }: Spread,
  { treatment, control }: ArmUnits,
): number | undefined {
  if (rareShare !== undefined) {
    const share = treatment / (treatment + control)
    const events = rareShare * (treatment + control)
    if (events < eventsForVerdict) return undefined
    const unlucky = fourInFive * Math.sqrt(events * share * (1 - share))
    const moved = better === 'lower' ? unlucky : -unlucky
    const treated = Math.min(events, Math.max(0, events * share + moved))
    const counted = { treatment: treated, control: events - treated, share }
    const seen = better === 'lower' ? counted : swapped(counted)
    return shareUpper([seen], betaDefault) - 1
  }
  if (variancePerUnit === undefined || Math.min(treatment, control) < unitsForVerdict) return undefined
  const variance = variancePerUnit * (1 / treatment + 1 / control)
  if (!(variance > 0)) return undefined
  const prior = isQuantile ? priors.quantile : priors.ratio
  const reach = criticalMultiplier({ variance, prior, level: betaDefault })
  return Math.expm1((reach + fourInFive) * Math.sqrt(variance))
}

const swapped = ({ treatment, control, share }: { treatment: number; control: number; share: number }) => ({
  treatment: control,
  control: treatment,
  share: 1 - share,
})

/** The smallest limit whose margin at this stage is that large. */
export function limitFor(needed: number, nextShare: number): number {
  const smallest = needed * nextShare
  return safetyMargin(smallest, nextShare) >= needed - 1e-9 ? smallest : needed
}
