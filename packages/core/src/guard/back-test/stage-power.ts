// The power of a plan's stages on this site, from many random assignments without a change: the smallest harm that
// would be called a regression by the end of each stage, and whether harmless changes would be found healthy there. If
// not, what would help: more time, more users, or a wider limit.

import { limits } from '../../limits.ts'
import { harmOf, limitAsWorse, safetyMargin } from '../../statistics/safety-margin.ts'
import { divideAlpha } from '../../statistics/several-metrics.ts'
import { limitFor } from '../forecast-plan.ts'
import { nextShareOf } from '../judge-all.ts'
import type { MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'
import type { BackTestPlan } from './back-test.ts'
import {
  isCleared,
  type MetricObservation,
  readObservation,
  seenHarm,
  uncertainHarm,
} from './metric-observation.ts'
import { longestOf } from './site-units.ts'

export interface StageResult {
  stage: number
  metrics: MetricPower[]
}

interface MetricPower {
  metric: string
  /** On the harm axis; undefined if no harm would be detected that often. */
  half: number | undefined
  fourInFive: number | undefined
  /** The share of assignments that are found healthy by the end of the stage. */
  healthy: number
  /** If fewer than 80 % are: alternatives, each sufficient on its own. */
  instead: Instead | undefined
}

export interface Instead {
  /** Maximum duration of the stage in milliseconds. */
  time: number | undefined
  weight: number | undefined
  limit: number | undefined
}

interface Grounds {
  plan: BackTestPlan
  metrics: readonly JudgedMetric[]
  /** Users who will reach the flag for each one in the past data. */
  scale: number
  /** The exponent with which distinct users grow over time. */
  growth: number
}

interface Cell {
  seen: number[]
  uncertain: number[]
  observations: (MetricObservation | undefined)[]
}

const often = 0.8
/** The tried multiples of the number of users. */
const steps = [1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100]

export class StagePower {
  readonly #grounds: Grounds
  readonly #alphas: readonly number[]
  readonly #cells = new Map<number, Cell[]>()

  constructor(grounds: Grounds) {
    this.#grounds = grounds
    this.#alphas = divideAlpha(
      grounds.plan.alpha,
      grounds.metrics.map(({ alphaWeight }) => alphaWeight),
    )
  }

  /** Adds the evidence of one assignment at the end of a stage, in the order of the metrics. */
  take(stage: number, evidence: readonly MetricEvidence[]): void {
    const { metrics, scale } = this.#grounds
    const cells = this.#cells.get(stage) ?? metrics.map(() => ({ seen: [], uncertain: [], observations: [] }))
    this.#cells.set(stage, cells)
    for (const [index, metric] of metrics.entries()) {
      const observation = readObservation(metric, evidence[index] ?? { kind: 'gone' })
      const limit = limitAsWorse(metric.limit, metric.better)
      const cell = cells[index]
      cell?.observations.push(observation)
      cell?.seen.push(seenHarm(observation, { limit, alpha: this.#alphas[index] ?? 0, scale }))
      cell?.uncertain.push(uncertainHarm(observation, scale))
    }
  }

  /** `isOver`: alternatives are only searched for at the end. */
  results(isOver: boolean): StageResult[] {
    return [...this.#cells].map(([stage, cells]) => ({
      stage,
      metrics: this.#grounds.metrics.map((metric, index): MetricPower => {
        const cell = cells[index] ?? { seen: [], uncertain: [], observations: [] }
        const harm = (share: number) => harmIn(quantileIn(cell.seen, share), metric)
        const margin = this.#marginAt(stage, metric)
        const healthy = shareOf(cell.uncertain, (one) => one <= margin)
        return {
          metric: metric.metric,
          half: harm(0.5),
          fourInFive: harm(often),
          healthy,
          instead: isOver && healthy < often ? this.#insteadOf(stage, metric, cell) : undefined,
        }
      }),
    }))
  }

  #marginAt(stage: number, { limit, better }: JudgedMetric): number {
    return safetyMargin(limitAsWorse(limit, better), nextShareOf(this.#grounds.plan, stage))
  }

  #insteadOf(stage: number, metric: JudgedMetric, { observations, uncertain }: Cell): Instead {
    const { plan, scale } = this.#grounds
    const margin = this.#marginAt(stage, metric)
    const times = steps.find(
      (step) =>
        shareOf(observations, (observation) => isCleared(observation, { margin, scale: scale * step })) >=
        often,
    )
    const needed = quantileIn(uncertain, often)
    const limit = harmIn(limitFor(needed, nextShareOf(plan, stage)), metric)
    return {
      time: times === undefined ? undefined : this.#timeFor(stage, times),
      weight: times === undefined ? undefined : this.#weightFor(stage, times),
      limit: limit === undefined || limit > mostLimit ? undefined : limit,
    }
  }

  #timeFor(stage: number, times: number): number | undefined {
    const { plan, growth } = this.#grounds
    const own = plan.stages[stage]
    if (own === undefined) return undefined
    const time = longestOf(plan, own) * times ** (1 / growth)
    return time <= limits.rolloutStageLongest ? Math.ceil(time / hour) * hour : undefined
  }

  /** The treatment weight, as long as it stays the smaller arm and below the next stage. */
  #weightFor(stage: number, times: number): number | undefined {
    const { stages, pool } = this.#grounds.plan
    const share = (stages[stage]?.weight ?? 0) / pool
    const product = times * share * (1 - share)
    if (share >= 0.5 || product > 0.25) return undefined
    const wanted = Math.ceil(((1 - Math.sqrt(1 - 4 * product)) / 2) * 100 - 1e-9) / 100
    const weight = Math.round(wanted * pool)
    return weight < (stages[stage + 1]?.weight ?? pool) ? weight : undefined
  }
}

const hour = 3_600_000
/** A larger limit (1,000 %) is not suggested. */
const mostLimit = 10

/** The smallest value that at least this share does not exceed. */
function quantileIn(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.POSITIVE_INFINITY
}

function shareOf<Item>(items: readonly Item[], is: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(is).length / items.length
}

function harmIn(worseBy: number, { better }: JudgedMetric): number | undefined {
  return Number.isFinite(worseBy) ? harmOf(worseBy, better) : undefined
}
