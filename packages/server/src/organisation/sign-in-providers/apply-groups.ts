// Gives the roles that follow from the groups of a provider, and takes those that no longer do. Roles that were given by
// hand or by the setup file stay as they are.

import { Problem } from '@telltale/core/errors'
import { rolesOfGroups } from '@telltale/core/sign-in/roles-of-groups'
import { eq } from 'drizzle-orm'
import { isMembership } from '../../access/find-membership.ts'
import { findProject } from '../../access/find-project.ts'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { memberships, projects } from '../../platform/engines/postgres/schema.ts'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { insertMember } from '../members/add-member.ts'
import { memberChange } from '../members/member.ts'
import { setMemberRole } from '../members/update-member.ts'
import { countOtherOwners, lockOwners } from '../users/queries.ts'
import { findSingleSignOn } from '../users/single-sign-on.ts'
import { auditedUser } from '../users/user.ts'
import { findGrantedRoles } from './find-granted-roles.ts'

interface Grouped {
  user: UserRow
  provider: SignInProviderRow
  groups: readonly string[]
}

export async function applyGroups(
  context: ChangeContext,
  { user, provider, groups }: Grouped,
): Promise<{ user: UserRow; changes: EntityChange[] }> {
  const wanted = rolesOfGroups(groups, provider.grants, await findGrantedRoles(context.db, provider.grants))
  const owner = await applyOwner(context, { user, provider, isOwner: wanted.isOwner })
  const changes = [...owner.changes]

  const held = await context.db
    .select({ membership: memberships, project: projects })
    .from(memberships)
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(eq(memberships.userId, user.id))
  const gone = held.filter(
    ({ membership, project }) => membership.roleFrom === provider.id && !wanted.projects.has(project.key),
  )
  for (const { membership, project } of gone) {
    await context.db.delete(memberships).where(isMembership(project.id, user.id))
    changes.push(memberChange('delete', { project, user, before: membership }))
  }
  // Always in the same order, because each one locks its project.
  for (const [key, role] of [...wanted.projects].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const member = held.find(({ project }) => project.key === key)
    if (member === undefined) {
      const project = await findProject(context.db, key)
      if (project === undefined) continue
      changes.push(...(await join(context, project, { user, role, roleFrom: provider.id })))
    } else if (member.membership.roleFrom === provider.id && member.membership.role !== role) {
      const { membership, project } = member
      changes.push(...(await setMemberRole(context, { project, member: { membership, user }, role })))
    }
  }
  return { user: owner.user, changes }
}

/** A full project is no reason to refuse the sign-in. */
async function join(
  context: ChangeContext,
  project: { id: string; key: string },
  draft: Parameters<typeof insertMember>[2],
): Promise<EntityChange[]> {
  try {
    return (await insertMember(context, project, draft)).changes
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'in-use') throw error
    const entity = { kind: 'member', id: draft.user.id, name: draft.user.email }
    return [{ action: 'member.refuse', entity, project, reason: error.message }]
  }
}

async function applyOwner(
  { db }: ChangeContext,
  { user, provider, isOwner }: { user: UserRow; provider: SignInProviderRow; isOwner: boolean },
): Promise<{ user: UserRow; changes: EntityChange[] }> {
  const isByGroup = user.roleFrom === provider.id
  const becomes = isOwner && user.role !== 'owner'
  const leaves = !isOwner && isByGroup && user.role === 'owner'
  if (user.managed || !(becomes || leaves)) return { user, changes: [] }

  await lockOwners(db)
  // The last owner keeps the role until there is another one, so that no group can lock out everyone.
  if (leaves && (await isNeeded())) return { user, changes: [] }
  const after: UserRow = becomes
    ? { ...user, role: 'owner', roleFrom: provider.id }
    : { ...user, role: 'member', roleFrom: null }
  await db.update(users).set({ role: after.role, roleFrom: after.roleFrom }).where(eq(users.id, user.id))
  const change: EntityChange = {
    action: 'user.update',
    entity: { kind: 'user', id: user.id, name: user.email },
    before: auditedUser(user),
    after: auditedUser(after),
    reason: `Groups of ${provider.key}`,
  }
  return { user: after, changes: [change] }

  async function isNeeded(): Promise<boolean> {
    const { breakGlassOwner } = await findSingleSignOn(db)
    return breakGlassOwner === user.id || (await countOtherOwners(db, user.id)) === 0
  }
}
