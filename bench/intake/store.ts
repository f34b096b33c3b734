// The engine of a run, and the databases in it.

import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { eventColumns, viewColumns } from '@telltale/core/telemetry/event-row'
import { connectTelemetry } from '../../packages/server/src/platform/engines/clickhouse/connect.ts'
import type { WrittenTable } from '../../packages/server/src/platform/engines/clickhouse/schema/tables.ts'
import {
  type EmbeddedClickhouse,
  startClickhouse,
} from '../../packages/server/src/platform/engines/clickhouse/start.ts'
import type { RowBatch, Telemetry } from '../../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { type MadeRows, toLines } from './rows.ts'

export interface Store {
  telemetry: Telemetry
  /** For a server that uses the store. */
  url: string
  countRows(): Promise<number>
  /** Inserts events and states of views in parallel, as the writer does. */
  insert(rows: MadeRows, token: string): Promise<void>
  close(): Promise<void>
}

export const patience = 900_000
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

export const startEngine = (dataFolder: string) => startClickhouse({ dataFolder, log: silent })

export async function openStore(engine: EmbeddedClickhouse, database: string): Promise<Store> {
  const { url: address, username = '', password = '' } = engine.target()
  const url = new URL(`/${database}`, address)
  url.username = username
  url.password = password
  const config = {
    dataFolder: '',
    clickhouseUrl: url.href,
    clickhouseCluster: undefined,
    telemetryMemory: undefined,
  }
  const { telemetry, ...connected } = connectTelemetry({ config, log: silent, withLock: (work) => work() })
  connected.open()
  await telemetry.untilUsable(AbortSignal.timeout(patience))

  const insertInto = async <Table extends WrittenTable>(batch: RowBatch<Table>) => {
    const outcome = await telemetry.insert(batch)
    if (outcome.kind !== 'stored') throw new Error(`${batch.table}: ${JSON.stringify(outcome)}`)
  }
  return {
    telemetry,
    url: url.href,
    async countRows() {
      const [found] = await telemetry.read<{ n: string }>(
        'SELECT (SELECT count() FROM events) + (SELECT count() FROM views) AS n',
      )
      return Number(found?.n ?? 0)
    },
    async insert({ events, views }, token) {
      const rows = { events: toLines(events), views: toLines(views) }
      await Promise.all([
        insertInto({ table: 'events', columns: eventColumns, rows: rows.events, token: `${token}-e` }),
        insertInto({ table: 'views', columns: viewColumns, rows: rows.views, token: `${token}-v` }),
      ])
    },
    close: connected.close,
  }
}

/** Waits until there are this many rows, or until none arrived for too long. */
export async function waitForRows(store: Store, wanted: number): Promise<number> {
  const deadline = performance.now() + patience
  for (;;) {
    const found = await store.countRows()
    if (found >= wanted || performance.now() > deadline) return found
    await pause(50)
  }
}

export interface TableSize {
  table: string
  rows: number
  bytes: number
}

/** Current sizes of the tables, largest first. */
export async function measureTables({ telemetry }: Store): Promise<TableSize[]> {
  const found = await telemetry.read<{ table: string; n: string; bytes: string }>(
    "SELECT table, sum(rows) AS n, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() AND table != 'schema_migrations' GROUP BY table ORDER BY sum(bytes_on_disk) DESC",
  )
  return found.map(({ table, n, bytes }) => ({ table, rows: Number(n), bytes: Number(bytes) }))
}

export const describeTables = (tables: readonly TableSize[], events: number) =>
  [
    '| table | rows | bytes an event |',
    '|---|--:|--:|',
    ...tables.map(({ table, rows, bytes }) => `| ${table} | ${rows} | ${(bytes / events).toFixed(1)} |`),
  ].join('\n')

/** Processor time of a process so far in milliseconds; NaN without `/proc`. */
export async function processorTime(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return ticks * 10
}
