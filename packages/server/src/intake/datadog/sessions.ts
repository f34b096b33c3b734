// What is known of the sessions of a foreign client beside their events: its clock, and who it was. Replay and profiles say
// neither. Bounded: the session that was heard of least recently is forgotten first.

import type { RumContext, RumEvent } from '@telltale/core/telemetry/datadog/rum-event'
import { clockOffset } from '@telltale/core/telemetry/likely-time'
import { rememberLast } from '../../platform/process/remember-last.ts'

export interface KnownSession {
  /** What to add to times of the client. */
  offset: number
  /** What was said last of who, where and with which version. */
  about: RumContext
  /** Who was signed in when the session began. */
  firstUserKey: string
}

interface Arrival {
  arrivedAt: number
  /** The client's clock when it sent this. */
  sentAt: number | undefined
}

export interface DatadogSessions {
  find(environmentId: string, session: string): KnownSession | undefined
  hear(environmentId: string, about: RumContext, heard: Arrival): void
  /** What to add to times of the client; nothing is known before the first batch of events. */
  offsetOf(environmentId: string, session: string): number | undefined
  /** The event, said to be of the person and of the action that the others of its session are of. */
  join(environmentId: string, told: RumEvent): RumEvent
}

const sessionsRemembered = 50_000
const actionsRemembered = 200_000

export function createDatadogSessions(): DatadogSessions {
  const sessions = rememberLast<KnownSession>(sessionsRemembered)
  /** The client gives a click two ids, and says later which one it keeps: both stand for the first. */
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
    join(environmentId, told) {
      const { event, about, actions: ids } = told
      if (event.kind === 'action') {
        event.action = joinActions(environmentId, [event.id]) ?? event.id
      } else if (event.kind === 'error' || event.kind === 'resource') {
        const action = joinActions(environmentId, ids)
        if (action !== undefined) event.action = action
      }
      // A browser that has an id of its own is known by it, whoever signs in.
      if (about.anonymousId !== undefined) return told
      const sessionUserKey = find(environmentId, about.session)?.firstUserKey ?? ''
      return { ...told, about: { ...about, sessionUserKey } }
    },
  }
}

/** A clock does not jump by a little: what differs is how long the requests took. */
const sameClock = 60_000

/** By this batch and by those before: the quickest request tells it best. */
function betterOffset(known: number | undefined, heard: Arrival): number {
  if (heard.sentAt === undefined) return known ?? 0
  const found = clockOffset(heard)
  return known === undefined || Math.abs(found - known) > sameClock ? found : Math.min(found, known)
}
