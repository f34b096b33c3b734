// The browser client for flags. Values are there at once (from the page, else from the last visit, else the default of the
// application), follow every change by themselves, and stay what they were while the server is away.

import { anonymousIdOf } from './flags/anonymous-id.ts'
import { readAnswers, readBootstrap } from './flags/answer.ts'
import { type Connection, connect, type Subject } from './flags/connection.ts'
import type { FlagContext } from './flags/context.ts'
import { createExposures, type ExposureListener } from './flags/exposures.ts'
import type { LoadLive } from './flags/live.ts'
import { readKept, writeKept } from './flags/persisted.ts'
import { type ChangeListener, createValues, type FlagDetails, type FlagStatus } from './flags/values.ts'

export type { FlagContext } from './flags/context.ts'
export type { FlagDetails, FlagStatus } from './flags/values.ts'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }

/**
 * The type of a flag whose default is of the type `Value`: a union such as `'light' | 'dark'` stays one, and the default `'light'`
 * stands for any text.
 */
export type Widened<Value, Any> = IsUnion<Value> extends true ? Value : Any

type IsUnion<Value, Member = Value> = Value extends unknown
  ? [Member] extends [Value]
    ? false
    : true
  : never

export interface FlagsOptions {
  /** The address of the Telltale server. */
  url: string
  /** A client key of the environment. */
  key: string
  context?: FlagContext | undefined
  /**
   * Values that came with the page: the answer of a bulk evaluation, or an object of plain values. Default:
   * `window.__telltale_flags`.
   */
  bootstrap?: object | undefined
  /** Follow changes while the page is open. Default: true. */
  live?: boolean | undefined
}

export interface Flags {
  getBoolean(key: string, fallback: boolean): boolean
  getString<Value extends string>(key: string, fallback: Value): Widened<Value, string>
  getNumber<Value extends number>(key: string, fallback: Value): Widened<Value, number>
  /** Interfaces are welcome: the type is not checked against what the server serves. */
  getJson<Value>(key: string, fallback: Value): Value
  /** The value with variant, reason and metadata; the type is that of the default. */
  getDetails<Value>(key: string, fallback: Value): FlagDetails<Value>
  status(): FlagStatus
  /** Resolved when there are values, or none can be had within the time (default: 5 000 ms). Never rejected. */
  whenReady(timeLimit?: number): Promise<FlagStatus>
  /** Replaces the context. Resolved when its values hold, or cannot be had soon. Never rejected. */
  setContext(context: FlagContext): Promise<FlagStatus>
  /** Returns how to stop. */
  onChange(listener: ChangeListener): () => void
  /** The first real use of each variation, from the beginning on. Returns how to stop. */
  onExposure(listener: ExposureListener): () => void
  close(): void
}

/** A request ends within this time. */
const patience = 10_000

declare global {
  var __telltale_flags: object | undefined
}

/**
 * `loadLive` gets the part that follows changes, where a page cannot import it by its place in the package; `onRead` hears of every
 * read.
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
  onRead?: (key: string, details: FlagDetails<unknown>) => void,
): Flags {
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
  const getDetails = <Value>(key: string, fallback: Value): FlagDetails<Value> => {
    const details = values.details(key, fallback)
    onRead?.(key, details)
    return details
  }
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
    onExposure: exposures.listen,
    close() {
      connection?.close()
      connection = undefined
      settle()
    },
  }
}
