// Live tails across the servers on one PostgreSQL: a server with watchers announces their filters while they are open;
// the others send it matching events in PostgreSQL notifications. Nothing is sent without watchers, and no more than
// one reader could read: what is left out is counted here as well.

import { LiveEvent } from '@telltale/core/contract/live'
import { limits } from '@telltale/core/limits'
import { parseFilter, printFilter } from '@telltale/core/query/filter'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { v7 as newId } from 'uuid'
import { startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import { shrinkEvent } from './live-row.ts'
import type { LiveTail, Watcher } from './live-tail.ts'
import { anyOf, createMatch, type Match } from './match-event.ts'
import { sendNote } from './queries.ts'
import { createWaiting, type Waiting } from './waiting.ts'

interface Relay {
  /** The filters of this server's watchers in this environment; empty when the last one has left. */
  watch(environmentId: string, wanted: readonly Match[]): void
  /** Events that other servers accept. */
  listen(environmentId: string, match: Match): Watcher
  close(): Promise<void>
}

type RelayParts = Pick<Services, 'db' | 'announcements' | 'clock' | 'log'> & Pick<LiveTail, 'watch'>

const WatchNote = Type.Object({
  kind: Type.Literal('watch'),
  from: Type.String(),
  environment: Type.String(),
  filters: Type.Array(Type.String()),
})
const EventsNote = Type.Object({
  kind: Type.Literal('events'),
  from: Type.String(),
  to: Type.String(),
  environment: Type.String(),
  events: Type.Array(LiveEvent),
  /** How many were left out. */
  missed: Type.Integer({ minimum: 0 }),
})
const Note = Type.Union([WatchNote, EventsNote])
const noteSchema = Compile(Note)
type Note = Static<typeof Note>

interface Remote {
  to: string
  environment: string
  filters: string
  watcher: Watcher
  until: number
}

/** PostgreSQL limits a notification to less than 8 000 bytes. */
const noteBytes = 7_800
const remotesAtMost = 100

export function createRelay({ db, announcements, clock, log, watch }: RelayParts): Relay {
  const own = newId()
  const wantedHere = new Map<string, readonly Match[]>()
  const listening = new Map<string, Map<Waiting, Match>>()
  const remotes = new Map<string, Remote>()
  const now = () => clock().getTime()
  const send = (note: Note) => sendNote(db, JSON.stringify(note))

  const printWatching = async () => {
    for (const [environment, matches] of wantedHere) await send(watchNote(own, environment, matches))
  }
  const forget = (key: string) => {
    remotes.get(key)?.watcher.stop()
    remotes.delete(key)
  }
  const noteRemote = ({ from, environment, filters }: Static<typeof WatchNote>) => {
    const key = `${from} ${environment}`
    const known = remotes.get(key)
    const until = now() + limits.liveRelayLifetime
    const text = JSON.stringify(filters)
    if (known?.filters === text) {
      known.until = until
      return
    }
    forget(key)
    if (filters.length === 0 || remotes.size >= remotesAtMost) return
    const watcher = watch(environment, anyOf(filters.flatMap(readMatch)))
    remotes.set(key, { to: from, environment, filters: text, watcher, until })
  }
  const passOn = async () => {
    for (const [key, { to, environment, watcher, until }] of remotes) {
      if (until < now()) forget(key)
      const { events, arrived } = watcher.take()
      if (arrived === 0) continue
      const notes = divide(events.map(small))
      for (const [index, part] of notes.entries()) {
        const missed = index === 0 ? arrived - events.length : 0
        await send({ kind: 'events', from: own, to, environment, events: part, missed })
      }
    }
  }
  const hear = (text: string) => {
    const note = parseNote(text)
    if (note === undefined) return log.error({}, 'a note about live tails could not be read')
    if (note.from === own) return
    if (note.kind === 'watch') return noteRemote(note)
    if (note.to !== own) return
    for (const [waiting, match] of listening.get(note.environment) ?? []) {
      waiting.miss(note.missed)
      for (const event of note.events) if (match.matches(event)) waiting.add(event)
    }
  }

  const stopHearing = announcements.subscribeToLive(hear)
  const interval = limits.liveRelayLifetime / 3
  const stopSaying = startRepeating(log, { what: 'watching other servers', every: interval }, printWatching)
  const stopPassing = startRepeating(
    log,
    { what: 'passing live events on', every: limits.liveInterval },
    passOn,
  )

  return {
    watch(environmentId, wanted) {
      if (wanted.length === 0) wantedHere.delete(environmentId)
      else wantedHere.set(environmentId, wanted)
      send(watchNote(own, environmentId, wanted)).catch((error: unknown) =>
        log.debug({ err: error }, 'other servers could not be notified of a live tail'),
      )
    },
    listen(environmentId, match) {
      const waiting = createWaiting()
      const all = listening.get(environmentId) ?? new Map<Waiting, Match>()
      listening.set(environmentId, all.set(waiting, match))
      return {
        take: waiting.take,
        stop() {
          all.delete(waiting)
          if (all.size === 0 && listening.get(environmentId) === all) listening.delete(environmentId)
        },
      }
    },
    async close() {
      stopHearing()
      await Promise.all([stopSaying(), stopPassing()])
      for (const key of [...remotes.keys()]) forget(key)
    },
  }
}

function watchNote(from: string, environment: string, matches: readonly Match[]): Note {
  const note: Note = {
    kind: 'watch',
    from,
    environment,
    filters: matches.map(({ filter }) => printFilter(filter)),
  }
  // Too many filters to list: then everything is requested, as far as there is room.
  return sizeOf(note) > noteBytes ? { ...note, filters: [''] } : note
}

/** Filters from another version of the server that this one does not understand are ignored. */
function readMatch(text: string): Match[] {
  const parsed = parseFilter(text)
  return parsed.ok ? [createMatch(parsed.result)] : []
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const roomForEvents = noteBytes - 300
const small = (event: LiveEvent) => (sizeOf(event) > roomForEvents ? shrinkEvent(event) : event)

/** At least one part, each small enough for a notification. */
function divide(events: readonly LiveEvent[]): LiveEvent[][] {
  const parts: LiveEvent[][] = [[]]
  let bytes = 0
  for (const event of events) {
    const size = sizeOf(event) + 1
    if (bytes + size > roomForEvents) {
      parts.push([])
      bytes = 0
    }
    bytes += size
    parts.at(-1)?.push(event)
  }
  return parts
}

function parseNote(text: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(text)
    return noteSchema.Check(note) ? note : undefined
  } catch {
    return undefined
  }
}
