// One simulated rollout, judged at every look: when each metric first regressed or was safe, if ever.
import { isEnough, logEvidence } from '../boundary.ts'
import { distinctUnits } from '../distinct-units.ts'
import type { Estimate } from '../effect.ts'
import { isSplitWrong, logShareEvidence } from '../event-share.ts'
import { priors } from '../judge.ts'
import { estimateQuantile, findQuantiles } from '../quantile-effect.ts'
import { estimateRatio } from '../ratio-effect.ts'
import type { ArmName, ClusteredSums } from '../sums.ts'
import { WorldCount, withoutPeople, withoutStages, withoutStagesIn } from './count-world.ts'
import type { Random } from './seeded-random.ts'
import { type Design, drawWorld } from './simulated-world.ts'

export const simulatedMetrics = ['p75', 'mean', 'errors', 'conversions', 'users with an error'] as const
export type SimulatedMetric = (typeof simulatedMetrics)[number]

export interface Judging {
  /** Worse by, for p75 and mean, for counts and shares of errors, and for conversions. */
  limit: number
  margins: { values: number; errors: number; conversions: number }
  unitsForVerdict: number
  /** A deliberate mistake, to see its effect. */
  mistake?: 'views-for-people' | 'stages-together' | 'one-look-boundary'
  only?: readonly SimulatedMetric[]
  /** Ends at the first regression of any metric. */
  untilRegressed?: boolean
}

export const strictest: Judging = {
  limit: 0,
  margins: { values: 0.1, errors: 0.25, conversions: 1 / 0.9 - 1 },
  unitsForVerdict: 100,
}

/** Users in the treatment at the first time; undefined if it never happened. */
export type Reached = Partial<Record<SimulatedMetric, number>>

export interface RolloutRun {
  /** At 0.05 for each metric, and with 0.05 divided among the five. */
  regressedAlone: Reached
  regressedShared: Reached
  safe: Reached
  splitWrongAfter: number | undefined
}

const alpha = 0.05

export function runRollout(design: Design, random: Random, judging = strictest): RolloutRun {
  const world = drawWorld(design, random)
  const count = new WorldCount(world, design)
  const run: RolloutRun = { regressedAlone: {}, regressedShared: {}, safe: {}, splitWrongAfter: undefined }
  for (const look of world.visits.keys()) {
    count.add(look)
    if (isSplitWrong(count.exposures)) {
      run.splitWrongAfter ??= count.exposures.reduce((all, one) => all + one.treatment + one.control, 0)
    }
    const people = peopleIn(count)
    for (const metric of judging.only ?? simulatedMetrics) {
      const evidence = evidenceOf(metric, count, judging)
      if (evidence === undefined) continue
      const isReady = metric === 'users with an error' || isLargeEnough({ metric, count, people }, judging)
      if (!isReady) continue
      const note = (reached: Reached) => {
        reached[metric] ??= people.treatment
      }
      if (isEnough(evidence.regression, alpha)) note(run.regressedAlone)
      if (isEnough(evidence.regression, alpha / simulatedMetrics.length)) note(run.regressedShared)
      if (isEnough(evidence.safety, alpha)) note(run.safe)
    }
    if (judging.untilRegressed && Object.keys(run.regressedShared).length > 0) break
  }
  return run
}

interface Look {
  metric: SimulatedMetric
  count: WorldCount
  people: Record<ArmName, number>
}

function isLargeEnough({ metric, count, people }: Look, { unitsForVerdict }: Judging): boolean {
  const { treatment, control } = people
  const isCounted = metric !== 'errors' || count.peopleWithErrors >= 30
  const even = metric === 'p75' || metric === 'mean' ? evenUnits(count.sums('sum')) : unitsForVerdict
  return isCounted && even >= evenForVerdict && Math.min(treatment, control) >= unitsForVerdict
}

/** The guard's required effective number of users in the smaller arm. */
const evenForVerdict = 50

function evenUnits({ stages, shared }: ClusteredSums): number {
  const of = (arm: ArmName) => {
    const sum = (key: 'n' | 'nn') => stages.reduce((all, stage) => all + stage[arm][key], 0)
    const squares = shared[arm].reduce((all, pair) => all + 2 * pair.nn, sum('nn'))
    return squares > 0 ? sum('n') ** 2 / squares : 0
  }
  return Math.min(of('treatment'), of('control'))
}

/** Users in each arm: those who changed arms count in both, those who return in several stages once. */
function peopleIn(count: WorldCount): Record<ArmName, number> {
  const sums = count.sums('sum')
  return { treatment: distinctUnits(sums, 'treatment'), control: distinctUnits(sums, 'control') }
}

function evidenceOf(metric: SimulatedMetric, count: WorldCount, judging: Judging) {
  const { limit, margins } = judging
  if (metric === 'users with an error') {
    return {
      regression: logShareEvidence(count.events, 1 + limit, 'more'),
      safety: logShareEvidence(count.events, 1 + margins.errors, 'less'),
    }
  }
  const estimate = metric === 'p75' ? quantile(count, judging) : ratio(metric, count, judging)
  if (estimate === undefined || 'missing' in estimate) return undefined
  const { delta, variance } = estimate.effect
  const log = metric === 'conversions' ? -delta : delta
  const margin = { p75: margins.values, mean: margins.values, errors: margins.errors }
  const prior = metric === 'p75' ? priors.quantile : priors.ratio
  const evidence = (excess: number) =>
    judging.mistake === 'one-look-boundary'
      ? naiveEvidence(excess / Math.sqrt(variance))
      : logEvidence({ excess, variance, prior })
  return {
    regression: evidence(log - Math.log1p(limit)),
    safety: evidence(Math.log1p(metric === 'conversions' ? margins.conversions : margin[metric]) - log),
  }
}

/** Crosses at the critical value of a single look, 1.645 standard errors, at every level used here. */
function naiveEvidence(z: number): number {
  return z > 1.645 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
}

function ratio(metric: 'mean' | 'errors' | 'conversions', count: WorldCount, judging: Judging): Estimate {
  return estimateRatio(mistaken(count.sums(metric === 'mean' ? 'sum' : metric), judging))
}

function quantile(count: WorldCount, judging: Judging): Estimate | undefined {
  const isPooled = judging.mistake === 'stages-together'
  const histograms = count.histograms
  const quantiles = findQuantiles(isPooled ? withoutStagesIn(histograms) : histograms, 0.75)
  if (quantiles === undefined) return undefined
  return estimateQuantile(quantiles, mistaken(count.sumsBeyond(quantiles), judging), { p: 0.75 })
}

function mistaken(sums: ClusteredSums, { mistake }: Judging): ClusteredSums {
  if (mistake === 'views-for-people') return withoutPeople(sums)
  return mistake === 'stages-together' ? withoutStages(sums) : sums
}
