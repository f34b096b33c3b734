import { problem } from '@telltale/core/errors'
import { isBuiltInRole } from '@telltale/core/permissions'
import { type PermissionSet, permissionsOf } from '@telltale/core/rights'
import { and, asc, eq, isNull, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environmentRoles, projectRoles } from '../../platform/engines/postgres/role-schema.ts'
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

/** What has a role: rows of these tables with its key. */
function usesOf(projectId: string, key: string) {
  return [
    { table: memberships, where: and(eq(memberships.projectId, projectId), eq(memberships.role, key)) },
    {
      table: environmentRoles,
      where: and(eq(environmentRoles.projectId, projectId), eq(environmentRoles.role, key)),
    },
    { table: teamRoles, where: and(eq(teamRoles.projectId, projectId), eq(teamRoles.role, key)) },
    {
      table: invitations,
      where: and(
        eq(invitations.projectId, projectId),
        eq(invitations.role, key),
        isNull(invitations.acceptedAt),
        isNull(invitations.revokedAt),
      ),
    },
    {
      table: apiTokens,
      where: and(eq(apiTokens.projectId, projectId), eq(apiTokens.role, key), isNull(apiTokens.revokedAt)),
    },
  ] as const satisfies readonly { table: unknown; where: SQL | undefined }[]
}

export interface RoleUses {
  /** In the project or in an environment. */
  members: number
  teams: number
  invitations: number
  tokens: number
}

export async function countUses(db: Queryable, projectId: string, key: string): Promise<RoleUses> {
  const [inProject, inEnvironments, teams, invited, tokens] = await Promise.all(
    usesOf(projectId, key).map(({ table, where }) => db.$count(table, where)),
  )
  return {
    members: (inProject ?? 0) + (inEnvironments ?? 0),
    teams: teams ?? 0,
    invitations: invited ?? 0,
    tokens: tokens ?? 0,
  }
}

/** Gives everyone who has a role another one. */
export async function moveUses(
  db: Queryable,
  projectId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const { table, where } of usesOf(projectId, from))
    await db.update(table).set({ role: to }).where(where)
}
