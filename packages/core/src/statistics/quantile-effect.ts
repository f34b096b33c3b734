// The change of a quantile, such as the 75th percentile, from histograms on a logarithmic scale. The first pass
// computes the quantile of each arm over all stages; the second computes, from each unit's share of views beyond it,
// how much that quantile varies between units. Two queries, no raw rows. Rounded values are treated as if they were not
// rounded: each stands for all values that are closer to it than to its neighbours.
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
  /** Stages are weighted by their views in both arms. */
  weights: readonly number[]
  distribution: { treatment: Distribution; control: Distribution }
  /** The bucket of the quantile: the second pass counts the views beyond it. */
  bucket: { treatment: number; control: number }
  /**
   * The part of the views in that bucket that counts as beyond the quantile: together with the views beyond they are
   * 1 - p.
   */
  part: { treatment: number; control: number }
}

/** The distance on both sides of the quantile for the slope, in standard errors. */
const slopeReach = 1.5
/** The distance on each side for a step that the quantile might cross. */
const stepReach = 3
/** In smooth distributions, no side rises this many times faster than both together. */
const stepFactor = 2
/** A valley is this many times lower than both of its sides, and at most this many buckets wide (about 60 %). */
const valleyFactor = 6
const valleyReach = 24
/** A bucket with a larger share of all views contains rounded values. */
const heavyBucket = 0.05

/** The first pass; undefined if an arm has no views. */
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
  const at = { treatment: locate(distribution.treatment, p), control: locate(distribution.control, p) }
  return {
    weights,
    distribution,
    bucket: { treatment: at.treatment.bucket, control: at.control.bucket },
    part: { treatment: 1 - at.treatment.part, control: 1 - at.control.part },
  }
}

/** For forecasts, without arms: a quantile with the slope around it and the share beyond it. */
export interface SingleQuantile {
  bucket: number
  part: number
  /** The derivative of the log value by the share of views, as in the guard. */
  slope: number
  log: number
}

/**
 * `reach` is the distance on both sides for the slope, as a share of views. Undefined without views, or in the
 * lowest bucket.
 */
export function findQuantile(histogram: Histogram, p: number, reach: number): SingleQuantile | undefined {
  const found = findQuantiles([{ treatment: histogram, control: histogram }], p)
  if (found === undefined) return undefined
  const { distribution, bucket, part } = found
  const slope = slopeAround(distribution.control, p, reach / slopeReach)
  return Number.isFinite(slope)
    ? { bucket: bucket.control, part: part.control, slope, log: logQuantile(distribution.control, p) }
    : undefined
}

/** A quantile in the unit of the metric. */
export function quantileOf(distribution: Distribution, p: number, smallest: number): number {
  const log = logQuantile(distribution, p)
  return log === Number.NEGATIVE_INFINITY ? 0 : smallest * Math.exp(log)
}

export interface QuantileOptions {
  p: number
  /** `beyond` with the history of units taken out. */
  adjusted?: ClusteredSums | undefined
}

/**
 * The second pass: `beyond` contains each unit's views (n) and its views beyond the quantile (y), including the part
 * of its bucket. With history, an arm whose units always had slow views is read at a lower share: p minus what its
 * history explains of the views beyond.
 */
export function estimateQuantile(
  quantiles: Quantiles,
  beyond: ClusteredSums,
  { p, adjusted = beyond }: QuantileOptions,
): Estimate {
  if (!areUsable(beyond) || !areUsable(adjusted)) return { missing: 'unusable' }
  const logOf = (arm: ArmName) => {
    const explained = explainedShare(quantiles, [beyond, adjusted], arm)
    return logQuantile(quantiles.distribution[arm], explained === 0 ? p : clamp(p - explained))
  }
  const delta = logOf('treatment') - logOf('control')
  if (!Number.isFinite(delta)) return { missing: 'lowest-bucket' }

  const errors = (['treatment', 'control'] as const).map((arm) => {
    const deviation = Math.sqrt(
      Math.max(
        clusteredVariance(adjusted, arm, seenWeights(quantiles, adjusted, arm)),
        pooledVariance(quantiles, adjusted, arm),
      ),
    )
    return standardError(
      quantiles.distribution[arm],
      p,
      deviation * withoutPart(quantiles, beyond, { arm, p }),
    )
  })
  if (errors.includes(0)) return { missing: 'no-variance' }
  const variance = errors.reduce((sum, error) => sum + error ** 2, 0)
  return variance === Number.POSITIVE_INFINITY ? { missing: 'lowest-bucket' } : estimate(delta, variance)
}

/** The share of an arm's views beyond the quantile that history explains. */
function explainedShare(
  quantiles: Quantiles,
  [plain, adjusted]: readonly [ClusteredSums, ClusteredSums],
  arm: ArmName,
): number {
  if (plain === adjusted) return 0
  const weights = seenWeights(quantiles, plain, arm)
  return plain.stages.reduce((sum, stage, index) => {
    const left = adjusted.stages[index]?.[arm].y ?? stage[arm].y
    return stage[arm].n > 0 ? sum + ((weights[index] ?? 0) * (stage[arm].y - left)) / stage[arm].n : sum
  }, 0)
}

