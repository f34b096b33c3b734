// Two groups of users that chance did not form, such as the users of two releases: compared within strata (an hour and a
// country), and then combined with the weights of Mantel and Haenszel, as stages of a rollout are. The unit is the user,
// in all of their strata: a user who returns every hour is one observation.

import { criticalMultiplier } from './boundary.ts'
import type { NotEstimable } from './effect.ts'
import { priors } from './judge.ts'
import { meanDifference } from './mean-difference.ts'
import { estimateQuantile, findQuantiles, quantileOf } from './quantile-effect.ts'
import type { ArmName, UnitSums } from './sums.ts'

/** What is read of one group, over the strata that both groups are in. */
export interface StratifiedArm {
  units: number
  /** Units with y above zero. */
  affected: number
  n: number
  /** The ratio y / n of each stratum, by its weight. */
  mean: number
  /** Variance of the mean between units, around the ratios of this group's strata. */
  own: number
  /** The same around the ratios of both groups: strata with few units have almost no spread of their own. */
  pooled: number
}

export interface StratifiedSums {
  /** With both groups. */
  strata: number
  treatment: StratifiedArm
  control: StratifiedArm
}

/** A comparison with its interval; relative to control for quantiles, a difference for shares. */
export interface Comparison {
  control: number
  treatment: number
  change: number
  lower: number
  upper: number
}

export type Compared = { comparison: Comparison } | { missing: NotEstimable | 'too-few' }

/** The probability that an interval ever excludes the true value, however often it is read. */
const level = 0.05
/** Below these, the normal approximation is not reliable. */
export const fewestUnits = 50
export const fewestAffected = 10

/** The difference of a share, such as of sessions with an uncaught error. */
export function compareShares({ treatment, control }: StratifiedSums): Compared {
  if (hasTooFew({ treatment, control }) || treatment.affected + control.affected < fewestAffected)
    return { missing: 'too-few' }
  const stage = { treatment: asUnits(treatment), control: asUnits(control) }
  const found = meanDifference([stage], level)
  if (found === undefined) return { missing: 'no-units' }
  if (found.variance === 0) return { missing: 'no-variance' }
  const { change, lower, upper } = found
  return { comparison: { control: control.mean, treatment: treatment.mean, change, lower, upper } }
}

/** Shares of all values by bucket, standardised over the strata. */
export type Standardised = Record<ArmName, readonly number[]>

/** The first pass over values: where the quantile of each group is; undefined if a group has no values. */
export function locateQuantiles(histograms: Standardised, p: number) {
  return findQuantiles([{ treatment: [...histograms.treatment], control: [...histograms.control] }], p)
}

interface QuantileInput {
  p: number
  /** The value that the lowest bucket ends with. */
  smallest: number
  /** Of values beyond the group's own quantile. */
  beyond: StratifiedSums
}

/** The second pass: the relative change of a quantile. */
export function compareQuantiles(histograms: Standardised, { p, smallest, beyond }: QuantileInput): Compared {
  const { treatment, control } = beyond
  if (hasTooFew(beyond)) return { missing: 'too-few' }
  const quantiles = locateQuantiles(histograms, p)
  if (quantiles === undefined) return { missing: 'no-units' }
  const stages = [{ treatment: asUnits(treatment), control: asUnits(control) }]
  const found = estimateQuantile(quantiles, { stages, shared: { treatment: [], control: [] } }, { p })
  if ('missing' in found) return found
  const { delta, variance } = found.effect
  const prior = priors.quantile
  const reach = criticalMultiplier({ variance, prior, level: level / 2 }) * Math.sqrt(variance)
  return {
    comparison: {
      control: quantileOf(quantiles.distribution.control, p, smallest),
      treatment: quantileOf(quantiles.distribution.treatment, p, smallest),
      change: Math.expm1(delta),
      lower: Math.expm1(delta - reach),
      upper: Math.expm1(delta + reach),
    },
  }
}

const hasTooFew = ({ treatment, control }: Pick<StratifiedSums, ArmName>) =>
  treatment.units < fewestUnits || control.units < fewestUnits

/** Sums of units whose ratio and variance are those of the weighted mean. */
function asUnits({ units, mean, own, pooled }: StratifiedArm): UnitSums {
  const variance = Math.max(own, pooled)
  return { units, n: units, y: mean * units, nn: 0, ny: 0, yy: variance * (units - 1) * units }
}
