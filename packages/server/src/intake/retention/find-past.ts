// The expired data of an environment, by table and partition: used by both the preview and the night.

import { limits } from '@telltale/core/limits'
import type { RetentionCuts, RetentionKind } from '@telltale/core/query/retention'
import type { StoredTable } from '../../platform/engines/clickhouse/schema/tables.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { type KeptTable, keptTables, type UnusedRows, unseenSince, unusedRows } from './kept-tables.ts'

export interface Past {
  kind: RetentionKind
  table: StoredTable
  partitions: readonly string[]
  /** Matches these rows and no others of the table. */
  where: string
  rows: number
  bytes: number
}

interface EnvironmentCuts {
  environmentId: string
  cuts: RetentionCuts
}

type Reader = Pick<Telemetry, 'read'>
/** Bytes of one row of a partition. */
export type RowBytes = (table: StoredTable, partition: string) => number

const aUuid = /^[0-9a-f-]{36}$/

/** The rows of an environment. The ID is inlined: deletions accept no parameters. */
export function rowsOf(environmentId: string): string {
  if (!aUuid.test(environmentId)) throw new Error(`"${environmentId}" is not the id of an environment`)
  return `environment_id = '${environmentId}'`
}

export async function measureRows(telemetry: Pick<Telemetry, 'files'>): Promise<RowBytes> {
  const sums = new Map<string, { rows: number; bytes: number }>()
  const keyOf = (table: string, partition: string) => `${table} ${partition}`
  for (const { table, partition, rows, bytes, isActive } of await telemetry.files()) {
    if (!isActive) continue
    const key = keyOf(table, partition)
    const sum = sums.get(key) ?? { rows: 0, bytes: 0 }
    sums.set(key, { rows: sum.rows + rows, bytes: sum.bytes + bytes })
  }
  return (table, partition) => {
    const { rows = 0, bytes = 0 } = sums.get(keyOf(table, partition)) ?? {}
    return rows === 0 ? 0 : bytes / rows
  }
}

export async function findPast(
  telemetry: Reader,
  { environmentId, cuts }: EnvironmentCuts,
  rowBytes: RowBytes,
): Promise<Past[]> {
  const kinds = keptTables.flatMap((kept) => {
    const where = pastRows(kept, environmentId, cuts)
    return where === undefined ? [] : [{ kept, where }]
  })
  const readings = kinds.map(
    ({ kept: { table, bytes }, where }, index) =>
      `SELECT ${index} AS nth, _partition_id AS partition, toString(count()) AS found, toString(${bytes === undefined ? '0' : `sum(${bytes})`}) AS size
      FROM ${table} WHERE ${where} GROUP BY partition`,
  )
  const rows = await telemetry.read<PartitionRow & { nth: number }>(
    `SELECT * FROM (${readings.join('\nUNION ALL\n')}) ORDER BY nth, partition`,
  )
  return kinds.flatMap(({ kept, where }, index) => {
    const own = rows.filter(({ nth }) => nth === index)
    const { table, kind } = kept
    return own.length === 0 ? [] : [{ kind, table, where, ...sumPartitions(kept, own, rowBytes) }]
  })
}

interface PartitionRow {
  partition: string
  found: string
  /** Zero where rows do not contain their size. */
  size: string
}

export function sumPartitions(
  { table, bytes }: Pick<KeptTable, 'table' | 'bytes'>,
  rows: readonly PartitionRow[],
  rowBytes: RowBytes,
): Pick<Past, 'partitions' | 'rows' | 'bytes'> {
  const sizeOf = ({ partition, found, size }: PartitionRow) =>
    bytes === undefined ? Number(found) * rowBytes(table, partition) : Number(size)
  return {
    partitions: rows.map(({ partition }) => partition),
    rows: rows.reduce((sum, { found }) => sum + Number(found), 0),
    bytes: Math.round(rows.reduce((sum, row) => sum + sizeOf(row), 0)),
  }
}

