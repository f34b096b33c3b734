// Where an environment asks for the approval of an owner, the owners of a flag decide what it serves there. Otherwise
// an author could remove the owner who does not approve, or add one who does: owners change with the permission that
// changes the rule itself.

import { isSame } from '@telltale/core/changes/same'
import { problem } from '@telltale/core/errors'
import { type Grant, may } from '@telltale/core/rights'
import { and, asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import type { FlagRow } from './queries.ts'

type Owned = Pick<FlagRow, 'owners' | 'ownerTeams'>

const ownersOf = ({ owners, ownerTeams }: Owned) => [...owners, ...ownerTeams].sort()

/** A flag without owners gets its first ones freely: until then it needs no approval by an owner. Throws `forbidden`. */
export async function refuseOwnerChange(
  db: Queryable,
  { before, after }: { before: FlagRow; after: Owned },
  grant: Grant,
): Promise<void> {
  const owned = ownersOf(before)
  if (owned.length === 0 || isSame(owned, ownersOf(after))) return
  const { projectId, approvalRequired, ownerApproval, position, key } = environments
  const asking = await db
    .select({ env: key })
    .from(environments)
    .where(and(eq(projectId, before.projectId), eq(approvalRequired, true), eq(ownerApproval, true)))
    .orderBy(asc(position), asc(key))
  const permission = 'environments.manage'
  const refused = asking.find(({ env }) => !may(grant, permission, env))
  if (refused === undefined) return
  throw problem('forbidden', {
    detail: `The environment "${refused.env}" asks for the approval of an owner, so changing owners needs ${permission} there.`,
    permission,
  })
}
