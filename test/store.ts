// A database of a test's own on a telemetry engine that others use too.

import {
  type ClickhouseTarget,
  openClickhouse,
} from '../packages/server/src/platform/engines/clickhouse/open.ts'

export type TestStore = {
  target: ClickhouseTarget
  /** As `CLICKHOUSE_URL` names it. */
  url: string
  /** As `CLICKHOUSE_CLUSTER` names it, if the engine is one. */
  cluster?: string
  drop(): Promise<void>
}

/** Who uses it makes its tables. */
export function createStoreOn(target: ClickhouseTarget, cluster?: string): TestStore {
  const database = `telltale_test_${process.pid}_${Math.random().toString(36).slice(2)}`
  const url = new URL(`/${database}`, target.url)
  url.username = target.username ?? ''
  url.password = target.password ?? ''
  return {
    target: { ...target, database },
    url: url.href,
    ...(cluster !== undefined && { cluster }),
    drop: async () => {
      const store = openClickhouse(() => target)
      await store.command(`DROP DATABASE IF EXISTS ${database} SYNC`)
      await store.close()
    },
  }
}
