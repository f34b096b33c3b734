// The change of a quantile, such as the 75th percentile, from histograms on a logarithmic scale. First the quantile of each
// arm over all stages together, then, with the share of each unit's views beyond it, how much that quantile varies between
// units. Two passes over the database, no raw rows.
import { bucketMaximum, type Histogram, logGrowth } from './buckets.ts'
import { type Estimate, estimate } from './effect.ts'
import {
  type ArmName,
  areUsable,
  type ClusteredSums,
  clusteredVariance,
  isCount,
  ratioOf,
  type StageSums,
  squaredResiduals,
} from './sums.ts'

/** The shares of all views by bucket, all stages together. */
export type Distribution = readonly number[]

export type StageHistograms = { treatment: Histogram; control: Histogram }

export interface Quantiles {
  /** Stages count by their views on both sides. */
  weights: readonly number[]
  distribution: { treatment: Distribution; control: Distribution }
  /** The bucket of the quantile: the second pass counts the views beyond it. */
  bucket: { treatment: number; control: number }
}

/** How far to both sides of the quantile the slope is read, in standard errors. */
const slopeReach = 1.5

/** The first pass; nothing when an arm has no views. */
export function findQuantiles(stages: readonly StageHistograms[], p: number): Quantiles | undefined {
  const counts = stages.map(({ treatment, control }) => ({ t: total(treatment), c: total(control) }))
  if (counts.some(({ t, c }) => !isCount(t) || !isCount(c))) return undefined
  const raw = counts.map(({ t, c }) => (t > 0 && c > 0 ? (t * c) / (t + c) : 0))
  const all = raw.reduce((sum, weight) => sum + weight, 0)
  if (all === 0) return undefined

  const weights = raw.map((weight) => weight / all)
  const distribution = {
    treatment: standardise(stages, weights, 'treatment'),
    control: standardise(stages, weights, 'control'),
  }
  return {
    weights,
    distribution,
    bucket: {
      treatment: locate(distribution.treatment, p).bucket,
      control: locate(distribution.control, p).bucket,
    },
  }
}

/** A quantile in the unit of the metric, for people. */
export function quantileOf(distribution: Distribution, p: number, smallest: number): number {
  const log = logQuantile(distribution, p)
  return log === Number.NEGATIVE_INFINITY ? 0 : smallest * Math.exp(log)
}

/** The second pass: `beyond` counts each unit's views (n) and those beyond the bucket of its arm (y). */
export function estimateQuantile(quantiles: Quantiles, beyond: ClusteredSums, p: number): Estimate {
  if (!areUsable(beyond)) return { missing: 'unusable' }
  const { treatment, control } = quantiles.distribution
  const delta = logQuantile(treatment, p) - logQuantile(control, p)
  if (!Number.isFinite(delta)) return { missing: 'lowest-bucket' }

  const errors = (['treatment', 'control'] as const).map((arm) => {
    const deviation = Math.sqrt(
      Math.max(
        clusteredVariance(beyond, arm, seenWeights(quantiles, beyond, arm)),
        pooledVariance(quantiles, beyond, arm),
      ),
    )
    return standardError(quantiles.distribution[arm], p, deviation)
  })
  if (errors.includes(0)) return { missing: 'no-variance' }
  const variance = errors.reduce((sum, error) => sum + error ** 2, 0)
  return variance === Number.POSITIVE_INFINITY ? { missing: 'lowest-bucket' } : estimate(delta, variance)
}

/** Of the share of views beyond the quantile, translated to the logarithm of the value by the slope around it. */
function standardError(distribution: Distribution, p: number, deviation: number): number {
  if (deviation === 0) return 0
  const from = clamp(p - slopeReach * deviation)
  const to = clamp(p + slopeReach * deviation)
  const rise = logQuantile(distribution, to) - logQuantile(distribution, from)
  if (!Number.isFinite(rise)) return Number.POSITIVE_INFINITY
  return Math.max((rise / (to - from)) * deviation, logGrowth / 4)
}

/** A small arm borrows the spread of the large one. */
function pooledVariance({ weights }: Quantiles, { stages }: ClusteredSums, arm: ArmName): number {
  return stages.reduce((sum, stage, index) => {
    const weight = weights[index] ?? 0
    const of = stage[arm]
    const freedom = stage.treatment.units + stage.control.units - 2
    if (weight === 0 || of.n === 0 || freedom <= 0) return sum
    return sum + weight ** 2 * (spreadOf(stage) / freedom) * (of.units / of.n ** 2)
  }, 0)
}

function spreadOf({ treatment, control }: StageSums): number {
  return squaredResiduals(treatment, ratioOf(treatment)) + squaredResiduals(control, ratioOf(control))
}

/** Between the two passes rows may have come or gone: a stage without views has no say. */
function seenWeights({ weights }: Quantiles, { stages }: ClusteredSums, arm: ArmName): number[] {
  return stages.map((stage, index) => (stage[arm].n > 0 ? (weights[index] ?? 0) : 0))
}

function standardise(
  stages: readonly StageHistograms[],
  weights: readonly number[],
  arm: ArmName,
): Distribution {
  const shares = new Array<number>(bucketMaximum + 1).fill(0)
  for (const [index, stage] of stages.entries()) {
    const weight = weights[index] ?? 0
    if (weight === 0) continue
    const scale = weight / total(stage[arm])
    for (const [bucket, count] of stage[arm].entries()) {
      const at = Math.min(bucket, bucketMaximum)
      shares[at] = (shares[at] ?? 0) + scale * count
    }
  }
  return shares
}

/** ln (quantile / smallest value); minus infinity in the lowest bucket. */
function logQuantile(distribution: Distribution, p: number): number {
  const { bucket, below, share } = locate(distribution, p)
  if (bucket === 0) return Number.NEGATIVE_INFINITY
  return (bucket - 1 + Math.min(1, (p - below) / share)) * logGrowth
}

function locate(distribution: Distribution, p: number) {
  let below = 0
  let last = { bucket: 0, below: 0, share: 1 }
  for (const [bucket, share] of distribution.entries()) {
    if (share <= 0) continue
    last = { bucket, below, share }
    if (below + share >= p - 1e-12) return last
    below += share
  }
  return last
}

/** Not a number when one of the counts is none. */
function total(histogram: Histogram): number {
  return histogram.reduce((sum, count = 0) => (count >= 0 ? sum + count : Number.NaN), 0)
}

function clamp(share: number): number {
  return Math.min(0.999, Math.max(0.001, share))
}
