// Flagsmith's bucketing, so that imported users keep their variation: MD5 over comma-separated ids, modulo 9999.

import { md5 } from '@noble/hashes/legacy.js'

const encoder = new TextEncoder()

/** The identity's key in Flagsmith, which all percentages of an identity hash. */
export function identityKeyOf(environmentKey: string, targetingKey: string): string {
  return `${environmentKey}_${targetingKey}`
}

/** A percentage, 0 ≤ p < 100. */
export function percentageOf(...ids: string[]): number {
  const once = ids.join(',')
  for (let text = once; ; text = `${text},${once}`) {
    const percentage = (remainderOf(md5(encoder.encode(text)), 9999) / 9998) * 100
    // As in Flagsmith: a result of exactly 100 is hashed again with the ids repeated, until it is below 100.
    if (percentage < 100) return percentage
  }
}

/** The remainder of the bytes, read as one big-endian number. */
function remainderOf(bytes: Uint8Array, divisor: number): number {
  return bytes.reduce((remainder, byte) => (remainder * 256 + byte) % divisor, 0)
}
