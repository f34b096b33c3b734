import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Grant } from '@telltale/core/rights'
import type { MembershipRow } from '../../access/find-membership.ts'
import { lockProject } from '../../access/find-project.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'
import { takeRole } from '../roles/queries.ts'
import { refuseExcess } from '../roles/refuse-excess.ts'
import { findUserByEmail } from '../users/queries.ts'
import { rightsOfRoles } from './give-roles.ts'
import { memberChange, readMember } from './member.ts'
import { countMembers, type EnvironmentRole } from './queries.ts'
import { storeEnvironmentRoles } from './store-environment-roles.ts'

interface ProjectRef {
  id: string
  key: string
}

interface MemberDraft {
  project: ProjectRef
  email: string
  role: string
  environments?: readonly EnvironmentRole[]
  author: Grant
}

/** Adds a user with an existing account. */
export const addMember = change(async (context, draft: MemberDraft) => {
  const { project, email, role, environments = [], author } = draft
  const user = await findUserByEmail(context.db, email)
  if (!user) throw problem('not-found', `There is no user with the address ${email}. Invite them instead.`)

  const place = { db: context.db, projectId: project.id }
  refuseExcess(author, { before: undefined, after: await rightsOfRoles(place, { role, environments }) })
  const { row } = await insertMember(context, project, { user, role })
  const stored = await storeEnvironmentRoles(context, { project, userId: user.id, wanted: environments })
  const there = { before: [], after: stored }
  return {
    reply: await readMember(context.db, { projectId: project.id, user }),
    changes: [memberChange('create', { project, user, after: row, environments: there })],
  }
})

interface NewMember {
  user: UserRow
  role: string
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
  // Keeps an own role from being deleted meanwhile.
  await takeRole(db, { projectId: project.id, key: role }, '/role')
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
