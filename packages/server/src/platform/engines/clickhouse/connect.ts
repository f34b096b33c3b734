// Gives the server its telemetry store: our own engine, or the ClickHouse that CLICKHOUSE_URL names. Nothing else of the
// server waits for it: the store opens in the background, and whoever uses it is told how it is.
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

// A team's own ClickHouse as the source of the telemetry store. Nothing of it is ours to start or to end.
function createRemoteSource(target: ClickhouseTarget): StoreSource {
  return {
    title: 'The ClickHouse of CLICKHOUSE_URL',
    state: 'external',
    open: async () => undefined,
    target: () => target,
    pid: () => undefined,
    // An address that answers may still refuse us.
    probe: (store, signal) => store.check(signal),
    onLoss: () => () => undefined,
    revive: () => undefined,
    close: async () => undefined,
  }
}

/** `http://user:password@host:8123/database`; the database is `telltale` when none is named. */
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
  /** Begins to open the store, and comes back at once. */
  open(): void
  close(): Promise<void>
}

export type TelemetryOptions = {
  config: Pick<Config, 'dataFolder' | 'clickhouseUrl' | 'clickhouseCluster' | 'telemetryMemory'>
  log: EngineLog
  /** Needed where several servers may share one store. */
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
      // Again, for tables that are new.
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
      // A server of the team's is checked by the team.
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
