import { eq, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'

type InstallationRow = typeof installation.$inferSelect

export async function findInstallation(db: Queryable): Promise<InstallationRow | undefined> {
  const [row] = await db.select().from(installation).where(eq(installation.id, 1))
  return row
}

/** Locks the single row until the transaction ends. */
export async function lockInstallation(db: Queryable): Promise<InstallationRow | undefined> {
  const [row] = await db.select().from(installation).where(eq(installation.id, 1)).for('update')
  return row
}

export async function databaseFacts(db: Queryable): Promise<{ version: string; sizeBytes: number }> {
  const { rows } = await db.execute<{ version: string; size: string }>(
    sql`SELECT current_setting('server_version') AS version, pg_database_size(current_database())::text AS size`,
  )
  const [row] = rows
  return { version: row?.version ?? '', sizeBytes: Number(row?.size ?? 0) }
}
