import { mainRole } from '@telltale/core/rights'
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import { isMembership, type MembershipRow } from '../../access/find-membership.ts'
import { findPermissionsOf } from '../../access/find-rights.ts'
import { isMemberOf } from '../../access/find-roles.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environmentRoles, teamEnvironmentRoles } from '../../platform/engines/postgres/role-schema.ts'
import { environments, memberships } from '../../platform/engines/postgres/schema.ts'
import { teamMembers, teamRoles, teams } from '../../platform/engines/postgres/team-schema.ts'
import { isAfterUser, matchesUser, userSortKey } from '../users/queries.ts'

/** The role of a member in one environment, by the key of the environment. */
export interface EnvironmentRole {
  env: string
  role: string
}

export interface MemberRow {
  membership: MembershipRow
  user: UserRow
  environments: EnvironmentRole[]
}

/** The member; the membership is locked until the transaction ends. */
export async function lockMember(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  const [row] = await db
    .select({ membership: memberships, user: users })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(isMembership(projectId, userId))
    .for('update', { of: memberships })
  return row && { ...row, environments: await findEnvironmentRolesOf(db, { projectId, userId }) }
}

/** A role that a member has by a team. */
export interface TeamOfMember {
  key: string
  name: string
  role: string
  environments: EnvironmentRole[]
  /** When the role began: the member joined the team, or the team the project. */
  since: Date
}

/** A member, directly or by teams. */
export interface FoundMember {
  user: UserRow
  membership: MembershipRow | undefined
  teams: TeamOfMember[]
  environments: EnvironmentRole[]
  /** The role that allows most. */
  role: string
}

interface MemberPage {
  projectId: string
  search: string | undefined
  after: string | undefined
  count: number
}

/** By e-mail address, after the given one. */
export async function findMembers(db: Queryable, page: MemberPage): Promise<FoundMember[]> {
  const { projectId, search, after, count } = page
  const rows = await db
    .select()
    .from(users)
    .where(and(isMemberOf(db, projectId), matchesUser(search), isAfterUser(after)))
    .orderBy(asc(userSortKey))
    .limit(count)
  return describeMembers(db, projectId, rows)
}

export async function describeMembers(
  db: Queryable,
  projectId: string,
  rows: readonly UserRow[],
): Promise<FoundMember[]> {
  const ids = rows.map(({ id }) => id)
  const direct = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.projectId, projectId), inArray(memberships.userId, ids)))
  const byTeam = await db
    .select({ userId: teamMembers.userId, team: teams, given: teamRoles, joinedAt: teamMembers.createdAt })
    .from(teamRoles)
    .innerJoin(teams, eq(teams.id, teamRoles.teamId))
    .innerJoin(teamMembers, eq(teamMembers.teamId, teams.id))
    .where(and(eq(teamRoles.projectId, projectId), inArray(teamMembers.userId, ids)))
    .orderBy(asc(teams.key))
  const there = await findEnvironmentRoles(db, projectId, ids)
  const ofTeams = byTeam.length === 0 ? [] : await findTeamEnvironmentRoles(db, projectId)
  const memberOf = new Map(direct.map((row) => [row.userId, row]))
  const given = [
    ...direct.map(({ userId, role }) => ({ userId, role })),
    ...byTeam.map(({ userId, given: { role } }) => ({ userId, role })),
  ]
  const permissions = await findPermissionsOf(db, { projectId, roles: given.map(({ role }) => role) })
  const rolesOf = ({ id }: UserRow) => given.filter(({ userId }) => userId === id).map(({ role }) => role)
  return rows.map((user) => ({
    user,
    membership: memberOf.get(user.id),
    role: mainRole(rolesOf(user), permissions),
    environments: there.filter(({ userId }) => userId === user.id).map(({ env, role }) => ({ env, role })),
    teams: byTeam
      .filter(({ userId }) => userId === user.id)
      .map(({ team: { key, name }, given, joinedAt }) => ({
        ...{ key, name, role: given.role },
        environments: ofTeams.flatMap(({ teamId, env, role }) =>
          teamId === given.teamId ? [{ env, role }] : [],
        ),
        since: joinedAt > given.createdAt ? joinedAt : given.createdAt,
      })),
  }))
}

/** The roles of members in single environments, in the order of the environments. */
async function findEnvironmentRoles(db: Queryable, projectId: string, userIds: readonly string[]) {
  return db
    .select({ userId: environmentRoles.userId, env: environments.key, role: environmentRoles.role })
    .from(environmentRoles)
    .innerJoin(environments, eq(environments.id, environmentRoles.environmentId))
    .where(and(eq(environmentRoles.projectId, projectId), inArray(environmentRoles.userId, [...userIds])))
    .orderBy(asc(environments.position), asc(environments.key))
}

/** The roles of teams in single environments, in the order of the environments. */
export async function findTeamEnvironmentRoles(db: Queryable, projectId: string, teamId?: string) {
  const { teamId: team, environmentId, role } = teamEnvironmentRoles
  return db
    .select({ teamId: team, env: environments.key, role })
    .from(teamEnvironmentRoles)
    .innerJoin(environments, eq(environments.id, environmentId))
    .where(
      and(eq(teamEnvironmentRoles.projectId, projectId), teamId === undefined ? undefined : eq(team, teamId)),
    )
    .orderBy(asc(environments.position), asc(environments.key))
}

async function findEnvironmentRolesOf(
  db: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<EnvironmentRole[]> {
  const rows = await findEnvironmentRoles(db, projectId, [userId])
  return rows.map(({ env, role }) => ({ env, role }))
}

/** Owners of the installation, by name. */
export async function findOwners(db: Queryable): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.role, 'owner'), isNull(users.disabledAt)))
    .orderBy(asc(users.name))
}

export async function countMembers(db: Queryable, projectId: string): Promise<number> {
  return db.$count(memberships, eq(memberships.projectId, projectId))
}

/** Which of these accounts have access to a project: its members and owners, without disabled accounts. */
export async function findPeople(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        inArray(users.id, [...ids]),
        isNull(users.disabledAt),
        or(eq(users.role, 'owner'), isMemberOf(db, projectId)),
      ),
    )
  return new Set(rows.map(({ id }) => id))
}
