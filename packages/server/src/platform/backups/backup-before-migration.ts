import { appliedMigrations, type Migration, readMigrations } from '../engines/postgres/migrate.ts'
import type { Sql } from '../engines/postgres/sql.ts'
import { type BackupLocation, makeBackup } from './make-backup.ts'
import type { WrittenBackup } from './write-backup.ts'

/** Does nothing when there are no pending migrations or the database is new. */
export async function backupBeforeMigration(
  sql: Sql,
  { migrations, ...place }: BackupLocation & { migrations?: Migration[] },
): Promise<WrittenBackup | undefined> {
  const applied = await appliedMigrations(sql)
  const known = migrations ?? (await readMigrations())
  const isPending = known.some(({ name }) => !applied.includes(name))
  if (applied.length === 0 || !isPending) return undefined
  return makeBackup(sql, 'before-migration', place)
}
