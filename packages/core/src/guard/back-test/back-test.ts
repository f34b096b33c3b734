// A guard tried on the past of a site where nothing was changed: people are drawn into the arms of a rollout that never was,
// and the plan looks at what they did. Whatever it calls a regression is a false alarm, so that many runs tell how often this
// guard errs on this site.

import { judgeAll, nextShareOf } from '../judge-all.ts'
import type { MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'
import type { RolloutPlan } from '../rollout.ts'
import { type RunDraw, runMetric } from './metric-run.ts'
import { positionOf, type SiteUnits, stagesBySlot } from './site-units.ts'

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
export interface Alarm {
  metric: string
  onRegression: 'roll-back' | 'hold' | 'notify'
  /** The look at which it came, from 0. */
  slot: number
  stage: number
}

/** Every alarm of one draw: the first of each metric, until one rolls back. */
export function runBackTest(test: BackTest, run: number): Alarm[] {
  const steps = stepThrough(test, run)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** The same in steps of a few milliseconds, for whoever has other guests. */
export function* stepThrough({ site, plan, metrics }: BackTest, run: number): Generator<void, Alarm[]> {
  const bySlot = stagesBySlot(plan, site.slots)
  if (bySlot.length === 0) return []
  const draw = drawUnits(site.units, plan, { run, stages: (bySlot.at(-1) ?? 0) + 1 })
  const runs = metrics.map(({ method }, index) => runMetric(method, site.metrics[index] ?? noRows, draw))
  const alarms: Alarm[] = []

  for (const [slot, stage] of bySlot.entries()) {
    const evidence: MetricEvidence[] = []
    for (const metric of runs) {
      metric.take(slot, stage)
      evidence.push(metric.evidence())
      yield
    }
    const findings = judgeAll(metrics, evidence, { alpha: plan.alpha, nextShare: nextShareOf(plan, stage) })
    for (const { metric, state } of findings) {
      if (state !== 'regressed' || alarms.some((alarm) => alarm.metric === metric)) continue
      const onRegression = plan.metrics.find((one) => one.metric === metric)?.onRegression ?? 'notify'
      alarms.push({ metric, onRegression, slot, stage })
    }
    if (alarms.some(({ onRegression }) => onRegression === 'roll-back')) return alarms
  }
  return alarms
}

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
  { run, stages: count }: { run: number; stages: number },
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
    stages: count,
    armOf: (unit, stage) => ((entersAt[unit] ?? count) <= stage ? 'treatment' : 'control'),
    shareOf: (stage) => shares[stage] ?? 0,
  }
}
