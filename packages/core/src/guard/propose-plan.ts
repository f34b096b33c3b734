// What a site's own traffic can decide: stages that are large enough to say something, the time each may take, and for each
// metric the smallest limit that a harmless change would be found to keep, four times in five.
import { limits } from '../limits.ts'
import { criticalMultiplier } from '../statistics/boundary.ts'
import { shareInterval } from '../statistics/event-share.ts'
import { betaDefault, priors } from '../statistics/judge.ts'
import { harmOf, safetyMargin } from '../statistics/safety-margin.ts'
import type { MetricDefinition } from './built-in-metrics.ts'
import { eventsForVerdict, unitsForVerdict } from './judge-metric.ts'
import type { Stage } from './rollout.ts'

export interface Traffic {
  /** Distinct units on a usual day, and in the whole period. */
  perDay: number
  inPeriod: number
  days: number
  /** The share of them that reads the flag. */
  reading: number
}

export interface MetricTraffic {
  definition: MetricDefinition
  /** What is measured now, in the metric's unit; nothing where nothing was. */
  base: number | undefined
  /** Of events that few units meet: the share that does. */
  rareShare?: number | undefined
  /** Otherwise: the variance of the logarithm, for one unit in an arm. */
  variancePerUnit?: number | undefined
}

export interface ProposedStage extends Stage {
  /** Units in each arm when its time is over. */
  units: { treatment: number; control: number }
}

export interface ProposedMetric {
  metric: string
  role: 'required' | 'watched'
  limit: number
  /** The smallest limit that can be decided in the time; nothing where none can. */
  smallest: number | undefined
  base: number | undefined
}

export interface ProposedPlan {
  stages: ProposedStage[]
  timeBox: number
  metrics: ProposedMetric[]
}

const hour = 3_600_000
const day = 24 * hour
const shares = [0.01, 0.05, 0.25, 0.5, 1]
const timeBoxes = [limits.guardTimeBox, 4 * day, 7 * day]
/** Of a normal distribution: four in five are below it. */
const fourInFive = 0.8416
/** A limit of more than so many times the usual one says nothing. */
const patience = 4

export function proposePlan(
  traffic: Traffic,
  metrics: readonly MetricTraffic[],
  { pool, wanted }: { pool: number; wanted: ReadonlySet<string> },
): ProposedPlan {
  const plans = timeBoxes.map((timeBox) => planIn(timeBox, traffic, { metrics, pool, wanted }))
  const decides = ({ metrics: proposed }: ProposedPlan) =>
    proposed.some(({ role, smallest, metric }) => role === 'required' && isUsual(metric, smallest, metrics))
  // The shortest time that decides one metric as one would wish; else the usual time, with what it can decide.
  return (
    plans.find(decides) ??
    plans.find(hasRequired) ??
    planIn(limits.guardTimeBox, traffic, { metrics, pool, wanted })
  )
}

const hasRequired = ({ metrics }: ProposedPlan) => metrics.some(({ role }) => role === 'required')

function isUsual(metric: string, smallest: number | undefined, metrics: readonly MetricTraffic[]): boolean {
  const usual = metrics.find(({ definition }) => definition.key === metric)?.definition.limit
  return smallest !== undefined && usual !== undefined && smallest <= usual
}

/** Distinct units after so long: people come back, so that two days bring fewer than twice as many as one. */
export function unitsIn(span: number, { perDay, inPeriod, days, reading }: Traffic): number {
  const growth = days > 1 && perDay > 0 ? Math.log(Math.max(1, inPeriod / perDay)) / Math.log(days) : 1
  const time = span / day
  return perDay * reading * (time < 1 ? time : time ** Math.min(1, growth))
}

interface Grounds {
  metrics: readonly MetricTraffic[]
  pool: number
  wanted: ReadonlySet<string>
}

