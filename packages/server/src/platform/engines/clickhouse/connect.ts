// Connects the server to its telemetry store: the embedded engine, or the ClickHouse at CLICKHOUSE_URL. The rest of the
// server does not wait for it: the store opens in the background and reports its state.
import type { Config } from '../../process/config.ts'
import type { EngineLog } from '../engine-log.ts'
import { createDamagedParts, keepCheckingParts, type PartCheck } from './damaged-parts.ts'
import { createEmbeddedSource } from './embedded-source.ts'
import { stopExpiry } from './engine/stop-expiry.ts'
import { keepOpen } from './keep-open.ts'
import type { ClickhouseTarget } from './open.ts'
import { openClickhouse } from './open.ts'
import { prepareStore, type WithLock } from './prepare-store.ts'
import type { Migration, Placing } from './schema/definition.ts'
import { migrations as ours } from './schema/migrations.ts'
import type { StoreSource } from './store-source.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'
import type { Patience } from './watch-store.ts'

// An external ClickHouse as the telemetry store. It is neither started nor stopped by the server.
function createRemoteSource(target: ClickhouseTarget): StoreSource {
  return {
    title: 'The ClickHouse of CLICKHOUSE_URL',
    state: 'external',
    open: async () => undefined,
    target: () => target,
    pid: () => undefined,
    // A server that answers may still refuse the credentials.
    probe: (store, signal) => store.check(signal),
    onLoss: () => () => undefined,
    revive: () => undefined,
    close: async () => undefined,
  }
}

/** `http://user:password@host:8123/database`; the default database is `telltale`. */
function parseClickhouseUrl(text: string): ClickhouseTarget & { database: string } {
  const address = new URL(text)
  const database = decodeURIComponent(address.pathname.slice(1))
  return {
    url: address.origin,
    ...(address.username && { username: decodeURIComponent(address.username) }),
    ...(address.password && { password: decodeURIComponent(address.password) }),
    database: database === '' ? defaultDatabase : database,
  }
}

const defaultDatabase = 'telltale'

export type ConnectedTelemetry = {
  telemetry: Telemetry
  /** Starts opening the store and returns immediately. */
  open(): void
  close(): Promise<void>
}

export type TelemetryOptions = {
  config: Pick<Config, 'dataFolder' | 'clickhouseUrl' | 'clickhouseCluster' | 'telemetryMemory'>
  log: EngineLog
  /** Needed if several servers may share one store. */
  withLock: WithLock
  migrations?: readonly Migration[]
  patience?: Patience
}

export function connectTelemetry(options: TelemetryOptions): ConnectedTelemetry {
  const { config, log, withLock, migrations = ours, patience } = options
  const { clickhouseUrl, clickhouseCluster: cluster, dataFolder, telemetryMemory: memoryBytes } = config
  const remote = clickhouseUrl === undefined ? undefined : parseClickhouseUrl(clickhouseUrl)
  const source = remote ? createRemoteSource(remote) : createEmbeddedSource({ dataFolder, memoryBytes, log })
  const placing: Placing = {
    database: remote?.database ?? defaultDatabase,
    ...(remote && { cluster }),
  }
  const store = openClickhouse(() => ({ ...source.target(), database: placing.database }))
  const bare = openClickhouse(() => ({ ...source.target(), database: 'default' }))
  const kept = keepOpen({
    source,
    store: bare,
    async prepare() {
      if (remote) return prepareStore({ store: bare, placing, migrations, withLock })
      const prepared = await prepareStore({ store: bare, placing, migrations, withLock: (work) => work() })
      // Again, for the new tables.
      await bare.command(stopExpiry)
      return prepared
    },
    log,
    ...(patience && { patience }),
  })
  const damaged = createDamagedParts(log)
  const closing = new AbortController()
  let checking: Promise<void> | undefined
  const check: PartCheck = {
    store: bare,
    database: placing.database,
    damaged,
    log,
    signal: closing.signal,
    untilUsable: kept.untilUsable,
  }
  return {
    telemetry: createTelemetry({ ...kept, store, placing, damaged }),
    open() {
      kept.open()
      // External servers are checked by their administrators.
      if (remote === undefined) checking ??= keepCheckingParts(check)
    },
    async close() {
      closing.abort()
      await kept.close()
      await checking
      await Promise.all([store.close(), bare.close()])
    },
  }
}
