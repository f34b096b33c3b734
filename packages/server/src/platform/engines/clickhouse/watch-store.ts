// Polls the telemetry store and reports when it does not answer.
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@telltale/core/limits'
import type { EngineLog } from '../engine-log.ts'
import type { TelemetryStore } from './open.ts'
import type { StoreSource } from './store-source.ts'

const jitter = 0.2

export type Patience = { interval: number; timeout: number; misses: number }

export const patient: Patience = {
  interval: limits.telemetryProbeInterval,
  timeout: limits.telemetryProbeTimeout,
  misses: limits.telemetryProbeMisses,
}

export type Watch = { source: StoreSource; store: TelemetryStore; log: EngineLog; patience: Patience }

/** Resolves to the problem, or to undefined when `over` ends the watch. */
export async function watchStore(
  { source, store, log, patience }: Watch,
  over: AbortSignal,
): Promise<string | undefined> {
  // An external server is contacted again immediately; the embedded one may only be busy, and would be killed.
  const allowed = source.state === 'external' ? 1 : patience.misses
  for (let misses = 0; ; ) {
    await rest(patience.interval, over)
    if (over.aborted) return undefined
    const reason = await probe(source, store, AbortSignal.any([AbortSignal.timeout(patience.timeout), over]))
    if (over.aborted) return undefined
    misses = reason === undefined ? 0 : misses + 1
    if (reason === undefined) continue

    log.warn({ engine: 'clickhouse', reason, misses }, `${source.title} does not respond`)
    if (misses >= allowed) return `it does not respond: ${reason}`
  }
}

export async function probe(
  source: StoreSource,
  store: TelemetryStore,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await source.probe(store, signal)
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** Ends early and silently when it is aborted. */
export async function rest(time: number, signal: AbortSignal): Promise<void> {
  const span = time * (1 + jitter * Math.random())
  await pause(span, undefined, { signal }).catch(() => undefined)
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
