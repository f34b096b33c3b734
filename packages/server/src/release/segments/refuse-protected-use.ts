import type { ProjectRole } from '@telltale/core/permissions'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { mayChangeProtected } from '../flags/config-ref.ts'
import { protectedUse } from '../flags/refuse-protected-use.ts'
import { findProtectedSegmentUses } from './queries.ts'

/**
 * Check before the conditions of a segment change, because that changes the values served to its users. Throws
 * `forbidden`.
 */
export async function refuseProtectedUse(
  db: Queryable,
  { projectId, key }: { projectId: string; key: string },
  role: ProjectRole,
): Promise<void> {
  if (mayChangeProtected(role)) return
  const [use] = await findProtectedSegmentUses(db, projectId, key)
  if (use !== undefined) throw protectedUse(use.flag, [use.env])
}
