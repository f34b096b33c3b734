import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { environments, identities } from '../../platform/engines/postgres/schema.ts'

export interface SeenIdentity {
  environmentId: string
  targetingKey: string
  /** JSON. */
  traits: string
  /** Milliseconds since 1970. */
  at: number
}

/**
 * Writes each identity once. Identities of deleted environments are ignored; the context seen last wins.
 * Returns the number of new ones dropped because their environment is full.
 */
export async function writeIdentities(
  db: Db,
  seen: readonly SeenIdentity[],
  full: ReadonlySet<string> = new Set(),
): Promise<number> {
  if (seen.length === 0) return 0
  const known = full.size === 0 ? undefined : await findKnown(db, seen, full)
  const kept = seen.filter(
    ({ environmentId, targetingKey }) =>
      !full.has(environmentId) || known?.has(`${environmentId} ${targetingKey}`) === true,
  )
  if (kept.length > 0) await write(db, kept)
  return seen.length - kept.length
}

async function findKnown(
  db: Db,
  seen: readonly SeenIdentity[],
  full: ReadonlySet<string>,
): Promise<Set<string>> {
  const some = seen.filter(({ environmentId }) => full.has(environmentId))
  const { rows } = await db.execute<{ environment_id: string; targeting_key: string }>(sql`
    SELECT environment_id, targeting_key
    FROM ${identities}
    JOIN jsonb_to_recordset(${JSON.stringify(some)}::jsonb) AS given ("environmentId" uuid, "targetingKey" text)
      ON environment_id = given."environmentId" AND targeting_key = given."targetingKey"`)
  return new Set(rows.map((row) => `${row.environment_id} ${row.targeting_key}`))
}

async function write(db: Db, seen: readonly SeenIdentity[]): Promise<void> {
  // Sorted, so that all servers lock rows in the same order.
  await db.execute(sql`
    INSERT INTO ${identities} (environment_id, targeting_key, traits, first_seen_at, last_seen_at)
    SELECT ${environments.id}, given."targetingKey", given.traits::jsonb, to_timestamp(given.at / 1000),
      to_timestamp(given.at / 1000)
    FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb)
      AS given ("environmentId" uuid, "targetingKey" text, traits text, at float8)
    JOIN ${environments} ON ${environments.id} = given."environmentId"
    ORDER BY 1, 2
    ON CONFLICT ON CONSTRAINT identities_pk DO UPDATE
      SET traits = excluded.traits, last_seen_at = excluded.last_seen_at
      WHERE ${identities.lastSeenAt} <= excluded.last_seen_at`)
}

/** The names that environments never store. */
export async function findPrivateTraits(
  db: Db,
  environmentIds: ReadonlySet<string>,
): Promise<Map<string, Set<string>>> {
  const rows = await db
    .select({ id: environments.id, names: environments.privateTraits })
    .from(environments)
    .where(inArray(environments.id, [...environmentIds]))
  return new Map(rows.map(({ id, names }) => [id, new Set(names)]))
}
