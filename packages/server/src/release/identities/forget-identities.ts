import { limits } from '@telltale/core/limits'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { identities } from '../../platform/engines/postgres/schema.ts'

const day = 86_400_000
/** Few enough that concurrent updates of identities do not wait. */
const together = 2_000

/** Deletes identities not seen within the longest retention of telemetry. Their overrides are kept. */
export async function forgetIdentities(
  db: Db,
  { now, step }: { now: Date; step(): Promise<void> },
): Promise<void> {
  const before = new Date(now.getTime() - limits.identitiesKept * day).toISOString()
  for (let gone = together; gone === together; ) {
    await step()
    const { rowCount } = await db.execute(sql`
      DELETE FROM ${identities} WHERE (environment_id, targeting_key) IN (
        SELECT environment_id, targeting_key FROM ${identities}
        WHERE last_seen_at < ${before}::timestamptz LIMIT ${together}
      )`)
    gone = rowCount ?? 0
  }
}
