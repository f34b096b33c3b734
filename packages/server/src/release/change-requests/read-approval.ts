// The approval of a draft that is no change request, by the same rules.

import type { Approval, ApprovalRule, OwningTeams, Proposed } from '@telltale/core/changes/approvals'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'
import { teamMembers } from '../../platform/engines/postgres/team-schema.ts'
import { createLapsedFilter } from './drop-lapsed.ts'

export interface Draft {
  flagId: string
  environmentId: string
  authorId: string | null
  approvals: readonly Approval[]
  /** Of the draft as it is now. */
  version: number
}

export interface DraftApproval {
  rule: ApprovalRule
  proposed: Proposed
  ownerTeams: string[]
}

/** Without the approvals of members who may no longer approve. Undefined where changes need no approval. */
export async function readApproval(
  db: Queryable,
  project: { id: string },
  { flagId, environmentId, authorId, version, ...draft }: Draft,
): Promise<DraftApproval | undefined> {
  const [place] = await db
    .select({
      env: environments.key,
      isRequired: environments.approvalRequired,
      needed: environments.approvals,
      byOwner: environments.ownerApproval,
      owners: flags.owners,
      ownerTeams: flags.ownerTeams,
    })
    .from(environments)
    .innerJoin(flags, eq(flags.id, flagId))
    .where(eq(environments.id, environmentId))
  if (!place?.isRequired) return undefined
  const { env, needed, byOwner, owners, ownerTeams } = place
  const approvals = await createLapsedFilter(db, project)({ env, approvals: draft.approvals })
  const teams = await findOwningTeams(db, { ownerTeams, authorId, approvals })
  const proposed = { authorId, version, approvals, owners, teams }
  return { rule: { needed, byOwner }, proposed, ownerTeams }
}

/** Two owners are enough to know whether one of them is not the author. */
async function findOwningTeams(
  db: Queryable,
  {
    ownerTeams,
    authorId,
    approvals,
  }: { ownerTeams: string[]; authorId: string | null; approvals: readonly Approval[] },
): Promise<OwningTeams> {
  if (ownerTeams.length === 0) return { approvers: [], hasOther: false }
  const isOwner = and(inArray(teamMembers.teamId, ownerTeams), isNull(users.disabledAt))
  const members = () =>
    db.selectDistinct({ id: users.id }).from(teamMembers).innerJoin(users, eq(users.id, teamMembers.userId))
  const ids = approvals.flatMap(({ id }) => (id === null ? [] : [id]))
  const approvers = ids.length === 0 ? [] : await members().where(and(isOwner, inArray(users.id, ids)))
  const some = await members().where(isOwner).limit(2)
  return { approvers: approvers.map(({ id }) => id), hasOther: some.some(({ id }) => id !== authorId) }
}
