// Announcements between the servers on one PostgreSQL: what changed, never its content.

import { setTimeout } from 'node:timers/promises'
import { limits } from '@telltale/core/limits'
import pg from 'pg'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { retryPause } from '../../process/retry-pause.ts'
import { connectionSettings, isUnavailable, type PostgresTarget } from './open.ts'

export const announcementChannel = 'telltale_changes'
/** Messages between servers while a live tail is open. */
export const liveChannel = 'telltale_live'

const Nullable = Type.Union([Type.String(), Type.Null()])
const AnnouncementSchema = Type.Object({
  action: Type.String(),
  entity: Type.String(),
  id: Type.String(),
  project: Nullable,
  environment: Nullable,
  /** The part of an entity, such as the targeting key of an override. */
  part: Nullable,
})
const announcementSchema = Compile(AnnouncementSchema)

export type Announcement = Static<typeof AnnouncementSchema>

export function printAnnouncement(announcement: Announcement): string {
  return JSON.stringify(announcement)
}

interface Listener {
  onChange(announcement: Announcement): void
  /** Announcements may have been missed while the connection was lost. */
  onGap?(): void
  /** Resolves when all announcements so far are applied. */
  settle?(): Promise<void>
  /** Resolves when the copies on disk contain nothing older than what is applied. */
  writeCopies?(): Promise<void>
}

export interface Announcements {
  /** Calls back with every change committed by any server from now on. */
  subscribe(listener: Listener): () => void
  /** Calls back with messages about live tails; some are missed while the connection is lost. */
  subscribeToLive(listener: (text: string) => void): () => void
  /** Resolves when every change committed before the call has been announced here. Never rejects. */
  caughtUp(): Promise<void>
  /** Resolves when every change committed before the call is applied here, or after a timeout. Never rejects. */
  settled(): Promise<void>
  /** Resolves when every change committed before the call is in the copies on disk here. */
  written(): Promise<void>
  close(): Promise<void>
}

interface ListenLog {
  warn(context: object, message: string): void
  error(context: object, message: string): void
}

/**
 * Listens on a separate connection, which is reopened when it breaks. While PostgreSQL is unavailable there are no
 * announcements; afterwards all listeners are notified of a gap.
 */
export async function listenForChanges(target: PostgresTarget, log: ListenLog): Promise<Announcements> {
  const listeners = new Set<Listener>()
  const liveListeners = new Set<(text: string) => void>()
  const closing = new AbortController()
  const notifyEach = <Hearer>(hearers: Iterable<Hearer>, speak: (hearer: Hearer) => void) => {
    for (const hearer of hearers) {
      try {
        speak(hearer)
      } catch (error) {
        log.error({ err: error }, 'a listener failed on a change')
      }
    }
  }
  const notify = (speak: (listener: Listener) => void) => notifyEach(listeners, speak)
  const hear = ({ channel, payload = '' }: Notification) => {
    if (channel === liveChannel) return notifyEach(liveListeners, (listener) => listener(payload))
    const announcement = parsePayload(payload)
    if (announcementSchema.Check(announcement)) notify((listener) => listener.onChange(announcement))
    else log.error({ payload }, 'an announcement could not be read')
  }

  let connection = await connect(target, hear).catch((error: unknown) => {
    if (isUnavailable(error)) return notConnected
    throw error
  })
  const keepListening = async () => {
    for (;;) {
      await connection.broken
      if (closing.signal.aborted) return
      log.warn({}, 'the connection for announcements broke: opening it again')
      const next = await reconnect(target, hear, closing.signal)
      if (next === undefined) return
      connection = next
      notify((listener) => listener.onGap?.())
    }
  }
  const listening = keepListening()

  let asking: Promise<void> | undefined
  let askingNext: Promise<void> | undefined
  const ask = (): Promise<void> => {
    const requested = connection.ask().finally(() => {
      asking = undefined
    })
    asking = requested
    return requested
  }
  /** One query in flight and one for all later callers: the result in flight may be too early for them. */
  const caughtUp = (): Promise<void> => {
    if (asking === undefined) return ask()
    askingNext ??= asking.then(() => {
      askingNext = undefined
      return ask()
    })
    return askingNext
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    subscribeToLive(listener) {
      liveListeners.add(listener)
      return () => liveListeners.delete(listener)
    },
    caughtUp,
    async settled() {
      const limit = new AbortController()
      const settling = async () => {
        await caughtUp()
        await Promise.all([...listeners].map((listener) => listener.settle?.()))
      }
      const late = setTimeout(limits.settleWait, undefined, { signal: limit.signal, ref: false }).catch(
        () => undefined,
      )
      try {
        await Promise.race([settling(), late])
      } catch (error) {
        log.error({ err: error }, 'waiting for a change to be in use failed')
      } finally {
        limit.abort()
      }
    },
    async written() {
      await caughtUp()
      await Promise.all([...listeners].map((listener) => listener.settle?.()))
      await Promise.all([...listeners].map((listener) => listener.writeCopies?.()))
    },
    async close() {
      closing.abort()
      await connection.end()
      await listening
    },
  }
}

interface Notification {
  channel: string
  payload?: string | undefined
}

const notConnected: Connection = {
  broken: Promise.resolve(),
  ask: async () => undefined,
  end: async () => undefined,
}

interface Connection {
  /** Resolves when it has ended for any reason. */
  broken: Promise<void>
  /**
   * PostgreSQL sends notifications before the result of a later statement. Also resolves when the connection breaks.
   */
  ask(): Promise<void>
  end(): Promise<void>
}

async function connect(target: PostgresTarget, hear: (message: Notification) => void): Promise<Connection> {
  const client = new pg.Client(connectionSettings(target))
  const broken = new Promise<void>((resolve) => client.once('end', resolve))
  // The error is followed by `end`.
  client.on('error', () => undefined)
  client.on('notification', hear)
  await client.connect()
  await client.query(`LISTEN ${announcementChannel}; LISTEN ${liveChannel}`)
  const ask = async () => {
    await Promise.race([
      client.query('SELECT 1').then(
        () => undefined,
        () => undefined,
      ),
      broken,
    ])
  }
  return { broken, ask, end: () => client.end() }
}

/** Retries with backoff until it succeeds or is cancelled. */
async function reconnect(
  target: PostgresTarget,
  hear: (message: Notification) => void,
  signal: AbortSignal,
): Promise<Connection | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await connect(target, hear)
    } catch {
      // PostgreSQL is unavailable: `/health/ready` reports it, and the next attempt follows.
      await setTimeout(retryPause(failures), undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

function parsePayload(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}