/** Sessions that lose data of a kind. */
export async function countPastSessions(
  telemetry: Reader,
  { environmentId, cuts }: EnvironmentCuts,
  kind: RetentionKind,
): Promise<number> {
  const readings = keptTables.flatMap((kept) => {
    const where = kept.kind === kind ? pastRows(kept, environmentId, cuts) : undefined
    if (where === undefined || kept.session === undefined) return []
    return [`SELECT DISTINCT ${kept.session} AS session FROM ${kept.table} WHERE ${where}`]
  })
  const [row] = await telemetry.read<{ sessions: string }>(
    `SELECT toString(uniqExactIf(session, notEmpty(session))) AS sessions FROM (${readings.join(' UNION ALL ')})`,
    { limit: limits.screenReadTimeout },
  )
  return Number(row?.sessions ?? 0)
}

function pastRows({ past, only }: KeptTable, environmentId: string, cuts: RetentionCuts): string | undefined {
  if (past === undefined) return undefined
  return [rowsOf(environmentId), ...(only === undefined ? [] : [only]), past(cuts)].join(' AND ')
}

export interface Unused {
  kind: RetentionKind
  table: StoredTable
  rows: number
  bytes: number
}

/** Unreferenced data, as rows of `id`, `found` and `size`. */
function unusedOf({ table, column, bytes, used }: UnusedRows, cuts: RetentionCuts, now: number): string {
  return `SELECT toString(${column}) AS id, count() AS found, ${bytes === undefined ? 'toUInt64(0)' : `sum(${bytes})`} AS size
    FROM ${table} WHERE environment_id = {environment:UUID} AND ${column} GLOBAL NOT IN (${used(cuts)})
    GROUP BY ${column} HAVING max(seen) < ${unseenSince(now)}`
}

interface CountUnusedOptions extends EnvironmentCuts {
  now: number
  rowBytes: RowBytes
}

export async function countUnused(telemetry: Reader, requested: CountUnusedOptions): Promise<Unused[]> {
  const { environmentId, cuts, now, rowBytes } = requested
  const counted: Unused[] = []
  for (const unused of unusedRows) {
    const [row] = await telemetry.read<{ all: string; total: string }>(
      `SELECT toString(sum(found)) AS all, toString(sum(size)) AS total FROM (${unusedOf(unused, cuts, now)})`,
      { values: { environment: environmentId } },
    )
    const { kind, table, bytes } = unused
    const rows = Number(row?.all ?? 0)
    const size = bytes === undefined ? rows * rowBytes(table, wholeTable) : Number(row?.total ?? 0)
    if (rows > 0) counted.push({ kind, table, rows, bytes: Math.round(size) })
  }
  return counted
}

/** The next of them, few enough to list in one statement. */
export async function findUnused(
  telemetry: Reader,
  unused: UnusedRows,
  requested: CountUnusedOptions,
): Promise<Past | undefined> {
  const { environmentId, cuts, now, rowBytes } = requested
  const rows = await telemetry.read<{ id: string; found: string; size: string }>(
    `${unusedOf(unused, cuts, now)} LIMIT ${limits.retentionAssetsAtOnce}`,
    { values: { environment: environmentId } },
  )
  if (rows.length === 0) return undefined
  const { kind, table, column, literal, bytes } = unused
  const ids = rows.map(({ id }) => literal(id)).join(', ')
  const count = rows.reduce((sum, { found }) => sum + Number(found), 0)
  const size = rows.reduce((sum, one) => sum + Number(one.size), 0)
  return {
    kind,
    table,
    partitions: [wholeTable],
    where: `${rowsOf(environmentId)} AND ${column} IN (${ids})`,
    rows: count,
    bytes: bytes === undefined ? Math.round(count * rowBytes(table, wholeTable)) : size,
  }
}

/** The name of the only partition of an unpartitioned table. */
const wholeTable = 'all'
