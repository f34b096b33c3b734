// Reloads what sessions reported about flags. At startup, all sessions that may continue: rows that the spool still
// held then are read once they are in the store. Later, one session at a time, and only if it may be known: another
// server received it, or it was evicted. A slow store does not delay requests for long; flags then start fresh.

import { addReport } from '@telltale/core/telemetry/reported-values'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import { reasonOf } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import { type FoundExposure, findExposures } from './find-exposures.ts'
import type { KnownSession, KnownSessions } from './known-sessions.ts'
import { keepLabel } from './label-value.ts'

interface Remembering {
  /** Resolves when the sessions have been looked up, or after a timeout. */
  recall(environmentId: string, sessions: ReadonlySet<string>): Promise<Map<string, KnownSession>>
  stop(): void
}

interface RememberingParts extends Pick<Services, 'background'> {
  telemetry: Pick<Services['telemetry'], 'read' | 'state' | 'untilUsable'>
  config: Pick<Services['config'], 'databaseUrl'>
  log: Pick<Services['log'], 'warn' | 'debug'>
  sessions: KnownSessions
  source: string
  now(): number
  /** How long accepted data waits for the store. */
  behind(): number
}

/** For all sessions of a batch together. */
const patience = 1_000
/** Limits the query's length, which includes their IDs. */
const sessionsAtOnce = 1_000
const betweenLooks = 1_000
/** A minute. */
const looksMost = 60
/** After this time, sessions of other servers are looked up again. */
const rereadAfter = 30_000

export function startRemembering(parts: RememberingParts): Remembering {
  const { telemetry, sessions, source, now, config, background, log } = parts
  const stopping = new AbortController()
  const isShared = config.databaseUrl !== undefined
  const readAt = new WeakMap<KnownSession, number>()
  const started = now()
  let isRemembered = false

  const readAll = async () => {
    await telemetry.untilUsable(stopping.signal)
    for (const exposure of await findExposures(telemetry, { source, now: now(), signal: stopping.signal })) {
      takeIn(sessions, exposure)
    }
  }
  const readAtStart = async () => {
    await readAll()
    isRemembered = true
    // Rows accepted before startup that only now reached the store.
    for (let looks = 0; parts.behind() > now() - started && looks < looksMost; looks++) {
      await pause(betweenLooks, stopping.signal)
    }
    if (!stopping.signal.aborted) await readAll()
  }
  const reading = readAtStart().catch((error: unknown) => {
    isRemembered = true
    if (!stopping.signal.aborted) {
      log.warn(
        { reason: reasonOf(error) },
        'flags of continuing sessions could not be read: starting without',
      )
    }
  })
  background(reading, 'reading flags of sessions')

  const mayHaveBeenHere = () => isShared || sessions.hasForgotten()
  const readSome = async (environmentId: string, wanted: readonly string[]) => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(patience)])
    try {
      for (let first = 0; first < wanted.length; first += sessionsAtOnce) {
        const of = { environmentId, sessions: wanted.slice(first, first + sessionsAtOnce) }
        for (const each of await findExposures(telemetry, { source, now: now(), of, signal }))
          takeIn(sessions, each)
      }
    } catch (error) {
      log.debug({ reason: reasonOf(error) }, 'flags of sessions could not be read: starting without')
    }
  }

  return {
    async recall(environmentId, wanted) {
      if (!isRemembered && isUsable(telemetry.state().state)) {
        await Promise.race([reading, pause(patience, stopping.signal)])
      }
      const recalled = new Map<string, KnownSession>()
      const others: string[] = []
      for (const session of wanted) {
        const known = sessions.find(environmentId, session)
        const isCurrent = known !== undefined && (!isShared || now() - (readAt.get(known) ?? 0) < rereadAfter)
        if (isCurrent) recalled.set(session, known)
        else others.push(session)
      }
      const mayRead = others.length > 0 && mayHaveBeenHere() && isUsable(telemetry.state().state)
      if (mayRead) await readSome(environmentId, others)
      for (const session of others) {
        const found = sessions.find(environmentId, session) ?? sessions.make(environmentId, session)
        readAt.set(found, now())
        recalled.set(session, found)
      }
      return recalled
    },
    stop: () => stopping.abort(),
  }
}

function pause(span: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, span)
    timer.unref()
    signal.addEventListener('abort', done)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

function takeIn(sessions: KnownSessions, found: FoundExposure): void {
  const { environmentId, session, flag, variation, at, userKey, anonymousId, view, arms } = found
  const known = sessions.find(environmentId, session) ?? sessions.make(environmentId, session)
  const pair = `${flag}=${variation}`
  if (known.exposed.has(pair) && arms.every((arm) => known.exposed.has(`${pair} ${arm}`))) return
  known.exposed.add(pair)
  for (const arm of arms) known.exposed.add(`${pair} ${arm}`)

  const reported = known.flags.get(flag) ?? []
  known.flags.set(flag, reported)
  addReport(reported, { value: keepLabel(variation), since: at, at, userKey, anonymousId, view })
  sessions.weigh(environmentId, session, known)
}
