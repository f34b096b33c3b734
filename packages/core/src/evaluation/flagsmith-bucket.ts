// Flagsmith's bucketing, so that imported users keep their variation: MD5 over ids joined by commas, modulo 9999.

import { md5 } from '@noble/hashes/legacy.js'

const encoder = new TextEncoder()

/** The identity's key at Flagsmith, which every draw of an identity hashes. */
export function identityKeyOf(environmentKey: string, targetingKey: string): string {
  return `${environmentKey}_${targetingKey}`
}

/** A percentage, 0 ≤ p < 100. */
export function percentageOf(...ids: string[]): number {
  const once = ids.join(',')
  for (let text = once; ; text = `${text},${once}`) {
    const percentage = (remainderOf(md5(encoder.encode(text)), 9999) / 9998) * 100
    // Exactly 100 belongs to nobody: the ids are repeated until they hash to less.
    if (percentage < 100) return percentage
  }
}

/** Of the bytes read as one big-endian number. */
function remainderOf(bytes: Uint8Array, divisor: number): number {
  return bytes.reduce((remainder, byte) => (remainder * 256 + byte) % divisor, 0)
}
