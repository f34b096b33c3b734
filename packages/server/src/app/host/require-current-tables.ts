import { appliedMigrations, readMigrations } from '../../platform/engines/postgres/migrate.ts'
import type { HostDatabase } from './open-database.ts'

/** A command of a newer version than the server would use columns that do not exist yet. */
export async function requireCurrentTables({ sql }: Pick<HostDatabase, 'sql'>): Promise<void> {
  const applied = await appliedMigrations(sql)
  const known = (await readMigrations()).map(({ name }) => name)
  if (applied.join() === known.join()) return
  throw new Error('The tables have another version. Start the server of this version once, then try again.')
}
