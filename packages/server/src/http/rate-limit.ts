// Counts requests by key in windows of a minute. Bounded: the least recently counted key is forgotten first.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import ipaddr from 'ipaddr.js'
import { rememberLast } from '../remember-last.ts'

const keysRemembered = 20_000
const sharedPrefixBits = 64

export interface RateLimit {
  /** Counts one; throws `rate-limited` when the window is full. */
  take(key: string): void
  /** Uncounts one: what turned out to be fine. */
  giveBack(key: string): void
}

export function createRateLimit(most: number, clock: () => Date): RateLimit {
  const windows = rememberLast<{ count: number; endsAt: number }>(keysRemembered)

  return {
    take(key) {
      const now = clock().getTime()
      const known = windows.get(key)
      const window = known && known.endsAt > now ? known : { count: 0, endsAt: now + limits.rateWindow }
      if (window.count >= most) {
        throw problem('rate-limited', {
          detail: `At most ${most} a minute.`,
          retryAfterSeconds: (window.endsAt - now) / 1_000,
        })
      }
      windows.set(key, { ...window, count: window.count + 1 })
    },
    giveBack(key) {
      const window = windows.get(key)
      if (window) windows.set(key, { ...window, count: Math.max(0, window.count - 1) })
    },
  }
}

/** One household or machine: an IPv4 address, or the network that an IPv6 customer is given. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()

  return parsed
    .toByteArray()
    .slice(0, sharedPrefixBits / 8)
    .join('.')
}
