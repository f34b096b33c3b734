// The SQL to remove rows, columns and files from existing tables, for one server or for a cluster, where the rows are
// in the tables behind the distributed ones. Pure. Every statement can be repeated.
import type { Placing } from './definition.ts'
import { onCluster, storageOf } from './render-statements.ts'
import type { StoredTable } from './tables.ts'

export type Removal =
  /** Masks rows that match a condition: they are no longer found, but stay in the files until the mask is applied. */
  | { rows: string; table: StoredTable; partition?: string }
  /** A file with everything in it, on a server that stands alone. Nothing when it is no more. */
  | { part: string; table: StoredTable }
  /** Files whose place others have taken, now rather than later, as soon as they have waited for as long as they must. */
  | { replaced: true; table: StoredTable }
  /** Writes the files of a partition anew, without the rows that are no longer found. */
  | { mask: string; table: StoredTable }

const harmless = /^[\w-]{1,100}$/

export function renderRemoval(removal: Removal, placing: Placing): string {
  const table = storageOf(removal.table, placing)
  const where = onCluster(placing)
  if ('rows' in removal) {
    const { rows, partition } = removal
    return `DELETE FROM ${table}${where}${partition === undefined ? '' : ` IN PARTITION ID '${checked(partition)}'`} WHERE ${rows}`
  }
  if ('mask' in removal) {
    return `ALTER TABLE ${table}${where} APPLY DELETED MASK IN PARTITION ID '${checked(removal.mask)}' SETTINGS mutations_sync = 2`
  }
  // The store checks the next partition after a dropped one. No partition has this name.
  if ('replaced' in removal) return `ALTER TABLE ${table}${where} DROP PARTITION ID 'none'`
  if (placing.cluster !== undefined)
    throw new Error('the files of a cluster have names of their own on each shard')
  return `ALTER TABLE ${table} DROP PART '${checked(removal.part)}'`
}

/** Names of files and partitions come from the store itself. */
function checked(name: string): string {
  if (harmless.test(name)) return name
  throw new Error(`"${name}" is not a file name`)
}
