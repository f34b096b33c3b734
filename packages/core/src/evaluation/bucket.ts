// The bucket of a subject: a position from 0 to 99 999, uniform over subjects and independent between salts.

import { limits } from '../limits.ts'
import { finishHash, type HashState, startHash } from './murmur3.ts'

/** Everything the position depends on but the subject, hashed once. */
export type Bucketing = HashState

// Read once: this runs for every drawn variation.
const { weightTotal } = limits
const hashes = 2 ** 32

export function bucketingOf(salt: string): Bucketing {
  return startHash(`${salt}.`)
}

/** floor(MurmurHash3(salt + '.' + unit) × 100 000 ÷ 2³²): the upper bits decide. Exact in doubles. */
export function positionOf(bucketing: Bucketing, unit: string): number {
  return Math.floor(((finishHash(bucketing, unit) >>> 0) * weightTotal) / hashes)
}
