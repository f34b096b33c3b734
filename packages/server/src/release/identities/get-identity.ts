import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findIdentity, findOverridesOf } from './queries.ts'
import { visibleTraits } from './visible-traits.ts'

/** Throws `not-found` for an identity that was never seen and has no overrides. */
export async function getIdentity(
  db: Queryable,
  { environment, grant }: { environment: EnvironmentRow; grant: Grant },
  targetingKey: string,
) {
  const ref = { environmentId: environment.id, targetingKey }
  const row = await findIdentity(db, ref)
  const overrides = await findOverridesOf(db, ref)
  if (!row && overrides.length === 0)
    throw problem('not-found', 'This identity has never been seen in this environment.')

  return {
    targetingKey,
    ...visibleTraits(environment, row?.traits ?? {}, grant),
    firstSeenAt: row?.firstSeenAt.toISOString() ?? null,
    lastSeenAt: row?.lastSeenAt.toISOString() ?? null,
    overrides: overrides.map(({ flag, variation, createdAt }) => ({
      flag,
      variation,
      createdAt: createdAt.toISOString(),
    })),
  }
}
