// State of a foreign client's sessions that is not in every event: the clock and the user. Replays and profiles contain
// neither. Limited in size: the least recently used session is evicted first.

import { clockOffset } from '@telltale/core/telemetry/likely-time'
import type { RumContext, RumEvent } from '@telltale/core/telemetry/rum-event'
import { rememberLast } from '../../platform/process/remember-last.ts'

export interface KnownSession {
  /** Added to client times. */
  offset: number
  /** The latest user, page and version. */
  about: RumContext
  /** The user who was signed in when the session began. */
  firstUserKey: string
}

interface Arrival {
  arrivedAt: number
  /** The client's clock at the time of sending. */
  sentAt: number | undefined
}

export interface DatadogSessions {
  find(environmentId: string, session: string): KnownSession | undefined
  hear(environmentId: string, about: RumContext, heard: Arrival): void
  /** Added to client times; undefined before the first batch of events. */
  offsetOf(environmentId: string, session: string): number | undefined
  /** The event, attributed to the user and action of the other events of its session. */
  join(environmentId: string, reported: RumEvent): RumEvent
}

const sessionsRemembered = 50_000
const actionsRemembered = 200_000

export function createDatadogSessions(): DatadogSessions {
  const sessions = rememberLast<KnownSession>(sessionsRemembered)
  /** The client gives a click two IDs and later reports which one it keeps: both are mapped to the first. */
  const actions = rememberLast<string>(actionsRemembered)
  const find = (environmentId: string, session: string) => sessions.get(`${environmentId} ${session}`)
  const joinActions = (environmentId: string, ids: readonly string[]): string | undefined => {
    const keys = ids.map((id) => `${environmentId} ${id}`)
    const known = keys.map((key) => actions.get(key)).find((id) => id !== undefined) ?? ids[0]
    if (known !== undefined) for (const key of keys) actions.set(key, known)
    return known
  }

  return {
    find,
    hear(environmentId, about, heard) {
      const known = find(environmentId, about.session)
      sessions.set(`${environmentId} ${about.session}`, {
        offset: betterOffset(known?.offset, heard),
        about: { ...known?.about, ...about },
        firstUserKey: known?.firstUserKey ?? about.userKey ?? '',
      })
    },
    offsetOf: (environmentId, session) => find(environmentId, session)?.offset,
    join(environmentId, reported) {
      const { event, about, actions: ids } = reported
      if (event.kind === 'action') {
        event.action = joinActions(environmentId, [event.id]) ?? event.id
      } else if (event.kind === 'error' || event.kind === 'resource') {
        const action = joinActions(environmentId, ids)
        if (action !== undefined) event.action = action
      }
      // A browser with its own ID is identified by it, even when users sign in.
      if (about.anonymousId !== undefined) return reported
      const sessionUserKey = find(environmentId, about.session)?.firstUserKey ?? ''
      return { ...reported, about: { ...about, sessionUserKey } }
    },
  }
}

/** Clocks do not jump by small amounts: small differences are request durations. */
const sameClock = 60_000

/** From this batch and earlier ones: the fastest request gives the best estimate. */
function betterOffset(known: number | undefined, heard: Arrival): number {
  if (heard.sentAt === undefined) return known ?? 0
  const found = clockOffset(heard)
  return known === undefined || Math.abs(found - known) > sameClock ? found : Math.min(found, known)
}
