import type { Grant } from '@telltale/core/rights'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { evaluateFlags } from '../flags/evaluate-flags.ts'
import { findIdentity } from './queries.ts'
import { hiddenTraits, maskTrace, traitsToEvaluate } from './visible-traits.ts'

/** Evaluates every flag for the last known traits of an identity, without those hidden from the caller. */
export async function evaluateIdentity(
  db: Queryable,
  { environment, grant }: { environment: EnvironmentRow; grant: Grant },
  targetingKey: string,
) {
  const row = await findIdentity(db, { environmentId: environment.id, targetingKey })
  const context = { ...traitsToEvaluate(environment, row?.traits ?? {}, grant), targetingKey }
  const { items } = await evaluateFlags(
    db,
    { projectId: environment.projectId, environmentId: environment.id },
    { context },
  )
  const hidden = hiddenTraits(environment, grant)

  return {
    traitsSeenAt: row?.lastSeenAt.toISOString() ?? null,
    masked: [...hidden],
    items: items.map((item) => ({ ...item, trace: maskTrace(item.trace, hidden) })),
  }
}
