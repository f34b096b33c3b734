// What members may do: the role of the membership with the roles in single environments, and the roles of
// teams, with theirs. They apply together.

import { isBuiltInRole } from '@telltale/core/permissions'
import {
  mainRole,
  type OwnRole,
  type PermissionSet,
  permissionsOf,
  type Rights,
  unite,
} from '@telltale/core/rights'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import {
  environmentRoles,
  projectRoles,
  teamEnvironmentRoles,
} from '../platform/engines/postgres/role-schema.ts'
import { environments } from '../platform/engines/postgres/schema.ts'
import { givenRoles } from './find-roles.ts'

export interface MemberRights extends Rights {
  /** The one of the roles that allows most. */
  role: string
}

/** The rights of an account by the id of the project: in one, or in all of which it is a member. */
export async function findRights(
  db: Queryable,
  { userId, projectId }: { userId: string; projectId?: string },
): Promise<ReadonlyMap<string, MemberRights>> {
  const rows = await findGiven(db, { userId, projectId })
  const own = await findOwnRoles(
    db,
    rows.flatMap((row) => [row, { ...row, role: row.roleThere ?? row.role }]),
  )
  const all = new Map<string, MemberRights>()
  for (const id of new Set(rows.map((row) => row.projectId))) {
    const given = rows.filter((row) => row.projectId === id)
    const permissionsOfRole = (role: string) => permissionsOf(role, own.get(id))
    const rights = [...new Set(given.map(({ teamId }) => teamId))].map((teamId) =>
      rightsOfSource(
        given.filter((row) => row.teamId === teamId),
        permissionsOfRole,
      ),
    )
    const roles = given.map(({ role }) => role)
    all.set(id, { role: mainRole(roles, permissionsOfRole), ...unite(rights) })
  }
  return all
}

type GivenRole = Awaited<ReturnType<typeof findGiven>>[number]

/** What one membership or one team gives: its role, and another one in single environments. */
function rightsOfSource(
  rows: readonly GivenRole[],
  permissionsOfRole: (role: string) => PermissionSet,
): Rights {
  const there = rows.flatMap(({ environment, roleThere }) =>
    environment === null || roleThere === null ? [] : [[environment, permissionsOfRole(roleThere)] as const],
  )
  return {
    permissions: new Set(rows.flatMap(({ role }) => [...permissionsOfRole(role)])),
    environments: new Map(there),
  }
}

/** A row for each role, or for each environment with another one. */
function findGiven(db: Queryable, { userId, projectId }: { userId: string; projectId: string | undefined }) {
  const given = givenRoles(db)
  const own = environmentRoles
  const ofTeam = teamEnvironmentRoles
  return db
    .select({
      projectId: given.projectId,
      role: given.role,
      teamId: given.teamId,
      environment: environments.key,
      roleThere: sql<string | null>`coalesce(${own.role}, ${ofTeam.role})`,
    })
    .from(given)
    .leftJoin(
      own,
      and(isNull(given.teamId), eq(own.projectId, given.projectId), eq(own.userId, given.userId)),
    )
    .leftJoin(ofTeam, and(eq(ofTeam.projectId, given.projectId), eq(ofTeam.teamId, given.teamId)))
    .leftJoin(environments, eq(environments.id, sql`coalesce(${own.environmentId}, ${ofTeam.environmentId})`))
    .where(
      and(eq(given.userId, userId), projectId === undefined ? undefined : eq(given.projectId, projectId)),
    )
}

/** The own roles among these, by project. */
async function findOwnRoles(
  db: Queryable,
  named: readonly { projectId: string; role: string }[],
): Promise<ReadonlyMap<string, OwnRole[]>> {
  const projects = new Set(named.flatMap((one) => (isBuiltInRole(one.role) ? [] : [one.projectId])))
  const byProject = new Map<string, OwnRole[]>()
  if (projects.size === 0) return byProject
  const rows = await db
    .select()
    .from(projectRoles)
    .where(inArray(projectRoles.projectId, [...projects]))
  for (const row of rows) byProject.set(row.projectId, [...(byProject.get(row.projectId) ?? []), row])
  return byProject
}

/** The permissions of each of these roles of a project. */
export async function findPermissionsOf(
  db: Queryable,
  { projectId, roles }: { projectId: string; roles: readonly string[] },
): Promise<(role: string) => PermissionSet> {
  const own = await findOwnRoles(
    db,
    roles.map((role) => ({ projectId, role })),
  )
  return (role) => permissionsOf(role, own.get(projectId))
}

/** The permissions of a role of a project. */
export async function findPermissions(
  db: Queryable,
  { projectId, role }: { projectId: string; role: string },
): Promise<PermissionSet> {
  return (await findPermissionsOf(db, { projectId, roles: [role] }))(role)
}
