// Means, counts per session, conversions and frequent shares: the ratio of two sums in each arm, per stage and then
// combined, because shares and traffic differ between stages. The variance is that between units, not rows, and the
// larger of two estimates, because that of a small arm is unreliable.
import { type Estimate, estimate } from './effect.ts'
import {
  type ArmName,
  areUsable,
  type ClusteredSums,
  clusteredVariance,
  ratioOf,
  type StageSums,
  sharedVariance,
  squaredResiduals,
  weightsOf,
} from './sums.ts'

export function estimateRatio(sums: ClusteredSums): Estimate {
  if (!areUsable(sums)) return { missing: 'unusable' }
  const weights = weightsOf(sums.stages)
  if (weights.every((weight) => weight === 0)) return { missing: 'no-units' }
  const means = weightedSums(sums.stages, weights)
  if (means.treatment <= 0 || means.control <= 0) return { missing: 'no-positive-mean' }

  const [first, second] = [means.treatment ** 2, means.control ** 2]
  const own =
    clusteredVariance(sums, 'treatment', weights) / first +
    clusteredVariance(sums, 'control', weights) / second
  const pooled =
    pooledVariance(sums.stages, weights) +
    sharedVariance(sums, 'treatment', weights) / first +
    sharedVariance(sums, 'control', weights) / second
  return estimate(Math.log(means.treatment / means.control), Math.max(own, pooled))
}

/** The displayed values: each arm's mean over the stages with both arms. */
export function meansOf(sums: ClusteredSums): Record<ArmName, number> | undefined {
  const weights = weightsOf(sums.stages)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  if (!areUsable(sums) || all === 0) return undefined
  const { treatment, control } = weightedSums(sums.stages, weights)
  return { treatment: treatment / all, control: control / all }
}

function weightedSums(stages: readonly StageSums[], weights: readonly number[]): Record<ArmName, number> {
  return {
    treatment: weighted(stages, weights, ({ treatment }) => ratioOf(treatment)),
    control: weighted(stages, weights, ({ control }) => ratioOf(control)),
  }
}

/** The variance of the logarithm if both arms were alike: a small arm uses the variance of the large one. */
function pooledVariance(stages: readonly StageSums[], weights: readonly number[]): number {
  const together = ({ treatment, control }: StageSums) =>
    (treatment.y + control.y) / (treatment.n + control.n)
  const mean = weighted(stages, weights, together)
  let sum = 0
  for (const [index, stage] of stages.entries()) {
    const { treatment, control } = stage
    const weight = weights[index] ?? 0
    const freedom = treatment.units + control.units - 1
    if (weight === 0 || freedom <= 0) continue
    const ratio = together(stage)
    const spread = (squaredResiduals(treatment, ratio) + squaredResiduals(control, ratio)) / freedom
    sum += weight ** 2 * spread * (treatment.units / treatment.n ** 2 + control.units / control.n ** 2)
  }
  return sum / mean ** 2
}

function weighted(
  stages: readonly StageSums[],
  weights: readonly number[],
  of: (stage: StageSums) => number,
): number {
  return stages.reduce((sum, stage, index) => {
    const weight = weights[index] ?? 0
    return weight === 0 ? sum : sum + weight * of(stage)
  }, 0)
}
