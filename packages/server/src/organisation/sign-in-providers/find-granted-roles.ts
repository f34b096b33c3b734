import type { ProviderGrant } from '@telltale/core/contract/sign-in-providers'
import { isBuiltInRole } from '@telltale/core/permissions'
import type { OwnRole } from '@telltale/core/rights'
import { eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { projectRoles } from '../../platform/engines/postgres/role-schema.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'

/** The own roles of projects whose grants name one, by key of the project. */
export async function findGrantedRoles(
  db: Queryable,
  grants: readonly ProviderGrant[],
): Promise<ReadonlyMap<string, readonly OwnRole[]>> {
  const keys = grants.flatMap(({ project, role }) =>
    project === null || isBuiltInRole(role) ? [] : [project],
  )
  const found = new Map<string, OwnRole[]>()
  if (keys.length === 0) return found
  const rows = await db
    .select({ project: projects.key, role: projectRoles })
    .from(projectRoles)
    .innerJoin(projects, eq(projects.id, projectRoles.projectId))
    .where(inArray(projects.key, keys))
  for (const { project, role } of rows) found.set(project, [...(found.get(project) ?? []), role])
  return found
}