function planIn(timeBox: number, traffic: Traffic, { metrics, pool, wanted }: Grounds): ProposedPlan {
  const stages = stagesIn(timeBox, traffic, pool)
  return {
    stages,
    timeBox,
    metrics: metrics.map((metric): ProposedMetric => {
      const { definition, base } = metric
      const smallest = smallestLimit(metric, stages)
      const proposed = smallest === undefined ? undefined : Math.max(definition.limit, roundedUp(smallest))
      const isDecided = proposed !== undefined && proposed <= definition.limit * patience
      const isRequired = wanted.has(definition.key) && isDecided
      return {
        metric: definition.key,
        role: isRequired ? 'required' : 'watched',
        limit: isRequired ? proposed : definition.limit,
        smallest,
        base,
      }
    }),
  }
}

/** Stages too small to show anything are left out; the last one but one sees a whole day. */
function stagesIn(timeBox: number, traffic: Traffic, pool: number): ProposedStage[] {
  const total = limits.weightTotal
  const all = unitsIn(timeBox, traffic)
  const wanted = shares
    .map((share) => Math.round(pool * share))
    .filter((weight, index, list) => weight > (list[index - 1] ?? 0))
  const large = wanted.filter((weight) => weight === pool || (all * weight) / total >= unitsForVerdict)
  // With fewer people than that, one half still shows more than nothing.
  const weights = large.length > 1 ? large : wanted.slice(-2)
  return weights.map((weight, index) => ({
    weight,
    minDuration: index === weights.length - 2 ? limits.guardDwellBeforeAll : limits.guardDwell,
    minUnits: unitsForVerdict,
    needsApproval: false,
    units: { treatment: (all * weight) / total, control: (all * (pool - weight)) / total },
  }))
}

/** Every stage has to be able to say "healthy" at its own margin. The last one, to everybody, has nobody to compare with. */
function smallestLimit(metric: MetricTraffic, stages: readonly ProposedStage[]): number | undefined {
  const { better } = metric.definition
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

/** The margin that the upper end of a harmless change stays below, four times in five; as "worse by". */
function neededMargin(
  { definition, rareShare, variancePerUnit }: MetricTraffic,
  { treatment, control }: ProposedStage['units'],
): number | undefined {
  if (rareShare !== undefined) {
    const share = treatment / (treatment + control)
    const events = rareShare * (treatment + control)
    if (events < eventsForVerdict) return undefined
    const unlucky = fourInFive * Math.sqrt(events * share * (1 - share))
    const moved = definition.better === 'lower' ? unlucky : -unlucky
    const treated = Math.min(events, Math.max(0, events * share + moved))
    const counted = { treatment: treated, control: events - treated, share }
    const seen = definition.better === 'lower' ? counted : swapped(counted)
    return shareInterval([seen], { lower: betaDefault, upper: betaDefault }).upper - 1
  }
  if (variancePerUnit === undefined || Math.min(treatment, control) < unitsForVerdict) return undefined
  const variance = variancePerUnit * (1 / treatment + 1 / control)
  if (!(variance > 0)) return undefined
  const prior = definition.method.kind === 'quantile' ? priors.quantile : priors.ratio
  const reach = criticalMultiplier({ variance, prior, level: betaDefault })
  return Math.expm1((reach + fourInFive) * Math.sqrt(variance))
}

const swapped = ({ treatment, control, share }: { treatment: number; control: number; share: number }) => ({
  treatment: control,
  control: treatment,
  share: 1 - share,
})

/** The smallest limit whose margin at this stage is as large as that. */
function limitFor(needed: number, nextShare: number): number {
  const smallest = needed * nextShare
  return safetyMargin(smallest, nextShare) >= needed - 1e-9 ? smallest : needed
}

/** As people write limits: whole per cent, and whole fives above ten. */
function roundedUp(limit: number): number {
  const step = limit > 0.1 ? 0.05 : 0.01
  return Math.round(Math.ceil(limit / step - 1e-9) * step * 100) / 100
}
