import type { Member } from '@telltale/core/contract/members'
import { problem } from '@telltale/core/errors'
import type { Static } from 'typebox'
import type { MembershipRow } from '../../access/find-membership.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findUser } from '../users/queries.ts'
import { auditedRoles } from './environment-roles.ts'
import {
  describeMembers,
  type EnvironmentRole,
  type FoundMember,
  lockMember,
  type MemberRow,
} from './queries.ts'

/** A member as the API returns it. */
export function toMember({
  user,
  membership,
  teams,
  role,
  environments,
}: FoundMember): Static<typeof Member> {
  const began = [...(membership ? [membership.createdAt] : []), ...teams.map(({ since }) => since)]
  const [since = user.createdAt] = began.sort((a, b) => a.getTime() - b.getTime())
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      disabledAt: user.disabledAt?.toISOString() ?? null,
      lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
    },
    role,
    direct: membership?.role ?? null,
    teams: teams.map(({ since: _since, ...team }) => team),
    environments,
    createdAt: since.toISOString(),
    managed: membership?.managed ?? false,
    byGroup: (membership?.roleFrom ?? null) !== null,
  }
}

/** After a change of the membership: the member with their teams. */
export async function readMember(db: Queryable, { projectId, user }: { projectId: string; user: UserRow }) {
  const [found] = await describeMembers(db, projectId, [user])
  if (found === undefined) throw problem('internal')
  return toMember(found)
}

/** Locks a member with a role of their own. Throws `not-found`, and what says that teams give the role. */
export async function lockDirectMember(
  db: Queryable,
  { project, userId }: { project: { id: string }; userId: string },
): Promise<MemberRow> {
  const row = await lockMember(db, project.id, userId)
  if (row !== undefined) return row
  const user = await findUser(db, userId)
  const [byTeam] = user ? await describeMembers(db, project.id, [user]) : []
  if (byTeam === undefined || byTeam.teams.length === 0) {
    throw problem('not-found', 'There is no such member of the project.')
  }
  const keys = byTeam.teams.map(({ key }) => key).join(', ')
  throw problem(
    'wrong-state',
    `The role follows from a team (${keys}). Change the role of the team, or the members of it.`,
  )
}

/** Roles that follow from groups are decided at the provider. */
export function refuseRoleOfGroups({ roleFrom }: MembershipRow): void {
  if (roleFrom === null) return
  throw problem(
    'wrong-state',
    'The role follows from a group of the sign-in provider. Change the groups there, or the roles of the provider.',
  )
}

/** The audit entry for a member who was added, changed role or left. */
export function memberChange(
  verb: 'create' | 'update' | 'delete',
  { project, user, before, after, environments }: MemberStep,
): EntityChange {
  return {
    action: `member.${verb}`,
    entity: { kind: 'member', id: user.id, name: user.email },
    project,
    ...(before ? { before: auditedRoles(before.role, environments?.before) } : {}),
    ...(after ? { after: auditedRoles(after.role, environments?.after) } : {}),
  }
}

interface MemberStep {
  project: { id: string; key: string }
  user: UserRow
  before?: MembershipRow
  after?: MembershipRow
  /** When they change. */
  environments?: { before: readonly EnvironmentRole[]; after: readonly EnvironmentRole[] }
}
