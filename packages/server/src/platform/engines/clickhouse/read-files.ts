// The files of the tables, as reported by the store.
import type { TelemetryStore } from './open.ts'
import type { Placing } from './schema/definition.ts'
import { quoteText } from './schema/render-statements.ts'
import { isStoredTable, type StoredTable } from './schema/tables.ts'

export interface StoredFile {
  table: StoredTable
  name: string
  partition: string
  /** Including deleted rows that are not removed yet. */
  rows: number
  bytes: number
  /** An inactive part was replaced by others and is deleted some minutes later. */
  isActive: boolean
  hasDeleted: boolean
  /** By the store's clock, in milliseconds since 1970; 0 while it is active. */
  replacedAt: number
}

export interface StoreDisk {
  freeBytes: number
  totalBytes: number
}

type Reader = Pick<TelemetryStore, 'read'>
/** If there are several replicas, rows are reported once or once per replica. */
export type Copies = 'one' | 'all'

interface Row {
  table: string
  name: string
  partition_id: string
  rows: string
  bytes: string
  active: number
  deleted: number
  replaced: string
}

export async function readFiles(store: Reader, placing: Placing, copies: Copies): Promise<StoredFile[]> {
  const rows = await store.read<Row>(
    `SELECT table, name, partition_id, toString(rows) AS rows, toString(bytes_on_disk) AS bytes, active,
      has_lightweight_delete AS deleted, toString(toUnixTimestamp(remove_time) * 1000) AS replaced
    FROM ${systemTable('parts', placing, copies)} WHERE database = {database:String}`,
    { values: { database: placing.database } },
  )
  return rows.flatMap((row) => {
    const table = placing.cluster === undefined ? row.table : row.table.replace(/_local$/, '')
    if (!isStoredTable(table)) return []
    return [
      {
        table,
        name: row.name,
        partition: row.partition_id,
        rows: Number(row.rows),
        bytes: Number(row.bytes),
        isActive: row.active === 1,
        hasDeleted: row.deleted === 1,
        replacedAt: row.active === 1 ? 0 : Number(row.replaced),
      },
    ]
  })
}

/** Of every server with data. */
export async function readDisks(store: Reader, placing: Placing): Promise<StoreDisk[]> {
  const rows = await store.read<{ free: string; total: string }>(
    `SELECT toString(unreserved_space) AS free, toString(total_space) AS total
    FROM ${systemTable('disks', placing, 'all')} WHERE total_space > 0 AND is_remote = 0`,
  )
  return rows.map(({ free, total }) => ({ freeBytes: Number(free), totalBytes: Number(total) }))
}

function systemTable(name: 'parts' | 'disks', { cluster }: Placing, copies: Copies): string {
  if (cluster === undefined) return `system.${name}`
  return `${copies === 'one' ? 'cluster' : 'clusterAllReplicas'}(${quoteText(cluster)}, system.${name})`
}
