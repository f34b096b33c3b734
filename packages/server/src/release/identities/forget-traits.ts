// Removes private traits that were stored before they became private. Reads hide them immediately; if a server
// stops midway, the next startup continues.

import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { environments, identities } from '../../platform/engines/postgres/schema.ts'

/** Small enough for the statement timeout. */
const rowsAtOnce = 5_000

/** In one environment, or in all of them. */
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

/** Returns the last key processed, or null at the end. */
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
