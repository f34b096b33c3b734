import { problem } from '@telltale/core/errors'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../engines/postgres/open.ts'
import { identities } from '../engines/postgres/schema.ts'
import type { FlagRow } from '../flags/queries.ts'

/** Every client has these. */
const always = new Set(['targetingKey', 'anonymousId'])

interface Unit {
  environmentId: string
  flag: Pick<FlagRow, 'key' | 'clientVisible'>
  by: string
}

/** Browsers must know the arm and the unit of whoever they tell about. Throws `unit-not-measured`. */
export async function refuseUnmeasured(db: Queryable, { environmentId, flag, by }: Unit): Promise<void> {
  if (!flag.clientVisible) {
    throw problem(
      'unit-not-measured',
      `"${flag.key}" is for servers only: browsers do not know what their users got.`,
    )
  }
  if (always.has(by)) return
  const { environmentId: environment, traits } = identities
  const path = by.split('.')
  const found = await db
    .select({ targetingKey: identities.targetingKey })
    .from(identities)
    .where(
      sql`${environment} = ${environmentId} AND jsonb_typeof(COALESCE(${traits} -> ${by}, ${traits} #> ${sql.param(path)}::text[])) IN ('string', 'number')`,
    )
    .limit(1)
  if (found.length > 0) return
  throw problem('unit-not-measured', `Nobody who was seen here has "${by}", so it cannot be counted by.`)
}
