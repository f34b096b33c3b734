// Removes private traits from what was stored before they became private. Reading hides them from the first moment on;
// what a server that stops leaves undone, the next one does at its start.

import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { environments, identities } from '../../platform/engines/postgres/schema.ts'

/** Small enough for the time that a statement may take. */
const rowsAtOnce = 5_000

/** In one environment, or wherever there are any. */
export async function forgetPrivateTraits(
  db: Db,
  { environmentId, signal }: { environmentId: string | undefined; signal: AbortSignal },
): Promise<void> {
  const found = await db
    .select({ id: environments.id, names: environments.privateTraits })
    .from(environments)
    .where(environmentId === undefined ? undefined : eq(environments.id, environmentId))
  for (const { id, names } of found) {
    let last: string | null = names.length > 0 ? '' : null
    while (last !== null && !signal.aborted) last = await forgetSome(db, { id, names, after: last })
  }
}

/** Gives the last key that was looked at, or nothing at the end. */
async function forgetSome(
  db: Db,
  { id, names, after }: { id: string; names: string[]; after: string },
): Promise<string | null> {
  const { rows } = await db.execute<{ last: string | null }>(sql`
    WITH looked_at AS (
      SELECT targeting_key FROM ${identities}
      WHERE ${identities.environmentId} = ${id} AND ${identities.targetingKey} > ${after}
      ORDER BY targeting_key
      LIMIT ${rowsAtOnce}
    ), cleaned AS (
      UPDATE ${identities} SET traits = traits - ${sql.param(names)}::text[]
      WHERE ${identities.environmentId} = ${id}
        AND ${identities.targetingKey} IN (SELECT targeting_key FROM looked_at)
        AND ${identities.traits} ?| ${sql.param(names)}::text[]
    )
    SELECT max(targeting_key) AS last FROM looked_at`)
  return rows[0]?.last ?? null
}