/** The standard error of the share of views beyond the quantile, converted to the log value by the slope. */
function standardError(distribution: Distribution, p: number, deviation: number): number {
  if (deviation === 0) return 0
  const slope = slopeAround(distribution, p, deviation)
  return Number.isFinite(slope) ? Math.max(slope * deviation, logGrowth / 4) : Number.POSITIVE_INFINITY
}

/** Infinity if a quantile is in the lowest bucket, which has no logarithm: then it cannot be judged. */
function slopeAround(distribution: Distribution, p: number, deviation: number): number {
  const slopeOf = (below: number, above: number) => {
    const [from, to] = [clamp(p - below * deviation), clamp(p + above * deviation)]
    return to > from ? (logQuantile(distribution, to) - logQuantile(distribution, from)) / (to - from) : 0
  }
  const slope = slopeOf(slopeReach, slopeReach)
  const steepest = Math.max(...[slopeOf(stepReach, 0), slopeOf(0, stepReach)].filter(Number.isFinite))
  return steepest > stepFactor * slope ? steepest : slope
}

/**
 * Counting whole buckets omits the part of a heavy bucket beyond the quantile and underestimates the variance: scale
 * it to that of a share of 1 - p.
 */
function withoutPart(
  { distribution, weights }: Quantiles,
  { stages }: ClusteredSums,
  { arm, p }: { arm: ArmName; p: number },
): number {
  if (locate(distribution[arm], p).share < heavyBucket) return 1
  const beyond = stages.reduce((sum, stage, index) => sum + (weights[index] ?? 0) * ratioOf(stage[arm]), 0)
  const found = beyond * (1 - beyond)
  return found > 0 ? Math.max(1, Math.sqrt((p * (1 - p)) / found)) : 1
}

/** A small arm uses the variance of the large one. */
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

/** Rows may have changed between the two passes: stages without views are ignored. */
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
  return withoutValleys(shares)
}

/**
 * If most values are rounded and a few are not, the few fill the gaps thinly, and the quantile would still jump over
 * them. A bucket between two that are much heavier is merged into the nearer one; tails and smooth shapes contain
 * none.
 */
function withoutValleys(shares: readonly number[]): Distribution {
  const isThin = shares.map((share, at) => share > 0 && hasHeavy(shares, at, -1) && hasHeavy(shares, at, 1))
  if (!isThin.includes(true)) return shares
  const kept = shares.map((share, at) => (isThin[at] ? 0 : share))
  for (const [at, share] of shares.entries()) {
    if (!isThin[at]) continue
    const [left, right] = [occupied(kept, at, -1), occupied(kept, at, 1)]
    const isLeft = right === undefined || (left !== undefined && at - left < right - at)
    const nearest = isLeft ? left : right
    const isMiddle = left !== undefined && right !== undefined && at - left === right - at
    for (const [to, part] of isMiddle
      ? ([
          [left, 0.5],
          [right, 0.5],
        ] as const)
      : ([[nearest ?? at, 1]] as const))
      kept[to] = (kept[to] ?? 0) + part * share
  }
  return kept
}

/** Whether a much heavier bucket follows in that direction, within the width of a valley. */
function hasHeavy(shares: readonly number[], at: number, step: 1 | -1): boolean {
  const enough = valleyFactor * (shares[at] ?? 0)
  for (let far = 1; far <= valleyReach; far += 1) {
    const to = at + far * step
    if (to > 0 && (shares[to] ?? 0) >= enough) return true
  }
  return false
}

/** ln (quantile / smallest value); minus infinity in the lowest bucket. */
function logQuantile(distribution: Distribution, p: number): number {
  const { bucket, part } = locate(distribution, p)
  if (bucket === 0) return Number.NEGATIVE_INFINITY
  // To the middle of the empty buckets on both sides; without any, this is the bucket itself.
  const [before, after] = [occupied(distribution, bucket, -1), occupied(distribution, bucket, 1)]
  const from = before === undefined ? bucket - 1 : (before + bucket - 1) / 2
  const to = after === undefined ? bucket : (bucket + after - 1) / 2
  return (from + part * (to - from)) * logGrowth
}

/** The nearest bucket with values, except for the lowest, which has no logarithm. */
function occupied(distribution: Distribution, bucket: number, step: 1 | -1): number | undefined {
  for (let at = bucket + step; at > 0 && at < distribution.length; at += step)
    if ((distribution[at] ?? 0) > 0) return at
  return undefined
}

/** The bucket of the quantile, its share, and the part of it below the quantile. */
function locate(distribution: Distribution, p: number) {
  let below = 0
  let last = { bucket: 0, share: 1, part: 1 }
  for (let bucket = 0; bucket < distribution.length; bucket += 1) {
    const share = distribution[bucket] ?? 0
    if (share <= 0) continue
    if (below + share < p - 1e-12) {
      last = { bucket, share, part: 1 }
      below += share
      continue
    }
    // Rounds off differences from the order of summation, so that a part of zero stays zero.
    return { bucket, share, part: Math.min(1, Math.max(0, Math.round(((p - below) / share) * 1e9) / 1e9)) }
  }
  return { ...last, part: 1 }
}

/** NaN if a count is invalid. */
function total(histogram: Histogram): number {
  return histogram.reduce((sum, count = 0) => (count >= 0 ? sum + count : Number.NaN), 0)
}

function clamp(share: number): number {
  return Math.min(0.999, Math.max(0.001, share))
}
