// What the telemetry store needs of whoever holds its rows: to be opened, asked, watched and closed.
import type { ClickhouseTarget, TelemetryStore } from './open.ts'

/** Where the telemetry store comes from: a child process of ours, or a server of the team's. */
export type StoreSource = {
  /** As a person reads it. */
  title: string
  /** The state while all is well. */
  state: 'running' | 'external'
  /** Resolves when there is somebody to ask. May be called again after a loss. */
  open(signal: AbortSignal): Promise<void>
  target(): ClickhouseTarget
  /** Of a process of ours. */
  pid(): number | undefined
  probe(store: TelemetryStore, signal: AbortSignal): Promise<void>
  /** Calls back, with the reason, as soon as it is known that nobody answers. Gives how to stop listening. */
  onLoss(tell: (loss: StoreLoss) => void): () => void
  /** It has not answered for too long. */
  revive(): void
  close(): Promise<void>
}

export type StoreLoss = { state: 'restarting' | 'failed'; reason: string }
