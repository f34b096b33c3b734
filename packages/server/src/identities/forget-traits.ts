import { sql } from 'drizzle-orm'
import type { Db } from '../engines/postgres/open.ts'
import { identities } from '../engines/postgres/schema.ts'

/** Small enough for the time that a statement may take. */
const rowsAtOnce = 5_000

/** Removes traits from every identity of an environment. */
export async function forgetTraits(db: Db, environmentId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  let changed: number | null
  do {
    const result = await db.execute(sql`
      UPDATE ${identities} SET traits = ${identities.traits} - ${sql.param(names)}::text[]
      WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${identities}
        WHERE ${identities.environmentId} = ${environmentId} AND ${identities.traits} ?| ${sql.param(names)}::text[]
        LIMIT ${rowsAtOnce}
      ))`)
    changed = result.rowCount
  } while (changed === rowsAtOnce)
}
