// Roles in projects: given to a member directly, or by their teams.

import { and, eq, exists, isNull, or, type SQL, sql } from 'drizzle-orm'
import { users } from '../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import { memberships } from '../platform/engines/postgres/schema.ts'
import { teamMembers, teamRoles } from '../platform/engines/postgres/team-schema.ts'

/** Every role of every member in every project, to be selected from. `teamId` is null for a direct role. */
export function givenRoles(db: Queryable) {
  const { projectId, userId, role } = memberships
  return db
    .select({ projectId, userId, role, teamId: sql<string | null>`null::uuid`.as('by_team') })
    .from(memberships)
    .unionAll(
      db
        .select({
          projectId: teamRoles.projectId,
          userId: teamMembers.userId,
          role: teamRoles.role,
          teamId: sql<string | null>`${teamRoles.teamId}`.as('by_team'),
        })
        .from(teamRoles)
        .innerJoin(teamMembers, eq(teamMembers.teamId, teamRoles.teamId)),
    )
    .as('given_roles')
}

/** Of the admins of a project whose accounts are enabled; of the owners, who manage every project, if it has none. */
export async function findAdminEmails(db: Queryable, projectId: string): Promise<string[]> {
  const given = givenRoles(db)
  const rows = await db
    .selectDistinct({ email: users.email })
    .from(given)
    .innerJoin(users, eq(users.id, given.userId))
    .where(and(eq(given.projectId, projectId), eq(given.role, 'admin'), isNull(users.disabledAt)))
  const isOwner = and(eq(users.role, 'owner'), isNull(users.disabledAt))
  const found = rows.length > 0 ? rows : await db.select({ email: users.email }).from(users).where(isOwner)
  return found.map(({ email }) => email)
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
