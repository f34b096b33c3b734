// Back-tests a plan on past data in which nothing was changed: units are assigned at random to the arms of a simulated
// rollout, and the plan judges what they did. Every regression is a false alarm, so many runs estimate how often this
// guard raises false alarms on this site.

import { limitAsWorse } from '../../statistics/safety-margin.ts'
import { divideAlpha } from '../../statistics/several-metrics.ts'
import type { MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'
import type { RolloutPlan } from '../rollout.ts'
import { isRegressed, readObservation } from './metric-observation.ts'
import { type RunDraw, runMetric } from './metric-run.ts'
import { type MetricAlarm, newAlarms } from './note-alarms.ts'
import { positionOf, type SiteUnits, scheduleStages } from './site-units.ts'

export interface BackTestPlan extends Pick<RolloutPlan, 'stages' | 'metrics' | 'alpha' | 'timeBox'> {
  /** The weight of both arms together, in units of 0.001 % of the split. */
  pool: number
}

export interface BackTest {
  site: SiteUnits
  plan: BackTestPlan
  /** In the order of the site's rows. */
  metrics: readonly JudgedMetric[]
}

/** A regression in a run, and how the guard would have reacted. */
export interface Alarm extends MetricAlarm {
  /** The index of the look, from 0. */
  look: number
  stage: number
}

/** Called at the end of each stage with the evidence, in the order of the metrics. */
export type AtStageEnd = (stage: number, evidence: readonly MetricEvidence[]) => void

/**
 * All alarms of one random assignment: the first of each metric, until one rolls back. Yields every few milliseconds,
 * so that the caller can do other work. The rollout starts at a random time of the period.
 */
export function* stepThrough(
  { site, plan, metrics }: BackTest,
  run: number,
  atStageEnd: AtStageEnd = () => {},
): Generator<void, Alarm[]> {
  const { stages, starts } = scheduleStages(plan, site)
  const from = Math.floor(positionOf(beyondUnits, run) * starts)
  const draw = drawUnits(site.units, plan, { run, from, stages: (stages.at(-1) ?? 0) + 1 })
  const runs = metrics.map(({ method }, index) => runMetric(method, site.metrics[index] ?? noRows, draw))
  const alphas = divideAlpha(
    plan.alpha,
    metrics.map(({ alphaWeight }) => alphaWeight),
  )
  const alarms: Alarm[] = []

  for (const [look, stage] of stages.entries()) {
    const evidence: MetricEvidence[] = []
    for (const metric of runs) {
      metric.take(from + look, stage)
      evidence.push(metric.evidence())
      yield
    }
    if (stages[look + 1] !== stage) atStageEnd(stage, evidence)
    // After a rollback, the remaining slots still count for the power of the stages.
    if (alarms.some(({ onRegression }) => onRegression === 'roll-back')) continue
    const regressed = metrics.filter((metric, index) =>
      isRegressed(readObservation(metric, evidence[index] ?? { kind: 'gone' }), {
        limit: limitAsWorse(metric.limit, metric.better),
        alpha: alphas[index] ?? 0,
      }),
    )
    const found = newAlarms(
      plan,
      alarms,
      regressed.map(({ metric }) => metric),
    )
    alarms.push(...found.map((alarm) => ({ ...alarm, look, stage })))
  }
  return alarms
}

/** Never the number of a unit. */
const beyondUnits = 2 ** 32 - 1

const noRows = {
  unit: new Uint32Array(),
  slot: new Uint8Array(),
  by: new Float64Array(),
  of: new Float64Array(),
}

/** A unit in the treatment stays there as the treatment grows. */
function drawUnits(
  units: number,
  { stages, pool }: BackTestPlan,
  { run, from, stages: count }: { run: number; from: number; stages: number },
): RunDraw {
  const shares = stages.slice(0, count).map(({ weight }) => weight / pool)
  const entersAt = new Uint8Array(units)
  for (let unit = 0; unit < units; unit += 1) {
    const position = positionOf(unit, run)
    const stage = shares.findIndex((share) => position < share)
    entersAt[unit] = stage < 0 ? count : stage
  }
  return {
    units,
    from,
    stages: count,
    armOf: (unit, stage) => ((entersAt[unit] ?? count) <= stage ? 'treatment' : 'control'),
    shareOf: (stage) => shares[stage] ?? 0,
  }
}
