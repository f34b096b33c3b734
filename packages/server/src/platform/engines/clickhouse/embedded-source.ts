// The embedded engine as the source of the telemetry store: started once, then kept running by its supervisor.
import { EventEmitter, once } from 'node:events'
import type { EngineLog } from '../engine-log.ts'
import type { ChildState } from '../supervise.ts'
import { type EmbeddedClickhouse, startClickhouse } from './start.ts'
import type { StoreLoss, StoreSource } from './store-source.ts'

type EmbeddedSettings = { dataFolder: string; memoryBytes: number | undefined; log: EngineLog }

const losses: { readonly [State in ChildState]?: StoreLoss } = {
  restarting: { state: 'restarting', reason: 'it ended unexpectedly and is restarting' },
  failed: { state: 'failed', reason: 'it keeps crashing: see the log' },
}

export function createEmbeddedSource({ dataFolder, memoryBytes, log }: EmbeddedSettings): StoreSource {
  const changes = new EventEmitter<{ state: [ChildState] }>()
  let engine: EmbeddedClickhouse | undefined
  let starting: Promise<EmbeddedClickhouse> | undefined

  async function start(signal: AbortSignal): Promise<EmbeddedClickhouse> {
    starting = startClickhouse({
      dataFolder,
      memoryBytes,
      log,
      signal,
      onStateChange: (state) => changes.emit('state', state),
    })
    return starting
  }

  return {
    title: 'The telemetry engine',
    state: 'running',
    async open(signal) {
      engine ??= await start(signal)
      while (engine.state() !== 'running') await once(changes, 'state', { signal })
    },
    target() {
      if (engine === undefined) throw new Error('the telemetry engine has not been started')
      return engine.target()
    },
    pid: () => engine?.pid(),
    // A statement would wait for the running ones.
    probe: (store, signal) => store.ping(signal),
    onLoss(notify) {
      const hear = (state: ChildState) => {
        const loss = losses[state]
        if (loss) notify(loss)
      }
      changes.on('state', hear)
      return () => void changes.off('state', hear)
    },
    revive: () => engine?.kill(),
    async close() {
      const started = await starting?.catch(() => undefined)
      await started?.stop()
    },
  }
}
