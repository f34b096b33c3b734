// Which session telemetry belongs to whose client has no session id that is in everything. In Sentry's, a recording has
// its own, a page load has one of release health and one of its trace, and each message names some of them; in Faro's,
// sessions can be switched off. What names a known id belongs to the session of that id; what names none, to the last
// session of the same browser. In memory, bounded: after a restart, a page that is open continues as a new session.

import { rememberLast } from '../../platform/process/remember-last.ts'

/** The ids that a message names. */
export interface NamedIds {
  replay?: string | undefined
  trace?: string | undefined
  /** The trace of the page before, if this is a navigation. */
  previousTrace?: string | undefined
  /** Of release health. */
  sid?: string | undefined
  /** A page was loaded. */
  isStart?: boolean
}

interface Visit {
  session: string
  replay: string | undefined
  lastAt: number
}

interface From {
  environmentId: string
  /** What tells browsers apart: address, user agent and user. */
  client: string
  now: number
}

export interface Visits {
  /** The session, which is new if none of the ids is known. `makeId` is called for one that names no id. */
  sessionOf(from: From, ids: NamedIds, makeId: () => string): string
}

const remembered = 100_000
/** As long as the session of our own client survives without activity. */
const idle = 30 * 60_000

export function createVisits(): Visits {
  const byId = rememberLast<Visit>(remembered)
  const byClient = rememberLast<Visit>(remembered)

  return {
    sessionOf({ environmentId, client, now }, ids, makeId) {
      const { replay, trace, previousTrace, sid, isStart = false } = ids
      const own = `${environmentId} ${client}`
      const keys = [`replay ${replay}`, `trace ${trace}`, `trace ${previousTrace}`, `sid ${sid}`]
        .filter((key) => !key.endsWith(' undefined'))
        .map((key) => `${environmentId} ${key}`)
      const known = keys.flatMap((key) => byId.get(key) ?? [])
      const last = byClient.get(own)
      const isRecent = last !== undefined && now - last.lastAt <= idle
      // Each page load is a session of release health, unless a recording goes on across it.
      const isOther = isStart ? last?.replay === undefined : isConflict(last, replay)
      const visit = known[0] ??
        (isRecent && !isOther ? last : undefined) ?? {
          session: replay ?? sid ?? trace ?? makeId(),
          replay,
          lastAt: now,
        }
      visit.lastAt = now
      visit.replay ??= replay
      for (const key of keys) byId.set(key, visit)
      byClient.set(own, visit)
      return visit.session
    },
  }
}

const isConflict = (last: Visit | undefined, replay: string | undefined) =>
  last?.replay !== undefined && replay !== undefined && last.replay !== replay
