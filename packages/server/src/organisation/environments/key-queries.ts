import { and, desc, eq, gt, isNull, or } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'

export type KeyRow = typeof sdkKeys.$inferSelect

/** Newest first. */
export async function findKeys(db: Queryable, environmentId: string): Promise<KeyRow[]> {
  return db
    .select()
    .from(sdkKeys)
    .where(eq(sdkKeys.environmentId, environmentId))
    .orderBy(desc(sdkKeys.createdAt), desc(sdkKeys.id))
}

/** Locks a key of this environment until the transaction ends. */
export async function lockKey(
  db: Queryable,
  { environmentId, id }: { environmentId: string; id: string },
): Promise<KeyRow | undefined> {
  const [row] = await db
    .select()
    .from(sdkKeys)
    .where(and(eq(sdkKeys.environmentId, environmentId), eq(sdkKeys.id, id)))
    .for('update')
  return row
}

/** The number of valid keys of the environment. */
export async function countActiveKeys(db: Queryable, environmentId: string, now: Date): Promise<number> {
  return db.$count(
    sdkKeys,
    and(eq(sdkKeys.environmentId, environmentId), or(isNull(sdkKeys.revokedAt), gt(sdkKeys.revokedAt, now))),
  )
}
