// Bucketing: maps a unit to a position from 0 to 99 999, uniform over units and independent between salts.

import { limits } from '../limits.ts'
import { finishHash, type HashState, startHash } from './murmur3.ts'

/** The hash state of the salt: everything the position depends on except the unit, hashed once. */
export type Bucketing = HashState

// Destructured once: this runs for every percentage split.
const { weightTotal } = limits
const hashes = 2 ** 32

export function bucketingOf(salt: string): Bucketing {
  return startHash(`${salt}.`)
}

/** floor(MurmurHash3(salt + '.' + unit) × 100 000 ÷ 2³²), so the upper bits decide. Exact in doubles. */
export function positionOf(bucketing: Bucketing, unit: string): number {
  return Math.floor(((finishHash(bucketing, unit) >>> 0) * weightTotal) / hashes)
}
