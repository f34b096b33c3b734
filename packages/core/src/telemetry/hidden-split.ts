// Splits that belong to no flag: the A/A test, and holdouts. Events of their users carry their arms like those of flags.

import { aaTestSplit } from './aa-test-arm.ts'

/** Flags count up from 1, and never reach it. */
const firstOfHoldouts = 2n ** 62n
const countOfHoldouts = 2n ** 60n

const shortestOfHoldouts = String(firstOfHoldouts).length

/** A split number for a holdout, from 60 random bits. */
export function holdoutSplit(random: bigint): string {
  return String(firstOfHoldouts + (random % countOfHoldouts))
}

/** Whether a split belongs to no flag. */
export function isHiddenSplit(split: string): boolean {
  if (split === aaTestSplit) return true
  // Without a conversion for the splits of flags.
  if (split.length < shortestOfHoldouts) return false
  const place = BigInt(split) - firstOfHoldouts
  return place >= 0n && place < countOfHoldouts
}
