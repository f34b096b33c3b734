import type { Grant } from '@telltale/core/rights'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { mayChangeIn } from '../flags/config-ref.ts'
import { protectedUse } from '../flags/refuse-protected-use.ts'
import { findServedSegmentUses } from './queries.ts'

/**
 * Check before the conditions of a segment change, because that changes the values served to its users. Throws
 * `forbidden`.
 */
export async function refuseProtectedUse(
  db: Queryable,
  { projectId, key }: { projectId: string; key: string },
  grant: Grant,
): Promise<void> {
  const uses = await findServedSegmentUses(db, projectId, key)
  const use = uses.find(({ env, isProtected }) => !mayChangeIn({ key: env, protected: isProtected }, grant))
  if (use !== undefined) throw protectedUse(use.flag, [use.env])
}
