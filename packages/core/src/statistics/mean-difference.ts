// The difference of a mean between two arms, per stage and then combined, with an interval that is valid at any time.
// Unlike a ratio, it exists if one arm has a mean of zero. The variance is that between units.

import { criticalMultiplier } from './boundary.ts'
import { type ArmName, ratioOf, type StageSums, squaredResiduals, type UnitSums, weightsOf } from './sums.ts'

interface MeanDifference {
  control: number
  treatment: number
  change: number
  lower: number
  upper: number
  /** The variance of the difference. */
  variance: number
}

/** The typical size of a change, relative to the larger mean. */
const usualChange = 0.2

export interface Reading {
  /** The interval is narrowest for changes of about this size, relative to the larger mean. */
  usual?: number
  /**
   * Units may have been seen in several stages, but it is unknown which: assume that all were, with identical
   * values.
   */
  mayReturn?: boolean
}

/**
 * `level` is the probability that the interval ever excludes the true value. Undefined with fewer than two units in
 * an arm.
 */
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
  // Per bound.
  const reach = criticalMultiplier({ variance, prior, level: level / 2 }) * Math.sqrt(variance)
  return { control, treatment, change, lower: change - reach, upper: change + reach, variance }
}

function varianceOf(sums: UnitSums): number {
  const spread = squaredResiduals(sums, ratioOf(sums)) / (sums.units - 1)
  return (spread * sums.units) / sums.n ** 2
}
