// Keeps the telemetry store usable while the server runs: opens, prepares and watches it, and reopens it after a
// failure. Nothing waits for it: `condition`, the log and the subscribers get its state.

import { retryPause } from '../../process/retry-pause.ts'
import type { EngineLog } from '../engine-log.ts'
import { onlyFromDisk } from './damaged-parts.ts'
import { EngineUnsupported } from './engine/launch-line.ts'
import type { TelemetryStore } from './open.ts'
import { type PreparedStore, StoreRefused } from './prepare-store.ts'
import type { StoreSource } from './store-source.ts'
import { isUsable, type TelemetryCondition } from './telemetry.ts'
import { type Patience, patient, probe, reasonOf, rest, watchStore } from './watch-store.ts'

/** From this attempt on, an administrator should look. The attempts continue. */
const failuresUntilFailed = 5

type KeptOpen = {
  /** Starts opening; until then the state is `opening`. */
  open(): void
  condition(): TelemetryCondition
  untilUsable(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

type KeepOpenOptions = {
  source: StoreSource
  /** For the probes. */
  store: TelemetryStore
  prepare(): Promise<PreparedStore>
  log: EngineLog
  patience?: Patience
}

export function keepOpen({ source, store, prepare, log, patience = patient }: KeepOpenOptions): KeptOpen {
  const { title } = source
  const stopping = new AbortController()
  const board = createBoard({ state: 'waiting', reason: 'it is opening' })
  let lost = new AbortController()
  let loop: Promise<void> | undefined

  async function openOnce(): Promise<void> {
    const begun = performance.now()
    await source.open(stopping.signal)
    lost = new AbortController()
    const { version, migrated, brokenParts } = await prepare()
    const count = brokenParts.length === 1 ? '1 part of its rows' : `${brokenParts.length} parts of its rows`
    const broken = `${count} can't be read and ${brokenParts.length === 1 ? 'was' : 'were'} set aside (${brokenParts.slice(0, 3).join(', ')}): check the disk. ${onlyFromDisk}`
    board.enter({ state: source.state, ...(brokenParts.length > 0 && { reason: broken }) })
    if (brokenParts.length > 0) log.error({ engine: 'clickhouse', parts: brokenParts }, `${title}: ${broken}`)
    const took = Math.round(performance.now() - begun)
    log.info({ engine: 'clickhouse', pid: source.pid(), version, migrated, took }, `${title} is ready`)
  }

  async function watch(): Promise<void> {
    const over = AbortSignal.any([lost.signal, stopping.signal])
    const reason = await watchStore({ source, store, log, patience }, over)
    if (reason === undefined) return
    board.enter({ state: 'waiting', reason })
    source.revive()
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
        reportFailure(error, failures)
        if (error instanceof EngineUnsupported) return
        await rest(retryPause(failures - 1), stopping.signal)
        await reviveUnlessAnswering()
      }
    }
  }

  /** A store that was reached and no longer answers would not answer the next attempt either. */
  async function reviveUnlessAnswering(): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(patience.timeout), stopping.signal])
    if ((await probe(source, store, signal)) !== undefined && !stopping.signal.aborted) source.revive()
  }

  function reportFailure(error: unknown, failures: number): void {
    const reason = reasonOf(error)
    const isFinal = error instanceof EngineUnsupported
    const isBad = isFinal || error instanceof StoreRefused || failures >= failuresUntilFailed
    // Logged once, and again when the reason changes.
    const isNews = board.condition().reason !== reason
    board.enter({ state: isBad ? 'failed' : 'waiting', reason })
    if (!isNews) return
    log.error({ engine: 'clickhouse', reason }, `${title} can't be used${isFinal ? '' : ': trying again'}`)
  }

  const stopListening = source.onLoss((loss) => {
    board.enter(loss)
    lost.abort()
  })

  return {
    open() {
      loop ??= run().catch((error: unknown) => {
        log.error({ engine: 'clickhouse', err: error }, `${title} is no longer watched`)
      })
    },
    condition: board.condition,
    untilUsable: board.untilUsable,
    async close() {
      stopping.abort()
      stopListening()
      await Promise.all([source.close(), loop])
    },
  }
}

/** The state of the store, and its subscribers. */
function createBoard(first: TelemetryCondition) {
  const waiting = new Set<() => void>()
  let current = first

  return {
    condition: () => current,
    enter(next: TelemetryCondition) {
      current = next
      if (!isUsable(next.state)) return
      for (const notify of waiting) notify()
      waiting.clear()
    },
    async untilUsable(signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted()
      if (isUsable(current.state)) return
      await new Promise<void>((resolve, reject) => {
        waiting.add(resolve)
        signal?.addEventListener('abort', () => {
          waiting.delete(resolve)
          reject(signal.reason)
        })
      })
    },
  }
}
