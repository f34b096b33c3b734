// Roles in projects: given to a member directly, or by their teams. The highest one applies.

import { highestRole, isAtLeast, type ProjectRole } from '@telltale/core/permissions'
import { and, eq, exists, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { users } from '../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import { memberships } from '../platform/engines/postgres/schema.ts'
import { teamMembers, teamRoles } from '../platform/engines/postgres/team-schema.ts'

/** Every role of every member in every project, to be selected from. */
function givenRoles(db: Queryable) {
  const { projectId, userId, role } = memberships
  return db
    .select({ projectId, userId, role })
    .from(memberships)
    .unionAll(
      db
        .select({ projectId: teamRoles.projectId, userId: teamMembers.userId, role: teamRoles.role })
        .from(teamRoles)
        .innerJoin(teamMembers, eq(teamMembers.teamId, teamRoles.teamId)),
    )
    .as('given_roles')
}

/** The role of an account in a project, unless it has none. */
export async function findRole(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<ProjectRole | undefined> {
  const given = givenRoles(db)
  const rows = await db
    .select({ role: given.role })
    .from(given)
    .where(and(eq(given.projectId, projectId), eq(given.userId, userId)))
  return highestRole(rows.map(({ role }) => role))
}

/** The roles of an account in these projects. */
export async function findRoles(
  db: Queryable,
  userId: string,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, ProjectRole>> {
  const given = givenRoles(db)
  const rows = await db
    .select({ projectId: given.projectId, role: given.role })
    .from(given)
    .where(and(eq(given.userId, userId), inArray(given.projectId, [...projectIds])))
  const roles = new Map<string, ProjectRole>()
  for (const { projectId, role } of rows) {
    const before = roles.get(projectId)
    if (before === undefined || isAtLeast(role, before)) roles.set(projectId, role)
  }
  return roles
}

/** Of the admins of a project whose accounts are enabled. */
export async function findAdminEmails(db: Queryable, projectId: string): Promise<string[]> {
  const given = givenRoles(db)
  const rows = await db
    .selectDistinct({ email: users.email })
    .from(given)
    .innerJoin(users, eq(users.id, given.userId))
    .where(and(eq(given.projectId, projectId), eq(given.role, 'admin'), isNull(users.disabledAt)))
  return rows.map(({ email }) => email)
}

/** For a condition: the ids of the projects in which an account has a role. */
export function projectsOf(db: Queryable, userId: string) {
  const given = givenRoles(db)
  return db.select({ id: given.projectId }).from(given).where(eq(given.userId, userId))
}

/** A condition: the account has a role in a project. Looked up per account, so that pages stay fast. */
export function isMemberOf(db: Queryable, projectId: string): SQL | undefined {
  const isDirect = and(eq(memberships.projectId, projectId), eq(memberships.userId, users.id))
  const isByTeam = and(eq(teamRoles.projectId, projectId), eq(teamMembers.userId, users.id))
  return or(
    exists(db.select({ one: sql`1` }).from(memberships).where(isDirect)),
    exists(
      db
        .select({ one: sql`1` })
        .from(teamRoles)
        .innerJoin(teamMembers, eq(teamMembers.teamId, teamRoles.teamId))
        .where(isByTeam),
    ),
  )
}
