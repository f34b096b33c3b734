import { problem } from '@telltale/core/errors'
import { and, asc, eq, gt, ilike, inArray, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { teamEnvironmentRoles } from '../../platform/engines/postgres/role-schema.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'
import { scimTokens } from '../../platform/engines/postgres/scim-schema.ts'
import {
  type TeamRoleRow,
  type TeamRow,
  teamMembers,
  teamRoles,
  teams,
} from '../../platform/engines/postgres/team-schema.ts'
import { type EnvironmentRole, findTeamEnvironmentRoles } from '../members/queries.ts'
import { isAfterUser, matchesUser, userSortKey } from '../users/queries.ts'

export interface CountedTeam {
  team: TeamRow
  members: number
  projects: number
}

interface TeamPage {
  search: string | undefined
  after: string | undefined
  count: number
}

const members = sql<number>`(
  SELECT count(*)::int FROM ${teamMembers} WHERE ${teamMembers.teamId} = ${sql.raw('"teams"."id"')}
)`
const projectCount = sql<number>`(
  SELECT count(*)::int FROM ${teamRoles} WHERE ${teamRoles.teamId} = ${sql.raw('"teams"."id"')}
)`

const selectTeams = (db: Queryable) => db.select({ team: teams, members, projects: projectCount }).from(teams)

function isOnPage({ search, after }: Omit<TeamPage, 'count'>): SQL | undefined {
  const pattern = search === undefined ? undefined : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return and(
    pattern === undefined ? undefined : or(ilike(teams.key, pattern), ilike(teams.name, pattern)),
    after === undefined ? undefined : gt(teams.key, after),
  )
}

/** By key, after the given one. */
export async function findTeams(db: Queryable, page: TeamPage): Promise<CountedTeam[]> {
  return selectTeams(db).where(isOnPage(page)).orderBy(asc(teams.key)).limit(page.count)
}

/** Those without a role in the project. */
export async function findAvailableTeams(
  db: Queryable,
  projectId: string,
  page: TeamPage,
): Promise<CountedTeam[]> {
  const given = db.select({ id: teamRoles.teamId }).from(teamRoles).where(eq(teamRoles.projectId, projectId))
  return selectTeams(db)
    .where(and(isOnPage(page), notInArray(teams.id, given)))
    .orderBy(asc(teams.key))
    .limit(page.count)
}

/** Throws `not-found`. */
export async function getTeam(db: Queryable, key: string): Promise<CountedTeam> {
  const [found] = await selectTeams(db).where(eq(teams.key, key))
  if (found === undefined) throw problem('not-found', 'There is no such team.')
  return found
}

/** Locks the team until the transaction ends. Throws `not-found`. */
export async function lockTeam(db: Queryable, key: string): Promise<TeamRow> {
  const [row] = await db.select().from(teams).where(eq(teams.key, key)).for('update')
  if (row === undefined) throw problem('not-found', 'There is no such team.')
  return row
}

/** The roles of a team, by the key of the project. */
export async function findRolesOfTeam(db: Queryable, teamId: string) {
  return db
    .select({ given: teamRoles, project: projects })
    .from(teamRoles)
    .innerJoin(projects, eq(projects.id, teamRoles.projectId))
    .where(eq(teamRoles.teamId, teamId))
    .orderBy(asc(projects.key))
}

/** Its roles in single environments of all projects. */
export async function findEnvironmentRolesOfTeam(db: Queryable, teamId: string) {
  const { projectId, role } = teamEnvironmentRoles
  return db
    .select({ projectId, env: environments.key, role })
    .from(teamEnvironmentRoles)
    .innerJoin(environments, eq(environments.id, teamEnvironmentRoles.environmentId))
    .where(eq(teamEnvironmentRoles.teamId, teamId))
    .orderBy(asc(environments.position), asc(environments.key))
}

export interface TeamInProject extends CountedTeam {
  given: TeamRoleRow
  environments: EnvironmentRole[]
}

/** The teams with a role in a project, by key; or one of them. */
export async function findTeamsOfProject(
  db: Queryable,
  projectId: string,
  teamId?: string,
): Promise<TeamInProject[]> {
  const rows = await db
    .select({ team: teams, members, projects: projectCount, given: teamRoles })
    .from(teams)
    .innerJoin(teamRoles, eq(teamRoles.teamId, teams.id))
    .where(and(eq(teamRoles.projectId, projectId), teamId === undefined ? undefined : eq(teams.id, teamId)))
    .orderBy(asc(teams.key))
  const there = await findTeamEnvironmentRoles(db, projectId, teamId)
  return rows.map((row) => ({
    ...row,
    environments: there.flatMap(({ teamId: id, env, role }) => (id === row.team.id ? [{ env, role }] : [])),
  }))
}

/** Locks the role of a team in a project until the transaction ends. */
export async function lockTeamRole(
  db: Queryable,
  { projectId, teamId }: { projectId: string; teamId: string },
): Promise<TeamRoleRow | undefined> {
  const [row] = await db
    .select()
    .from(teamRoles)
    .where(and(eq(teamRoles.projectId, projectId), eq(teamRoles.teamId, teamId)))
    .for('update')
  return row
}

export interface FoundTeamMember {
  user: UserRow
  since: Date
}

/** By e-mail address, after the given one. */
export async function findTeamMembers(
  db: Queryable,
  teamId: string,
  { search, after, count }: TeamPage,
): Promise<FoundTeamMember[]> {
  return db
    .select({ user: users, since: teamMembers.createdAt })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(and(eq(teamMembers.teamId, teamId), matchesUser(search), isAfterUser(after)))
    .orderBy(asc(userSortKey))
    .limit(count)
}

export async function countTeamMembers(db: Queryable, teamId: string): Promise<number> {
  return db.$count(teamMembers, eq(teamMembers.teamId, teamId))
}

/** Of these users, those in the team. */
export async function findMembersAmong(
  db: Queryable,
  teamId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: teamMembers.userId })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), inArray(teamMembers.userId, [...userIds])))
  return new Set(rows.map(({ id }) => id))
}

/** Whether an identity provider may change teams and accounts now. */
export async function isScimUsed(db: Queryable): Promise<boolean> {
  return (await db.$count(scimTokens, isNull(scimTokens.revokedAt))) > 0
}

export async function findTeam(db: Queryable, key: string): Promise<TeamRow | undefined> {
  const [row] = await db.select().from(teams).where(eq(teams.key, key))
  return row
}

export async function findMemberIds(db: Queryable, teamId: string): Promise<string[]> {
  const rows = await db
    .select({ id: teamMembers.userId })
    .from(teamMembers)
    .where(eq(teamMembers.teamId, teamId))
  return rows.map(({ id }) => id)
}
