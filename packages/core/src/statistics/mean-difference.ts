// By how much a mean differs between two arms, stage by stage and then together, with an interval that holds at any time.
// Unlike a ratio it exists where one arm has nothing at all. The variance is that between units.

import { criticalMultiplier } from './boundary.ts'
import { type ArmName, ratioOf, type StageSums, squaredResiduals, type UnitSums, weightsOf } from './sums.ts'

export interface MeanDifference {
  control: number
  treatment: number
  change: number
  lower: number
  upper: number
  /** Of the change. */
  variance: number
}

/** The usual size of a change, as a part of the larger mean. */
const usualChange = 0.2

export interface Reading {
  /** The interval is narrowest for changes of about this size, as a part of the larger mean. */
  usual?: number
  /**
   * Units may have been seen in several stages, and nobody knows which: then they vary as if all of them had been, and had
   * always done the same.
   */
  mayReturn?: boolean
}

/** `level` is the chance that the interval, at any time, misses. Nothing without two units on both sides. */
export function meanDifference(
  given: readonly StageSums[],
  level: number,
  { usual = usualChange, mayReturn = false }: Reading = {},
): MeanDifference | undefined {
  const stages = given.filter(({ control, treatment }) => control.units > 1 && treatment.units > 1)
  const weights = weightsOf(stages)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  if (all === 0) return undefined
  const mean = (arm: ArmName) =>
    stages.reduce((sum, stage, index) => sum + (weights[index] ?? 0) * ratioOf(stage[arm]), 0) / all
  const armVariance = (arm: ArmName) => {
    const errors = stages.map((stage, index) => {
      const share = (weights[index] ?? 0) / all
      return share === 0 ? 0 : share * Math.sqrt(varianceOf(stage[arm]))
    })
    const sum = errors.reduce((total, error) => total + (mayReturn ? error : error ** 2), 0)
    return mayReturn ? sum ** 2 : sum
  }
  const [control, treatment] = [mean('control'), mean('treatment')]
  const change = treatment - control
  const variance = armVariance('control') + armVariance('treatment')
  const prior = usual * Math.max(control, treatment)
  if (variance === 0 || prior === 0) {
    return { control, treatment, change, lower: change, upper: change, variance }
  }
  // Each end by itself.
  const reach = criticalMultiplier({ variance, prior, level: level / 2 }) * Math.sqrt(variance)
  return { control, treatment, change, lower: change - reach, upper: change + reach, variance }
}

function varianceOf(sums: UnitSums): number {
  const spread = squaredResiduals(sums, ratioOf(sums)) / (sums.units - 1)
  return (spread * sums.units) / sums.n ** 2
}
