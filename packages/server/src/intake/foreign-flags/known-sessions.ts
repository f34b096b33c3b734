// What sessions told of their flags, in memory and bounded: the session nobody heard of for the longest goes first, and
// what is known of it is read from the telemetry store when it comes back.

import { limits } from '@telltale/core/limits'
import type { ReportedValue } from '@telltale/core/telemetry/reported-values'
import { LRUCache } from 'lru-cache'

export interface KnownSession {
  /** What was told of each flag. */
  flags: Map<string, ReportedValue[]>
  /** The exposures that were made: `flag=variation`, with its arm or without one. */
  exposed: Set<string>
  /** The attributes of the person seen last. */
  userKey: string
  attributes: Readonly<Record<string, unknown>>
  /** About what they take in memory. */
  attributeBytes: number
}

export interface KnownSessions {
  find(environmentId: string, session: string): KnownSession | undefined
  make(environmentId: string, session: string): KnownSession
  /** It has grown. */
  weigh(environmentId: string, session: string, known: KnownSession): void
  /** Whether one had to go that might come back. */
  hasForgotten(): boolean
}

const valuesRemembered = 300_000
/** What a value takes. */
const bytesOfValue = 300
export const flagsPerSession = 500

export function createKnownSessions(now: () => number): KnownSessions {
  let forgot = Number.NEGATIVE_INFINITY
  const sessions = new LRUCache<string, KnownSession>({
    maxSize: valuesRemembered,
    sizeCalculation: sizeOf,
    ttl: limits.monitoredSessionMaximum,
    updateAgeOnGet: true,
    dispose: (_known, _key, reason) => {
      if (reason === 'evict') forgot = now()
    },
  })
  const keyOf = (environmentId: string, session: string) => `${environmentId} ${session}`
  return {
    find: (environmentId, session) => sessions.get(keyOf(environmentId, session)),
    make(environmentId, session) {
      const made: KnownSession = { flags: new Map(), exposed: new Set(), userKey: '', ...noAttributes }
      sessions.set(keyOf(environmentId, session), made)
      return made
    },
    weigh(environmentId, session, known) {
      const key = keyOf(environmentId, session)
      // The cache keeps the former size of a value that it holds already.
      sessions.delete(key)
      sessions.set(key, known, { size: sizeOf(known) })
    },
    hasForgotten: () => now() - forgot < limits.monitoredSessionMaximum,
  }
}

const noAttributes = { attributes: {}, attributeBytes: 0 }

function sizeOf({ flags, exposed, attributeBytes }: KnownSession): number {
  let size = 1 + exposed.size + Math.ceil(attributeBytes / bytesOfValue)
  for (const told of flags.values()) size += told.length
  return size
}
