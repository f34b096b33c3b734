// How many bytes of replay each session has sent to this server. The counts are reset by a restart.

import { limits } from '@telltale/core/limits'
import { rememberLast } from '../../platform/process/remember-last.ts'

export interface SessionSizes {
  /** Whether the session may send this many more bytes. */
  hasRoom(environmentId: string, session: string, bytes: number): boolean
  add(environmentId: string, session: string, bytes: number): void
}

const remembered = 100_000

export function createSessionSizes(mostBytes: number): SessionSizes {
  const sizes = rememberLast<number>(remembered, { ttl: limits.monitoredSessionMaximum })
  return {
    hasRoom: (environmentId, session, bytes) =>
      (sizes.get(`${environmentId} ${session}`) ?? 0) + bytes <= mostBytes,
    add(environmentId, session, bytes) {
      const key = `${environmentId} ${session}`
      sizes.set(key, (sizes.get(key) ?? 0) + bytes)
    },
  }
}
