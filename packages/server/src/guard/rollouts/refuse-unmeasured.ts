import { problem } from '@telltale/core/errors'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { identities } from '../../platform/engines/postgres/schema.ts'

/** Every client sends these. */
const always = new Set(['targetingKey', 'anonymousId'])

interface Unit {
  environmentId: string
  by: string
}

/** Clients must know the unit of the users they report. Throws `unit-not-measured`. */
export async function refuseUnmeasured(db: Queryable, unit: Unit): Promise<void> {
  const fault = await findUnmeasured(db, unit)
  if (fault !== undefined) throw problem('unit-not-measured', fault)
}

/** Why users cannot be counted by this unit; undefined if they can. */
export async function findUnmeasured(
  db: Queryable,
  { environmentId, by }: Unit,
): Promise<string | undefined> {
  if (always.has(by)) return undefined
  const { environmentId: environment, traits } = identities
  const path = by.split('.')
  const found = await db
    .select({ targetingKey: identities.targetingKey })
    .from(identities)
    .where(
      sql`${environment} = ${environmentId} AND jsonb_typeof(COALESCE(${traits} -> ${by}, ${traits} #> ${sql.param(path)}::text[])) IN ('string', 'number')`,
    )
    .limit(1)
  return found.length > 0 ? undefined : `No user of this environment has "${by}", so it cannot be counted by.`
}
