import type { BodyOf } from '@telltale/core/contract/call'
import type { updateMember as updateMemberCall } from '@telltale/core/contract/members'
import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { and, eq } from 'drizzle-orm'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'
import { refuseExcess } from '../roles/refuse-excess.ts'
import { areSameRoles } from './environment-roles.ts'
import { rightsOfRoles } from './give-roles.ts'
import { lockDirectMember, memberChange, readMember, refuseRoleOfGroups } from './member.ts'
import type { MemberRow } from './queries.ts'
import { storeEnvironmentRoles } from './store-environment-roles.ts'

interface MemberUpdate {
  project: { id: string; key: string }
  userId: string
  /** What its author may do, which is the most that they can give. */
  author: Grant
  draft: BodyOf<typeof updateMemberCall>
}

/** `environments` replaces the roles in all environments. */
export const updateMember = change(async (context, { project, userId, author, draft }: MemberUpdate) => {
  const before = await lockDirectMember(context.db, { project, userId })
  if (before.membership.managed) throw problem('managed')
  const { role = before.membership.role, environments = before.environments } = draft
  const after = { role, environments }
  if (role !== before.membership.role) refuseRoleOfGroups(before.membership)
  const held = { role: before.membership.role, environments: before.environments }
  if (role === held.role && areSameRoles(environments, held.environments))
    return { reply: await readMember(context.db, { projectId: project.id, user: before.user }), changes: [] }

  const place = { db: context.db, projectId: project.id }
  refuseExcess(author, { before: await rightsOfRoles(place, held), after: await rightsOfRoles(place, after) })
  const stored = await storeEnvironmentRoles(context, { project, userId, wanted: after.environments })
  const membership = { ...before.membership, role }
  await context.db.update(memberships).set({ role }).where(isMember(project, userId))
  const { user } = before
  const step = { project, user, before: before.membership, after: membership }
  return {
    reply: await readMember(context.db, { projectId: project.id, user }),
    changes: [
      memberChange('update', { ...step, environments: { before: before.environments, after: stored } }),
    ],
  }
})

const isMember = (project: { id: string }, userId: string) =>
  and(eq(memberships.projectId, project.id), eq(memberships.userId, userId))

interface NewRole {
  project: { id: string; key: string }
  role: string
  member: Pick<MemberRow, 'membership' | 'user'>
  /** The sign-in provider whose groups give the role; null if it is given by hand. */
  roleFrom?: string | null
}

/** Sets the role in the project, for members whose role follows from an invitation or from groups. */
export async function setMemberRole(
  { db }: ChangeContext,
  { project, member, role, roleFrom = member.membership.roleFrom }: NewRole,
): Promise<EntityChange[]> {
  const { membership: before, user } = member
  const after = { ...before, role, roleFrom }
  await db.update(memberships).set({ role, roleFrom }).where(isMember(project, user.id))
  return [memberChange('update', { project, user, before, after })]
}
