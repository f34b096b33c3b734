// Flag values that sessions reported, in memory and limited in size: the least recently used session is evicted first,
// and read from the telemetry store when it returns.

import { limits } from '@telltale/core/limits'
import type { ReportedValue } from '@telltale/core/telemetry/reported-values'
import { LRUCache } from 'lru-cache'

export interface KnownSession {
  /** The reported values of each flag. */
  flags: Map<string, ReportedValue[]>
  /** The recorded exposures: `flag=variation`, with or without an arm. */
  exposed: Set<string>
  /** The attributes of the most recent user. */
  userKey: string
  attributes: Readonly<Record<string, unknown>>
  /** Approximate memory of all sessions. */
  attributeBytes: number
}

export interface KnownSessions {
  find(environmentId: string, session: string): KnownSession | undefined
  make(environmentId: string, session: string): KnownSession
  /** Updates the size after a session has grown. */
  weigh(environmentId: string, session: string, known: KnownSession): void
  /** Whether a session was evicted that may return. */
  hasForgotten(): boolean
}

const valuesRemembered = 300_000
/** Memory of a value. */
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
      // The cache keeps the previous size of a value that it already contains.
      sessions.delete(key)
      sessions.set(key, known, { size: sizeOf(known) })
    },
    hasForgotten: () => now() - forgot < limits.monitoredSessionMaximum,
  }
}

const noAttributes = { attributes: {}, attributeBytes: 0 }

function sizeOf({ flags, exposed, attributeBytes }: KnownSession): number {
  let size = 1 + exposed.size + Math.ceil(attributeBytes / bytesOfValue)
  for (const reported of flags.values()) size += reported.length
  return size
}
