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
  const found = estimateQuantile(quantiles, { stages, shared: { treatment: [], control: [] } }, p)
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

/** One user in one stratum. */
export interface UnitInStratum {
  stratum: number
  arm: ArmName
  unit: number
  n: number
  y: number
}

interface Stratum {
  n: Record<ArmName, number>
  y: Record<ArmName, number>
  units: Record<ArmName, number>
}

/** The sums of rows in memory; the server's query computes the same in the telemetry engine. */
export function stratify(rows: readonly UnitInStratum[]): StratifiedSums {
  const strata = sumStrata(rows)
  const weights = weighStrata(strata)
  return {
    strata: weights.size,
    treatment: sumArm(rows, 'treatment', { strata, weights }),
    control: sumArm(rows, 'control', { strata, weights }),
  }
}

function sumStrata(rows: readonly UnitInStratum[]): Map<number, Stratum> {
  const strata = new Map<number, Stratum>()
  for (const { stratum, arm, n, y } of rows) {
    const found = strata.get(stratum) ?? {
      n: { treatment: 0, control: 0 },
      y: { treatment: 0, control: 0 },
      units: { treatment: 0, control: 0 },
    }
    found.n[arm] += n
    found.y[arm] += y
    found.units[arm] += 1
    strata.set(stratum, found)
  }
  return strata
}

/** By stratum, with a sum of 1; strata with one group only are left out. */
export function weighStrata(strata: ReadonlyMap<number, Pick<Stratum, 'n'>>): Map<number, number> {
  const raw = [...strata].flatMap(([key, { n }]): [number, number][] =>
    n.treatment > 0 && n.control > 0 ? [[key, (n.treatment * n.control) / (n.treatment + n.control)]] : [],
  )
  const all = raw.reduce((sum, [, weight]) => sum + weight, 0)
  return new Map(raw.map(([key, weight]) => [key, weight / all]))
}

interface Weighed {
  strata: ReadonlyMap<number, Stratum>
  weights: ReadonlyMap<number, number>
}

function sumArm(rows: readonly UnitInStratum[], arm: ArmName, { strata, weights }: Weighed): StratifiedArm {
  const units = new Map<number, { y: number; own: number; pooled: number }>()
  let [n, mean] = [0, 0]
  for (const row of rows) {
    const [stratum, weight] = [strata.get(row.stratum), weights.get(row.stratum)]
    if (row.arm !== arm || stratum === undefined || weight === undefined) continue
    const unit = units.get(row.unit) ?? { y: 0, own: 0, pooled: 0 }
    const share = weight / stratum.n[arm]
    const both = stratum.units.treatment + stratum.units.control
    const together = (stratum.y.treatment + stratum.y.control) / (stratum.n.treatment + stratum.n.control)
    unit.y += row.y
    unit.own += share * (row.y - (stratum.y[arm] / stratum.n[arm]) * row.n) * small(stratum.units[arm])
    unit.pooled += share * (row.y - together * row.n) * small(both)
    units.set(row.unit, unit)
    n += row.n
    mean += share * row.y
  }
  const square = (of: 'own' | 'pooled') => [...units.values()].reduce((sum, unit) => sum + unit[of] ** 2, 0)
  const affected = [...units.values()].filter(({ y }) => y > 0).length
  return { units: units.size, affected, n, mean, own: square('own'), pooled: square('pooled') }
}

/** Residuals around a mean of few values are too small. */
const small = (units: number) => (units > 1 ? Math.sqrt(units / (units - 1)) : 1)
