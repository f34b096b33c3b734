import { problem } from '@telltale/core/errors'
import type { ProjectRole } from '@telltale/core/permissions'
import { and, eq } from 'drizzle-orm'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'
import { lockDirectMember, memberChange, readMember, refuseRoleOfGroups } from './member.ts'
import type { MemberRow } from './queries.ts'

interface MemberUpdate {
  project: { id: string; key: string }
  userId: string
  role: ProjectRole
}

export const updateMember = change(async (context, { project, userId, role }: MemberUpdate) => {
  const { db } = context
  const before = await lockDirectMember(db, { project, userId })
  if (before.membership.managed) throw problem('managed')
  refuseRoleOfGroups(before.membership)
  const { changes } =
    before.membership.role === role
      ? { changes: [] }
      : await setMemberRole(context, { project, member: before, role })
  return { reply: await readMember(db, { projectId: project.id, user: before.user }), changes }
})

interface NewRole extends Pick<MemberUpdate, 'project' | 'role'> {
  member: MemberRow
  /** The sign-in provider whose groups give the role; null if it is given by hand. */
  roleFrom?: string | null
}

export async function setMemberRole(
  { db }: ChangeContext,
  { project, member, role, roleFrom = member.membership.roleFrom }: NewRole,
): Promise<{ member: MemberRow; changes: EntityChange[] }> {
  const { membership: before, user } = member
  const after = { ...before, role, roleFrom }
  await db
    .update(memberships)
    .set({ role, roleFrom })
    .where(and(eq(memberships.projectId, project.id), eq(memberships.userId, user.id)))

  return {
    member: { membership: after, user },
    changes: [memberChange('update', { project, user, before, after })],
  }
}
