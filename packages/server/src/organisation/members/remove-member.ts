import { problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'
import { lockDirectMember, memberChange, refuseRoleOfGroups } from './member.ts'

interface MemberRemoval {
  project: { id: string; key: string }
  userId: string
}

/** Ends a membership. The account remains; its tokens lose access to the project. */
export const removeMember = change(async ({ db }, { project, userId }: MemberRemoval) => {
  const before = await lockDirectMember(db, { project, userId })
  if (before.membership.managed) throw problem('managed')
  refuseRoleOfGroups(before.membership)

  await db
    .delete(memberships)
    .where(and(eq(memberships.projectId, project.id), eq(memberships.userId, userId)))
  return {
    reply: null,
    changes: [
      memberChange('delete', {
        ...{ project, user: before.user, before: before.membership },
        environments: { before: before.environments, after: [] },
      }),
    ],
  }
})
