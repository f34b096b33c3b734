// A rate of one group with its 95 % interval, when the unit of chance is the user: the share of users or sessions with
// something, or how often it happened per user or session. Sessions of one user are not independent.

import { ratioOf, squaredResiduals, type UnitSums } from './sums.ts'
import { wilsonInterval } from './wilson.ts'

/** Sums over users: n is 1, or the sessions of a user; y those with the event, or all events. */
export type UserSums = Pick<UnitSums, 'units' | 'n' | 'y' | 'nn' | 'ny' | 'yy'>

export type Rate =
  | { value: number; lower: number; upper: number }
  /** The value is known, but no interval holds. */
  | { value: number; missing: 'too-few' | 'too-uneven' }

/** Below these, intervals are too short: see their simulated coverage. */
const fewestForRate = 30
const fewestEffectiveForRate = 15

const normal975 = 1.959963984540054

/** Of equally active users, as many as have the same information. */
const effective = (sum: number, squares: number) => (squares > 0 ? sum ** 2 / squares : 0)

/** How much wider Student's interval is than the normal one, by the expansion of Cornish and Fisher. */
function widerBy(effectiveUnits: number): number {
  const freedom = Math.max(1, effectiveUnits - 1)
  const square = normal975 ** 2
  return 1 + (square + 1) / (4 * freedom) + (5 * square ** 2 + 16 * square + 3) / (96 * freedom ** 2)
}

/** The variance of y / n between users. */
function varianceOf(sums: UserSums): number {
  const { units, n } = sums
  return (squaredResiduals({ ...sums }, ratioOf(sums)) / n ** 2) * (units / (units - 1))
}

/**
 * A share: Wilson's interval with the effective number of trials, which is smaller than n if the trials of a user are
 * alike. Undefined without trials.
 */
export function rateOfShare(sums: UserSums): Rate | undefined {
  const { units, n, y, nn } = sums
  if (!(n > 0)) return undefined
  const value = y / n
  // One trial per user: exact for any number.
  const isEven = nn === n && n === units
  if (!isEven && units < fewestForRate) return { value, missing: 'too-few' }
  if (!isEven && effective(n, nn) < fewestEffectiveForRate) return { value, missing: 'too-uneven' }
  const alike = (value * (1 - value)) / Math.max(varianceOf(sums), Number.MIN_VALUE)
  // Without any variance, or with less than that of independent trials, only what is known counts.
  const trials = isEven
    ? n
    : Math.min(alike, value === 0 || value === 1 ? effective(n, nn) : n) / widerBy(effective(n, nn)) ** 2
  const found = wilsonInterval(value * trials, trials)
  return found && { value, lower: found.lower, upper: found.upper }
}

/** A mean, such as events per user: the interval of its logarithm, by the variance between users. */
export function rateOfMean(sums: UserSums): Rate | undefined {
  const { units, n, y, nn, yy } = sums
  if (!(n > 0)) return undefined
  const value = y / n
  if (units < fewestForRate || y === 0) return { value, missing: 'too-few' }
  const even = Math.min(effective(n, nn), effective(y, yy))
  if (even < fewestEffectiveForRate) return { value, missing: 'too-uneven' }
  const reach = Math.exp((normal975 * widerBy(even) * Math.sqrt(varianceOf(sums))) / value)
  return { value, lower: value / reach, upper: value * reach }
}
