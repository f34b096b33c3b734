// The false-alarm budget of an environment, divided among all its splits without a guard, however many will follow.
import { limits } from '../../limits.ts'

const exponent = 1.5
/** The sum of `k ** -exponent` over all k from 1. */
const sumOfAll = 2.612_375_348_685_488

/**
 * The probability that split number `ordinal`, from 1, is ever called regressed without harm. The shares of all
 * splits sum to the budget of the environment.
 */
export function alphaOfSplit(ordinal: number): number {
  return (limits.unguardedAlpha * ordinal ** -exponent) / sumOfAll
}
