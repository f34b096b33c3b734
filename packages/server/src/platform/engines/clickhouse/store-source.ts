// The interface of a telemetry store's source: to open, query, watch and close it.
import type { ClickhouseTarget, TelemetryStore } from './open.ts'

/** Where the telemetry store comes from: a child process, or an external server. */
export type StoreSource = {
  /** The displayed name. */
  title: string
  /** The state while everything works. */
  state: 'running' | 'external'
  /** Resolves when the store can be reached. May be called again after a failure. */
  open(signal: AbortSignal): Promise<void>
  target(): ClickhouseTarget
  /** For a child process. */
  pid(): number | undefined
  probe(store: TelemetryStore, signal: AbortSignal): Promise<void>
  /**
   * Calls back with the reason as soon as the store is known not to answer. Returns the function that unsubscribes.
   */
  onLoss(notify: (loss: StoreLoss) => void): () => void
  /** Called if it has not answered for too long. */
  revive(): void
  close(): Promise<void>
}

export type StoreLoss = { state: 'restarting' | 'failed'; reason: string }
