// Meters what the intake accepts and delivery evaluates: in memory, written every few seconds. A server that is killed
// loses those few seconds, of what it had already stored; a session is counted by its next batch.

import { limits } from '@telltale/core/limits'
import type { Meter } from '@telltale/core/usage/meters'
import { rememberLast } from '../../platform/process/remember-last.ts'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import type { KnownEnvironment } from '../keys/known-keys.ts'
import { sessionHash } from './session-hash.ts'
import { type UsageCell, type UsageHour, type UsageSession, writeUsage } from './write-usage.ts'

/** The environment as one of its keys knows it. */
export type MeteredEnvironment = Pick<KnownEnvironment, 'id' | 'projectId' | 'keyId'>

export interface UsageCounts {
  add(environment: MeteredEnvironment, application: string, counts: UsageAmounts): void
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
const dayLength = 10

interface Waiting {
  cells: Map<string, UsageCell>
  hours: Map<string, UsageHour>
  sessions: Map<string, UsageSession>
}

const nothing = (): Waiting => ({ cells: new Map(), hours: new Map(), sessions: new Map() })

/** The day in UTC and the end of its hour. Formatting a date for every batch would take longer than counting it. */
function createToday(clock: () => Date): () => { until: number; text: string } {
  let day = { until: 0, text: '' }
  return () => {
    const now = clock().getTime()
    if (now >= day.until || now < day.until - hourLength) {
      const until = (Math.floor(now / hourLength) + 1) * hourLength
      day = { until, text: new Date(now).toISOString().slice(0, dayLength) }
    }
    return day
  }
}

export function createUsageCounts({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): UsageCounts {
  let waiting = nothing()
  const counted = rememberLast<number>(limits.usageSessionsRemembered)
  const evaluations = new Map<string, { environment: MeteredEnvironment; counter: { count: number } }>()
  const today = createToday(clock)

  const addCell = (cell: UsageCell): void => {
    const { environment, key, application, kind } = cell
    const name = `${environment} ${key} ${cell.day} ${kind} ${application}`
    const known = waiting.cells.get(name)
    if (known !== undefined) known.count += cell.count
    else if (waiting.cells.size < limits.usageCells || application === '')
      waiting.cells.set(name, { ...cell })
    else addCell({ ...cell, application: '' })
  }
  const addHour = ({ environment, hour, events }: UsageHour) => {
    const name = `${environment} ${hour}`
    const known = waiting.hours.get(name)
    if (known === undefined) waiting.hours.set(name, { environment, hour, events })
    else known.events += events
  }
  const cellOf = ({ id, projectId, keyId }: MeteredEnvironment, application: string) => ({
    project: projectId,
    environment: id,
    key: keyId ?? noKey,
    day: today().text,
    application,
  })

  const takeEvaluations = () => {
    for (const [key, { environment, counter }] of evaluations) {
      // A revoked key is not kept forever.
      if (counter.count === 0) evaluations.delete(key)
      else addCell({ ...cellOf(environment, ''), kind: 'evaluations', count: counter.count })
      counter.count = 0
    }
  }
  const write = async () => {
    takeEvaluations()
    const taken = waiting
    if (taken.cells.size + taken.sessions.size === 0) return
    waiting = nothing()
    try {
      await writeUsage(db, {
        cells: [...taken.cells.values()],
        hours: [...taken.hours.values()],
        sessions: [...taken.sessions.values()],
        at: clock(),
      })
    } catch (error) {
      for (const cell of taken.cells.values()) addCell(cell)
      for (const hour of taken.hours.values()) addHour(hour)
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
    add(environment, application, counts) {
      const cell = cellOf(environment, application)
      for (const kind of Object.keys(counts) as (keyof UsageAmounts)[]) {
        const count = counts[kind] ?? 0
        if (count > 0) addCell({ ...cell, kind, count })
      }
      const { events = 0 } = counts
      if (events > 0) addHour({ environment: environment.id, hour: today().until - hourLength, events })
    },
    addSession(environment, application, session) {
      const name = `${environment.id} ${session}`
      if (counted.has(name) || waiting.sessions.has(name)) return
      if (waiting.sessions.size >= limits.usageSessionsWaiting) return
      waiting.sessions.set(name, {
        ...cellOf(environment, application),
        session: sessionHash(environment.id, session),
      })
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
