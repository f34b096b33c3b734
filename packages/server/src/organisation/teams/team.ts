import type { ProjectTeam, Team, TeamMember } from '@telltale/core/contract/teams'
import { problem } from '@telltale/core/errors'
import type { Static } from 'typebox'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { TeamRoleRow, TeamRow } from '../../platform/engines/postgres/team-schema.ts'
import { auditedRoles } from '../members/environment-roles.ts'
import type { EnvironmentRole } from '../members/queries.ts'
import { type CountedTeam, type FoundTeamMember, isScimUsed, type TeamInProject } from './queries.ts'

const summaryOf = ({ team, members }: Pick<CountedTeam, 'team' | 'members'>) => ({
  id: team.id,
  key: team.key,
  name: team.name,
  description: team.description,
  managed: team.managed,
  scim: team.scim,
  members,
})

/** A team as the API returns it. */
export function toTeam(found: CountedTeam): Team {
  return {
    ...summaryOf(found),
    projects: found.projects,
    createdAt: found.team.createdAt.toISOString(),
  }
}

export function toProjectTeam({ given, environments, ...found }: TeamInProject): Static<typeof ProjectTeam> {
  return {
    team: summaryOf(found),
    role: given.role,
    environments,
    managed: given.managed,
    createdAt: given.createdAt.toISOString(),
  }
}

export function toTeamMember({ user, since }: FoundTeamMember): Static<typeof TeamMember> {
  const { id, email, name, disabledAt } = user
  return {
    user: { id, email, name, disabledAt: disabledAt?.toISOString() ?? null },
    since: since.toISOString(),
  }
}

/** What alone changes the team; null: owners do. A group of an identity provider is free when no SCIM token is left. */
export async function whatChanges(
  db: Queryable,
  { managed, scim }: TeamRow,
): Promise<'setup-file' | 'identity-provider' | null> {
  if (managed) return 'setup-file'
  return scim && (await isScimUsed(db)) ? 'identity-provider' : null
}

/** Throws `managed`, and `wrong-state` for a group of an identity provider that can change it. */
export async function refuseManagedTeam(db: Queryable, team: TeamRow): Promise<void> {
  const changedBy = await whatChanges(db, team)
  if (changedBy === null) return
  if (changedBy === 'setup-file') throw problem('managed')
  throw problem('wrong-state', 'This team is managed by SCIM. Change the group at your identity provider.')
}

const entityOf = ({ id, key }: TeamRow) => ({ kind: 'team', id, name: key })

/** The audit entry of a team that was created, changed or deleted. */
export function teamChange(
  verb: 'create' | 'update' | 'delete',
  team: TeamRow,
  before: TeamRow = team,
): EntityChange {
  return {
    action: `team.${verb}`,
    entity: entityOf(team),
    ...(verb !== 'create' && { before: audited(before) }),
    ...(verb !== 'delete' && { after: audited(team) }),
  }
}

function audited({ key, name, description }: TeamRow): object {
  return { key, name, description }
}

/** The audit entry of a user who joined or left a team. */
export function teamMemberChange(
  verb: 'add-member' | 'remove-member',
  { team, user }: { team: TeamRow; user: Pick<UserRow, 'id' | 'email'> },
): EntityChange {
  const member = { member: user.email, userId: user.id }
  return {
    action: `team.${verb}`,
    entity: entityOf(team),
    ...(verb === 'add-member' ? { after: member } : { before: member }),
  }
}

interface RoleStep {
  team: TeamRow
  project: { id: string; key: string }
  before?: TeamRoleRow
  after?: TeamRoleRow
  /** When they change. */
  environments?: { before: readonly EnvironmentRole[]; after: readonly EnvironmentRole[] }
}

/** The audit entry of a role that a team got, changed or lost in a project. */
export function teamRoleChange({ team, project, before, after, environments }: RoleStep): EntityChange {
  return {
    action: after === undefined ? 'team.remove-role' : 'team.set-role',
    entity: entityOf(team),
    project: { id: project.id, key: project.key },
    ...(before && { before: auditedRoles(before.role, environments?.before) }),
    ...(after && { after: auditedRoles(after.role, environments?.after) }),
  }
}
