import { problem } from '@telltale/core/errors'
import { isBuiltInRole } from '@telltale/core/permissions'
import { type PermissionSet, permissionsOf } from '@telltale/core/rights'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  environmentRoles,
  projectRoles,
  teamEnvironmentRoles,
} from '../../platform/engines/postgres/role-schema.ts'
import { apiTokens, invitations, memberships } from '../../platform/engines/postgres/schema.ts'
import { teamRoles } from '../../platform/engines/postgres/team-schema.ts'

export type RoleRow = typeof projectRoles.$inferSelect

const matches = (projectId: string, key: string) =>
  and(eq(projectRoles.projectId, projectId), eq(projectRoles.key, key))

/** By key. */
export async function findOwnRoles(db: Queryable, projectId: string): Promise<RoleRow[]> {
  return db
    .select()
    .from(projectRoles)
    .where(eq(projectRoles.projectId, projectId))
    .orderBy(asc(projectRoles.key))
}

/** Locked until the transaction ends. Throws `not-found`, and `wrong-state` for built-in roles. */
export async function lockOwnRole(db: Queryable, projectId: string, key: string): Promise<RoleRow> {
  if (isBuiltInRole(key)) throw problem('wrong-state', `The role "${key}" is built in and cannot be changed.`)
  const [row] = await db.select().from(projectRoles).where(matches(projectId, key)).for('update')
  if (!row) throw problem('not-found', `There is no role "${key}" in the project.`)
  return row
}

/**
 * The permissions of a role that is about to be given. An own role is kept from being deleted until the transaction
 * ends. Throws `invalid-request`.
 */
export async function takeRole(
  db: Queryable,
  { projectId, key }: { projectId: string; key: string },
  pointer: string,
): Promise<PermissionSet> {
  if (isBuiltInRole(key)) return permissionsOf(key)
  const [row] = await db.select().from(projectRoles).where(matches(projectId, key)).for('share')
  if (!row) {
    const message = `There is no role "${key}" in the project.`
    throw problem('invalid-request', { errors: [{ pointer, message }] })
  }
  return permissionsOf(key, [row])
}

/** What can have a role in a project: rows of these tables. */
function holdersIn(projectId: string) {
  return [
    { table: memberships, role: memberships.role, where: eq(memberships.projectId, projectId) },
    {
      table: environmentRoles,
      role: environmentRoles.role,
      where: eq(environmentRoles.projectId, projectId),
    },
    { table: teamRoles, role: teamRoles.role, where: eq(teamRoles.projectId, projectId) },
    {
      table: teamEnvironmentRoles,
      role: teamEnvironmentRoles.role,
      where: eq(teamEnvironmentRoles.projectId, projectId),
    },
    {
      table: invitations,
      role: invitations.role,
      where: and(
        eq(invitations.projectId, projectId),
        isNull(invitations.acceptedAt),
        isNull(invitations.revokedAt),
      ),
    },
    {
      table: apiTokens,
      role: apiTokens.role,
      where: and(eq(apiTokens.projectId, projectId), isNull(apiTokens.revokedAt)),
    },
  ] as const satisfies readonly { table: unknown; role: unknown; where: SQL | undefined }[]
}

export interface RoleUses {
  /** Those of members and teams: in the project or in an environment. */
  members: number
  teams: number
  invitations: number
  tokens: number
}

export async function countUses(db: Queryable, projectId: string, key: string): Promise<RoleUses> {
  const [inProject, inEnvironments, teams, teamsThere, invited, tokens] = await Promise.all(
    holdersIn(projectId).map(({ table, role, where }) => db.$count(table, and(where, eq(role, key)))),
  )
  return {
    members: (inProject ?? 0) + (inEnvironments ?? 0),
    teams: (teams ?? 0) + (teamsThere ?? 0),
    invitations: invited ?? 0,
    tokens: tokens ?? 0,
  }
}

/** How often each role of a project is given, by key; roles that are not given are missing. */
export async function countAllUses(db: Queryable, projectId: string): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(
    holdersIn(projectId).map(({ table, role, where }) =>
      db.execute<{ key: string; uses: number }>(
        sql`SELECT ${role} AS key, count(*)::int AS uses FROM ${table} WHERE ${where} GROUP BY 1`,
      ),
    ),
  )
  const sums = new Map<string, number>()
  for (const { key, uses } of found.flatMap(({ rows }) => rows)) sums.set(key, (sums.get(key) ?? 0) + uses)
  return sums
}

export const sumOf = ({ members, teams, invitations, tokens }: RoleUses) =>
  members + teams + invitations + tokens

/** Gives everyone who has a role another one. */
export async function moveUses(
  db: Queryable,
  projectId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const { table, role, where } of holdersIn(projectId))
    await db
      .update(table)
      .set({ role: to })
      .where(and(where, eq(role, from)))
}
