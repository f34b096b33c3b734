// Meters what the intake accepts and delivery evaluates: in memory, written every few seconds. A server that is killed
// loses those few seconds, of what it had already stored; a session is counted by its next batch.

import { limits } from '@telltale/core/limits'
import type { Meter } from '@telltale/core/usage/meters'
import { rememberLast } from '../../platform/process/remember-last.ts'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import type { KnownEnvironment } from '../keys/known-keys.ts'
import { createBoundApplication } from './bound-application.ts'
import { sessionHash } from './session-hash.ts'
import { dayText } from './usage-days.ts'
import {
  type UsageCell,
  type UsageHour,
  type UsagePlace,
  type UsageSession,
  writeUsage,
} from './write-usage.ts'

/** The environment as one of its keys knows it. */
export type MeteredEnvironment = Pick<KnownEnvironment, 'id' | 'projectId' | 'keyId'>

export interface UsageCounts {
  add(environment: MeteredEnvironment, application: string, counts: UsageAmounts): void
  /** Counts what a quota or a spike dropped towards the usual events of the hour; it was not used. */
  addReduced(environment: MeteredEnvironment, events: number): void
  /** Counts a session at its first event, for the key and the application of that event. */
  addSession(environment: MeteredEnvironment, application: string, session: string): void
  /** Increment for every evaluation; looked up for every request. */
  evaluationsOf(environment: MeteredEnvironment): { count: number }
  /** Writes all counts so far. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export type UsageAmounts = Partial<Record<Exclude<Meter, 'sessions'>, number>>

const noKey = '00000000-0000-0000-0000-000000000000'
const hourLength = 3_600_000

interface Hour {
  /** Its beginning, in milliseconds since 1970. */
  at: number
  /** In UTC. */
  day: string
}

/** What an application sent with a key in an hour: one look-up for a batch. */
interface Tally extends UsagePlace {
  hour: number
  counts: UsageAmounts
}

interface Waiting {
  tallies: Map<string, Tally>
  sessions: Map<string, UsageSession>
  reduced: Map<string, UsageHour>
}

const nothing = (): Waiting => ({ tallies: new Map(), sessions: new Map(), reduced: new Map() })
const kindsOf = (counts: UsageAmounts) => Object.keys(counts) as (keyof UsageAmounts)[]

/** Formatting a date for every batch would take longer than counting it. */
function createHour(clock: () => Date): () => Hour {
  let known: Hour = { at: Number.NEGATIVE_INFINITY, day: '' }
  return () => {
    const now = clock().getTime()
    if (now < known.at || now >= known.at + hourLength) {
      known = {
        at: Math.floor(now / hourLength) * hourLength,
        day: dayText(new Date(now)),
      }
    }
    return known
  }
}

export function createUsageCounts({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): UsageCounts {
  let waiting = nothing()
  const counted = rememberLast<number>(limits.usageSessionsRemembered)
  const evaluations = new Map<string, { environment: MeteredEnvironment; counter: { count: number } }>()
  const hourNow = createHour(clock)
  const bound = createBoundApplication()

  const addCounts = (place: Omit<Tally, 'counts'>, counts: UsageAmounts): void => {
    const name = `${place.key} ${place.hour} ${place.environment} ${place.application}`
    const known = waiting.tallies.get(name)
    if (known === undefined) {
      const isFull = waiting.tallies.size >= limits.usageCells
      const application = isFull ? '' : bound(place)
      if (application !== place.application) addCounts({ ...place, application }, counts)
      else waiting.tallies.set(name, { ...place, counts: { ...counts } })
      return
    }
    for (const kind of kindsOf(counts)) known.counts[kind] = (known.counts[kind] ?? 0) + (counts[kind] ?? 0)
  }
  const placeOf = (
    { id, projectId, keyId }: MeteredEnvironment,
    application: string,
    { at, day }: Hour,
  ): Omit<Tally, 'counts'> => ({
    project: projectId,
    environment: id,
    key: keyId ?? noKey,
    day,
    application,
    hour: at,
  })

  const takeEvaluations = () => {
    for (const [key, { environment, counter }] of evaluations) {
      // A revoked key is not kept forever.
      if (counter.count === 0) evaluations.delete(key)
      else addCounts(placeOf(environment, '', hourNow()), { evaluations: counter.count })
      counter.count = 0
    }
  }
  const write = async () => {
    takeEvaluations()
    const taken = waiting
    if (taken.tallies.size + taken.sessions.size + taken.reduced.size === 0) return
    waiting = nothing()
    try {
      const tallies = [...taken.tallies.values()]
      await writeUsage(db, {
        cells: tallies.flatMap(toCells),
        hours: toHours(tallies, taken.reduced.values()),
        sessions: [...taken.sessions.values()],
        at: clock(),
      })
    } catch (error) {
      for (const { counts, ...place } of taken.tallies.values()) addCounts(place, counts)
      for (const hour of taken.reduced.values()) addHour(waiting.reduced, hour)
      for (const [name, session] of taken.sessions) waiting.sessions.set(name, session)
      throw error
    }
    for (const name of taken.sessions.keys()) counted.set(name, 1)
  }

  let last = Promise.resolve()
  const flush = () => {
    last = last.catch(() => undefined).then(write)
    return last
  }
  const stopRepeating = startRepeating(
    log,
    { what: 'writing meters', every: limits.usageFlushInterval },
    flush,
  )

  return {
    add: (environment, application, counts) =>
      addCounts(placeOf(environment, application, hourNow()), counts),
    addReduced: ({ id }, events) => addHour(waiting.reduced, { environment: id, hour: hourNow().at, events }),
    addSession(environment, application, session) {
      const name = `${environment.id} ${session}`
      if (counted.has(name) || waiting.sessions.has(name)) return
      if (waiting.sessions.size >= limits.usageSessionsWaiting) return
      const { hour: _, ...place } = placeOf(environment, application, hourNow())
      const hash = sessionHash(environment.id, session)
      waiting.sessions.set(name, { ...place, application: bound(place), session: hash })
    },
    evaluationsOf(environment) {
      const key = environment.keyId ?? environment.id
      const known = evaluations.get(key)
      if (known !== undefined) return known.counter
      const counter = { count: 0 }
      evaluations.set(key, { environment, counter })
      return counter
    },
    flush,
    stop: () => finish(log, 'writing the last meters', stopRepeating().then(flush)),
  }
}

function toCells({ counts, hour: _, ...place }: Tally): UsageCell[] {
  return kindsOf(counts).flatMap((kind) => {
    const count = counts[kind] ?? 0
    return count > 0 ? [{ ...place, kind, count }] : []
  })
}

/** One row for each environment and hour: a statement cannot add to a row twice. */
function toHours(tallies: readonly Tally[], reduced: Iterable<UsageHour>): UsageHour[] {
  const hours = new Map<string, UsageHour>()
  for (const { environment, hour, counts } of tallies) {
    addHour(hours, { environment, hour, events: counts.events ?? 0 })
  }
  for (const hour of reduced) addHour(hours, hour)
  return [...hours.values()]
}

function addHour(hours: Map<string, UsageHour>, { environment, hour, events }: UsageHour): void {
  if (events === 0) return
  const name = `${environment} ${hour}`
  const known = hours.get(name)
  if (known === undefined) hours.set(name, { environment, hour, events })
  else known.events += events
}
