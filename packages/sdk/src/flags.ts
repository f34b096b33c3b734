// The browser client for flags. Values are available at once (from the page, else from the last visit, else the
// application's defaults), follow every change automatically, and are kept while the server is unavailable.

import { anonymousIdOf } from './flags/anonymous-id.ts'
import { readAnswers, readBootstrap } from './flags/answer.ts'
import { type Connection, connect, type Subject } from './flags/connection.ts'
import type { FlagContext } from './flags/context.ts'
import { createExposures, type ExposureListener } from './flags/exposures.ts'
import type { LoadLive } from './flags/live.ts'
import { readKept, writeKept } from './flags/persisted.ts'
import type { Reads, Widened } from './flags/typed-reads.ts'
import { type ChangeListener, createValues, type FlagDetails, type FlagStatus } from './flags/values.ts'

export type { FlagContext } from './flags/context.ts'
export type { FlagDetails, FlagStatus } from './flags/values.ts'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }

export interface FlagsOptions {
  /** The address of the Telltale server. */
  url: string
  /** A client key of the environment. */
  key: string
  context?: FlagContext | undefined
  /**
   * Values embedded in the page: the response of a bulk evaluation, or an object of plain values. Default:
   * `window.__telltale_flags`.
   */
  bootstrap?: object | undefined
  /** Follow changes while the page is open. Default: true. */
  live?: boolean | undefined
}

export interface Flags extends Reads {
  status(): FlagStatus
  /** Resolves when there are values, or after the timeout (default: 5 000 ms). Never rejects. */
  whenReady(timeLimit?: number): Promise<FlagStatus>
  /** Replaces the context. Resolves when its values are in force, or after the timeout. Never rejects. */
  setContext(context: FlagContext): Promise<FlagStatus>
  /** Returns a function to unsubscribe. */
  onChange(listener: ChangeListener): () => void
  /** The first real use of each variation, including past ones. Returns a function to unsubscribe. */
  onExposure(listener: ExposureListener): () => void
  close(): void
}

export interface RunningFlags extends Flags {
  /** Tells the listeners that these flags changed. */
  notify(changed: readonly string[]): void
}

export type OnRead = <Value>(key: string, read: () => FlagDetails<Value>) => FlagDetails<Value>

/** A request ends within this time. */
const patience = 10_000

declare global {
  var __telltale_flags: object | undefined
}

/**
 * `loadLive` loads the part for live updates, where a page cannot import it by its path in the package; `onRead` is
 * called for every read with what reads the value, and may return another.
 */
export function startFlags(
  {
    url: address,
    key,
    context: given,
    bootstrap = globalThis.__telltale_flags,
    live: isLive = true,
  }: FlagsOptions,
  loadLive: LoadLive = () => import('./flags/live.ts'),
  onRead: OnRead = (_key, read) => read(),
): RunningFlags {
  const url = address.replace(/\/+$/, '')
  const place = `telltale:${key}@${url}`
  const isBrowser = typeof document !== 'undefined'
  const exposures = createExposures()
  const values = createValues((answer) => exposures.record(answer, targetingKey))
  const waiting: (() => void)[] = []
  const anonymousId = isBrowser ? anonymousIdOf(key) : undefined
  let targetingKey: string | undefined
  let request = ''
  let tag: string | null = null
  let connection: Connection | undefined

  const use = (next: FlagContext | undefined) => {
    const former = targetingKey
    targetingKey = next?.targetingKey ?? anonymousId
    request = JSON.stringify({ context: { anonymousId, ...next, targetingKey } })
    tag = null
    if (targetingKey === former) return
    const [keptTag = null, kept] = readKept(place, targetingKey)
    const answers = readAnswers(kept)
    tag = keptTag
    values.take(answers, values.status(), answers ? 'CACHED' : 'STALE')
  }
  const settled = (limit: number) =>
    new Promise<FlagStatus>((resolve) => {
      const done = () => resolve(values.status())
      if (!connection) return done()
      waiting.push(done)
      setTimeout(done, limit)
    })
  const settle = () => {
    for (const done of waiting.splice(0)) done()
  }
  const subject: Subject = {
    bodyOf: () => request,
    tag: () => tag,
    take(answer, nextTag) {
      const answers = readAnswers(answer)
      if (answer && !answers) return false
      values.take(answers, 'ready')
      tag = nextTag
      if (answer) writeKept(place, targetingKey, [tag, answer])
      settle()
      return true
    },
    fail(isRefused) {
      values.take(undefined, values.answers() && !isRefused ? 'stale' : 'error', 'STALE')
      settle()
    },
  }
  const getDetails = <Value>(key: string, fallback: Value) => onRead(key, () => values.details(key, fallback))
  function get(key: string, fallback: boolean): boolean
  function get<Value extends string>(key: string, fallback: Value): Widened<Value, string>
  function get<Value extends number>(key: string, fallback: Value): Widened<Value, number>
  function get<Value>(key: string, fallback: Value): Value
  function get(key: string, fallback: unknown): unknown {
    return getDetails(key, fallback).value
  }

  use(given)
  if (bootstrap) values.take(readBootstrap(bootstrap), 'starting')
  if (isBrowser) connection = connect({ url, key, loadLive: isLive && loadLive }, subject)

  return {
    getBoolean: get,
    getString: get,
    getNumber: get,
    getJson: get,
    getDetails,
    status: values.status,
    whenReady: async (limit = 5_000) => (values.answers() ? values.status() : settled(limit)),
    setContext(next) {
      use(next)
      connection?.refresh()
      return settled(patience)
    },
    onChange: values.listen,
    notify: values.notify,
    onExposure: exposures.listen,
    close() {
      connection?.close()
      connection = undefined
      settle()
    },
  }
}
