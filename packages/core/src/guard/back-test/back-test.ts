// A guard tried on the past of a site where nothing was changed: people are drawn into the arms of a rollout that never was,
// and the plan looks at what they did. Whatever it calls a regression is a false alarm, so that many runs tell how often this
// guard errs on this site.

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
  /** What both arms have together, in hundred thousandths of all that the split divides. */
  pool: number
}

export interface BackTest {
  site: SiteUnits
  plan: BackTestPlan
  /** In the order of the rows of the site. */
  metrics: readonly JudgedMetric[]
}

/** The first regression of a run, and what the guard would have done. */
export interface Alarm extends MetricAlarm {
  /** The look at which it came, from 0. */
  look: number
  stage: number
}

/** Gets what there is at the end of each stage, in the order of the metrics. */
type AtStageEnd = (stage: number, evidence: readonly MetricEvidence[]) => void

/** Every alarm of one draw: the first of each metric, until one rolls back. */
export function runBackTest(test: BackTest, run: number, atStageEnd?: AtStageEnd): Alarm[] {
  const steps = stepThrough(test, run, atStageEnd)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** The same in steps of a few milliseconds, for whoever has other guests. It begins anywhere in the past. */
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
    // What would come after a roll-back is gone through for what its stages could have seen.
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

/** No unit has this number. */
const beyondUnits = 2 ** 32 - 1

const noRows = {
  unit: new Uint32Array(),
  slot: new Uint8Array(),
  by: new Float64Array(),
  of: new Float64Array(),
}

/** Whoever is in the treatment stays there as it grows. */
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
