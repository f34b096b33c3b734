// The plan that a site's traffic supports: stages large enough to detect something, their durations, and for each
// metric the smallest limit that a harmless change is found to meet in 80 % of cases.
import { limits } from '../limits.ts'
import { divideAlpha } from '../statistics/several-metrics.ts'
import { builtInMetrics, type MetricDefinition } from './built-in-metrics.ts'
import {
  type Spread,
  smallestAlarmIn,
  smallestLimit,
  type Traffic,
  unitsAt,
  unitsIn,
} from './forecast-plan.ts'
import { unitsForVerdict } from './judge-metric.ts'
import type { Stage } from './rollout.ts'
import { usualAlpha } from './usual-plan.ts'

export interface MetricTraffic {
  definition: MetricDefinition
  /** The current value, in the metric's unit; undefined if not measured. */
  base: number | undefined
  /** For events of few units: the share that has the event. */
  rareShare?: number | undefined
  /** Otherwise: the variance of the logarithm, per unit in an arm. */
  variancePerUnit?: number | undefined
  /** Of a total: the value at which it is capped; 0 if no unit has one. */
  cap?: number | undefined
}

interface ProposedStage extends Stage {
  /** Units in each arm at the end of the stage. */
  units: { treatment: number; control: number }
}

export interface ProposedMetric {
  metric: string
  role: 'required' | 'watched'
  limit: number
  /** The smallest limit that can be decided in time; undefined if there is none. */
  smallest: number | undefined
  /** The smallest harm that the guard calls a regression by the end of each stage, in 80 % of cases. */
  smallestIn: (number | undefined)[]
  base: number | undefined
}

interface ProposedPlan {
  stages: ProposedStage[]
  timeBox: number
  metrics: ProposedMetric[]
}

const hour = 3_600_000
const day = 24 * hour
const shares = [0.01, 0.05, 0.25, 0.5, 1]
const timeBoxes = [limits.guardTimeBox, 4 * day, 7 * day]
/** A limit more than this many times the default is not useful. */
const patience = 4

export function proposePlan(
  traffic: Traffic,
  metrics: readonly MetricTraffic[],
  { pool, wanted }: { pool: number; wanted: ReadonlySet<string> },
): ProposedPlan {
  const plans = timeBoxes.map((timeBox) => planIn(timeBox, traffic, { metrics, pool, wanted }))
  const decides = ({ metrics: proposed }: ProposedPlan) =>
    proposed.some(({ role, smallest, metric }) => role === 'required' && isUsual(metric, smallest, metrics))
  // The shortest duration at which one metric reaches its default limit; otherwise the default duration, with the
  // limits that it can decide.
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

interface Grounds {
  metrics: readonly MetricTraffic[]
  pool: number
  wanted: ReadonlySet<string>
}

function planIn(timeBox: number, traffic: Traffic, { metrics, pool, wanted }: Grounds): ProposedPlan {
  const stages = stagesIn(timeBox, traffic, pool)
  const proposed = metrics.map((metric) => proposeMetric(metric, stages, wanted))
  const isDecidable = proposed.some(({ role }) => role === 'required')
  return { stages: isDecidable ? stages : stages.map(reachable), timeBox, metrics: proposed }
}

/** If only time and users advance a stage, its required users arrive in half of its time. */
function reachable(stage: ProposedStage): ProposedStage {
  const { treatment, control } = stage.units
  const expected = control > 0 ? Math.min(treatment, control) : treatment
  return { ...stage, minUnits: Math.max(1, Math.min(unitsForVerdict, Math.floor(expected / 2))) }
}

function proposeMetric(
  metric: MetricTraffic,
  stages: readonly ProposedStage[],
  wanted: ReadonlySet<string>,
): ProposedMetric {
  const { definition, base } = metric
  const spread = spreadOf(metric)
  const smallest = smallestLimit(spread, stages)
  const proposed = smallest === undefined ? undefined : Math.max(definition.limit, roundedUp(smallest))
  const isDecided = proposed !== undefined && proposed <= definition.limit * patience
  const isRequired = wanted.has(definition.key) && isDecided
  const own = isRequired ? proposed : definition.limit
  return {
    metric: definition.key,
    role: isRequired ? 'required' : 'watched',
    limit: own,
    smallest,
    smallestIn: stages.map(({ units }) =>
      smallestAlarmIn(spread, units, { limit: own, alpha: alphaAmong(definition.key, wanted) }),
    ),
    base,
  }
}

/** Omits stages that are too small to detect anything. The last stage but one covers a whole day. */
function stagesIn(timeBox: number, traffic: Traffic, pool: number): ProposedStage[] {
  const total = limits.weightTotal
  const all = unitsIn(timeBox, traffic)
  const wanted = shares
    .map((share) => Math.round(pool * share))
    .filter((weight, index, list) => weight > (list[index - 1] ?? 0))
  const large = wanted.filter((weight) => weight === pool || (all * weight) / total >= unitsForVerdict)
  // With fewer users than that, a half still shows more than nothing.
  const weights = large.length > 1 ? large : wanted.slice(-2)
  return weights.map((weight, index) => ({
    weight,
    minDuration: index === weights.length - 2 ? limits.guardDwellBeforeAll : limits.guardDwell,
    minUnits: unitsForVerdict,
    needsApproval: false,
    units: unitsAt(weight, { all, pool }),
  }))
}

/** A metric's share of alpha in a plan with these and itself. */
export function alphaAmong(metric: string, others: ReadonlySet<string>): number {
  const weightOf = (key: string) => builtInMetrics.find((one) => one.key === key)?.alphaWeight ?? 1
  const all = [...new Set([...others, metric])]
  return divideAlpha(usualAlpha, all.map(weightOf))[all.indexOf(metric)] ?? usualAlpha
}

export function spreadOf({ definition, rareShare, variancePerUnit }: MetricTraffic): Spread {
  const isQuantile = definition.method.kind === 'quantile'
  return { better: definition.better, isQuantile, rareShare, variancePerUnit }
}

/** Limits are whole percents, and multiples of five above ten. */
function roundedUp(limit: number): number {
  const step = limit > 0.1 ? 0.05 : 0.01
  return Math.round(Math.ceil(limit / step - 1e-9) * step * 100) / 100
}
