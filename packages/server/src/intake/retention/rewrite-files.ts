// Rewrites files without the rows that are only marked as deleted, which take up space until then.

import { limits } from '@telltale/core/limits'
import type { StoredFile } from '../../platform/engines/clickhouse/read-files.ts'
import type { StoredTable } from '../../platform/engines/clickhouse/schema/tables.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { dropFile } from './remove-past.ts'

type Store = Pick<Telemetry, 'read' | 'remove' | 'files' | 'standsAlone'>

export interface Rewriting {
  /** Only where enough rows are deleted to be worth it, or wherever there is at least one. */
  when: 'worth it' | 'any'
  tables?: readonly StoredTable[]
  /** Called before each partition; may throw to stop. */
  onStep?: () => Promise<void>
}

export async function rewriteFiles(telemetry: Store, { when, tables, onStep }: Rewriting): Promise<void> {
  for (const [place, files] of await findPartitions(telemetry, tables)) {
    const { table, partition } = place
    const rows = await telemetry.read<{ file: string; found: string }>(
      `SELECT _part AS file, toString(count()) AS found FROM ${table} WHERE _partition_id = {partition:String} GROUP BY file`,
      { values: { partition } },
    )
    const found = new Map(rows.map(({ file, found: count }) => [file, Number(count)]))
    const stored = files.reduce((sum, file) => sum + file.rows, 0)
    const deleted = stored - rows.reduce((sum, { found: count }) => sum + Number(count), 0)
    const isWorthIt = when === 'any' || deleted * limits.retentionMaskShare >= stored
    if (!isWorthIt) continue
    await onStep?.()
    const mixed = await dropEmptied(telemetry, files, found)
    if (mixed) await telemetry.remove({ mask: partition, table })
  }
}

async function findPartitions(
  telemetry: Store,
  tables: readonly StoredTable[] | undefined,
): Promise<Map<{ table: StoredTable; partition: string }, StoredFile[]>> {
  const byPlace = new Map<string, StoredFile[]>()
  for (const file of await telemetry.files()) {
    if (!file.isActive || (tables !== undefined && !tables.includes(file.table))) continue
    const key = `${file.table} ${file.partition}`
    byPlace.set(key, [...(byPlace.get(key) ?? []), file])
  }
  const touched = [...byPlace.values()].filter((files) => files.some(({ hasDeleted }) => hasDeleted))
  return new Map(
    touched.flatMap((files) => {
      const [first] = files
      return first ? [[{ table: first.table, partition: first.partition }, files] as const] : []
    }),
  )
}

/** Returns whether files with deleted rows remain. */
async function dropEmptied(
  telemetry: Store,
  files: readonly StoredFile[],
  found: ReadonlyMap<string, number>,
): Promise<boolean> {
  let mixed = false
  for (const { name, table, hasDeleted } of files) {
    if (!hasDeleted) continue
    const isEmpty = telemetry.standsAlone && !found.has(name)
    if (!(isEmpty && (await dropFile(telemetry, table, name)))) mixed = true
  }
  return mixed
}
