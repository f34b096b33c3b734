// Keeps the telemetry store usable for as long as the server runs: opened, prepared, watched, and opened again after a loss.
// Nobody waits for it: what it is up to is told by `condition`, in the log, and to those who asked to be told.
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@telltale/core/limits'
import type { EngineLog } from '../engine-log.ts'
import { restartPause } from '../restart-pause.ts'
import { EngineUnsupported } from './engine/launch-line.ts'
import type { TelemetryStore } from './open.ts'
import { type PreparedStore, StoreRefused } from './prepare-store.ts'
import type { StoreSource } from './store-source.ts'
import { isUsable, type TelemetryCondition } from './telemetry.ts'

/** From here on a person should look. The tries go on. */
const failuresUntilFailed = 5
const jitter = 0.2

export type Patience = { interval: number; timeout: number; misses: number }

export type KeptOpen = {
  condition(): TelemetryCondition
  untilUsable(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export type KeepOpenOptions = {
  source: StoreSource
  /** For the probes. */
  store: TelemetryStore
  prepare(): Promise<PreparedStore>
  log: EngineLog
  patience?: Patience
}

const patient: Patience = {
  interval: limits.telemetryProbeInterval,
  timeout: limits.telemetryProbeTimeout,
  misses: limits.telemetryProbeMisses,
}

export function keepOpen({ source, store, prepare, log, patience = patient }: KeepOpenOptions): KeptOpen {
  const { title } = source
  const stopping = new AbortController()
  const waiting = new Set<() => void>()
  let current: TelemetryCondition = { state: 'waiting', reason: 'it is opening' }

  let lost = new AbortController()

  const enter = (next: TelemetryCondition) => {
    current = next
    if (!isUsable(next.state)) return
    for (const tell of waiting) tell()
    waiting.clear()
  }

  async function openOnce(): Promise<void> {
    const begun = performance.now()
    await source.open(stopping.signal)
    lost = new AbortController()
    const { version, migrated, brokenParts } = await prepare()
    const broken = `${brokenParts.length} parts of its rows can't be read and were set aside: restore them from a backup`
    enter({ state: source.state, ...(brokenParts.length > 0 && { reason: broken }) })
    if (brokenParts.length > 0) log.error({ engine: 'clickhouse', parts: brokenParts }, `${title}: ${broken}`)
    const took = Math.round(performance.now() - begun)
    log.info({ engine: 'clickhouse', version, migrated, took }, `${title} is ready`)
  }

  /** Resolves when the store is lost. */
  async function watch(): Promise<void> {
    const over = AbortSignal.any([lost.signal, stopping.signal])
    for (let misses = 0; misses < patience.misses; ) {
      await rest(patience.interval, over)
      if (over.aborted) return
      const reason = await probe()
      misses = reason === undefined ? 0 : misses + 1
      if (reason !== undefined) tellMiss(reason, misses)
      // A server of the team's is looked for again at once; our own may only be busy.
      if (reason !== undefined && source.state === 'external') return
    }
    log.error({ engine: 'clickhouse' }, `${title} hangs: it is started again`)
    source.revive()
    await rest(patience.timeout, over)
  }

  function tellMiss(reason: string, misses: number): void {
    log.warn({ engine: 'clickhouse', reason, misses }, `${title} does not answer`)
    if (source.state === 'external') enter({ state: 'waiting', reason: `it does not answer: ${reason}` })
  }

  async function probe(): Promise<string | undefined> {
    try {
      await source.probe(store, AbortSignal.any([AbortSignal.timeout(patience.timeout), stopping.signal]))
      return undefined
    } catch (error) {
      return reasonOf(error)
    }
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      try {
        await openOnce()
        failures = 0
        await watch()
      } catch (error) {
        if (stopping.signal.aborted) return
        failures++
        tellFailure(error, failures)
        if (error instanceof EngineUnsupported) return
        await rest(restartPause(failures - 1, Math.random()), stopping.signal)
        // One that was reached and does not answer any more would not do so the next time either.
        if (source.state === 'running' && (await probe()) !== undefined) source.revive()
      }
    }
  }

  function tellFailure(error: unknown, failures: number): void {
    const reason = reasonOf(error)
    const isFinal = error instanceof EngineUnsupported
    const isBad = isFinal || error instanceof StoreRefused || failures >= failuresUntilFailed
    // Said once, and again when there is something else to say.
    const isNews = current.reason !== reason
    enter({ state: isBad ? 'failed' : 'waiting', reason })
    if (!isNews) return
    log.error({ engine: 'clickhouse', reason }, `${title} can't be used${isFinal ? '' : ': trying again'}`)
  }

  const stopListening = source.onLoss((loss) => {
    enter(loss)
    lost.abort()
  })
  const loop = run().catch((error: unknown) => {
    log.error({ engine: 'clickhouse', err: error }, `${title} is no longer watched`)
  })

  return {
    condition: () => current,
    async untilUsable(signal) {
      if (isUsable(current.state)) return
      await new Promise<void>((resolve, reject) => {
        waiting.add(resolve)
        signal?.addEventListener('abort', () => {
          waiting.delete(resolve)
          reject(signal.reason)
        })
      })
    },
    async close() {
      stopping.abort()
      stopListening()
      await Promise.all([source.close(), loop])
    },
  }
}

/** Ends early, and without a word, when it is told to. */
async function rest(time: number, signal: AbortSignal): Promise<void> {
  const span = time * (1 + jitter * Math.random())
  await pause(span, undefined, { signal }).catch(() => undefined)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
