// A team's own ClickHouse as the source of the telemetry store. Nothing of it is ours to start or to end.
import type { ClickhouseTarget } from './open.ts'
import type { StoreSource } from './store-source.ts'

export function createRemoteSource(target: ClickhouseTarget): StoreSource {
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
export function parseClickhouseUrl(text: string): ClickhouseTarget & { database: string } {
  const address = new URL(text)
  const database = decodeURIComponent(address.pathname.slice(1))
  return {
    url: address.origin,
    ...(address.username && { username: decodeURIComponent(address.username) }),
    ...(address.password && { password: decodeURIComponent(address.password) }),
    database: database === '' ? defaultDatabase : database,
  }
}

export const defaultDatabase = 'telltale'
