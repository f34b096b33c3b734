import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Past } from './find-past.ts'

type Store = Pick<Telemetry, 'read' | 'remove' | 'standsAlone'>

/**
 * Drops files in which every row is past, and deletes rows from the others. Files are immutable: rows
 * that arrive meanwhile are in a new file and stay. After each step, `onGone` is called with the number of deleted
 * rows.
 */
export async function removePast(
  telemetry: Store,
  past: Pick<Past, 'table' | 'partitions' | 'where' | 'rows'>,
  onGone: (rows: number) => Promise<void>,
): Promise<void> {
  const { table, partitions, where, rows } = past
  let left = { partitions: new Set(partitions), rows }
  if (telemetry.standsAlone) left = await dropWhole(telemetry, past, onGone)
  const [only] = left.partitions
  if (only === undefined) return
  await telemetry.remove({ rows: where, table, ...(left.partitions.size === 1 && { partition: only }) })
  await onGone(left.rows)
}

/** Returns what is left to delete. */
async function dropWhole(
  telemetry: Store,
  { table, partitions, where }: Pick<Past, 'table' | 'partitions' | 'where'>,
  onGone: (rows: number) => Promise<void>,
): Promise<{ partitions: Set<string>; rows: number }> {
  const left = { partitions: new Set<string>(), rows: 0 }
  const files = await telemetry.read<{ file: string; partition: string; gone: string; isWhole: number }>(
    `SELECT _part AS file, _partition_id AS partition, toString(countIf(${where})) AS gone, count() = countIf(${where}) AS isWhole
    FROM ${table} WHERE _partition_id IN {partitions:Array(String)} GROUP BY file, partition HAVING gone != '0'`,
    { values: { partitions } },
  )
  for (const { file, partition, gone, isWhole } of files) {
    if (isWhole === 1 && (await dropFile(telemetry, table, file))) {
      await onGone(Number(gone))
    } else {
      left.partitions.add(partition)
      left.rows += Number(gone)
    }
  }
  return left
}

/** False when it was merged with another file meanwhile. */
export async function dropFile(telemetry: Store, table: Past['table'], file: string): Promise<boolean> {
  try {
    await telemetry.remove({ part: file, table })
    return true
  } catch {
    // Its rows are deleted instead; that will also report a failure of the store itself.
    return false
  }
}
