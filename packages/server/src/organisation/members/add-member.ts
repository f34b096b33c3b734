import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { ProjectRole } from '@telltale/core/permissions'
import type { MembershipRow } from '../../access/find-membership.ts'
import { lockProject } from '../../access/find-project.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'
import { findUserByEmail } from '../users/queries.ts'
import { memberChange, readMember } from './member.ts'
import { countMembers } from './queries.ts'

interface ProjectRef {
  id: string
  key: string
}

interface MemberDraft {
  project: ProjectRef
  email: string
  role: ProjectRole
}

/** Adds a user with an existing account. */
export const addMember = change(async (context, { project, email, role }: MemberDraft) => {
  const user = await findUserByEmail(context.db, email)
  if (!user) throw problem('not-found', `There is no user with the address ${email}. Invite them instead.`)

  const { changes } = await insertMember(context, project, { user, role })
  return { reply: await readMember(context.db, { projectId: project.id, user }), changes }
})

interface NewMember {
  user: UserRow
  role: ProjectRole
  managed?: boolean
  /** The sign-in provider whose groups give the role. */
  roleFrom?: string | null
}

/** Inserts a membership. Throws `already-exists` and `in-use`. */
export async function insertMember(
  { db, now }: ChangeContext,
  project: ProjectRef,
  { user, role, managed = false, roleFrom = null }: NewMember,
): Promise<{ row: MembershipRow; changes: EntityChange[] }> {
  if (!(await lockProject(db, project.id))) throw problem('not-found')
  if ((await countMembers(db, project.id)) >= limits.membersPerProject) {
    throw problem('in-use', `A project has at most ${limits.membersPerProject} members.`)
  }

  const [row] = await db
    .insert(memberships)
    .values({ projectId: project.id, userId: user.id, role, createdAt: now, managed, roleFrom })
    .onConflictDoNothing()
    .returning()
  if (!row) throw problem('already-exists', `${user.email} is already a member of the project.`)

  return { row, changes: [memberChange('create', { project, user, after: row })] }
}
