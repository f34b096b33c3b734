// Counts requests by key in windows of a minute. Bounded: the least recently counted key is evicted first.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import ipaddr from 'ipaddr.js'
import { rememberLast } from '../process/remember-last.ts'

const keysRemembered = 20_000
const sharedPrefixBits = 64

export interface RateLimit {
  /** Counts one; throws `rate-limited` when the window is full. */
  take(key: string): void
  /** Counts one if the limit allows it, and returns whether it did. */
  tryTake(key: string): boolean
  /** Removes one from the count, for a request that turned out to be valid. */
  giveBack(key: string): void
}

/** `elapsed`: monotonic milliseconds, unlike the time of day. */
export function createRateLimit(most: number, elapsed: () => number): RateLimit {
  const windows = rememberLast<{ count: number; endsAt: number }>(keysRemembered)

  const windowOf = (key: string) => {
    const now = elapsed()
    const known = windows.get(key)
    return known && known.endsAt > now ? known : { count: 0, endsAt: now + limits.rateWindow }
  }
  const tryTake = (key: string) => {
    const window = windowOf(key)
    if (window.count >= most) return false
    windows.set(key, { ...window, count: window.count + 1 })
    return true
  }

  return {
    tryTake,
    take(key) {
      if (tryTake(key)) return
      throw problem('rate-limited', {
        detail: `At most ${most} a minute.`,
        retryAfterSeconds: (windowOf(key).endsAt - elapsed()) / 1_000,
      })
    },
    giveBack(key) {
      const window = windows.get(key)
      if (window) windows.set(key, { ...window, count: Math.max(0, window.count - 1) })
    },
  }
}

/** One household or machine: an IPv4 address, or the network prefix assigned to an IPv6 customer. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()

  return parsed
    .toByteArray()
    .slice(0, sharedPrefixBits / 8)
    .join('.')
}
