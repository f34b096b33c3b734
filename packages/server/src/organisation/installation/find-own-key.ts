import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, projects, sdkKeys } from '../../platform/engines/postgres/schema.ts'

/** The client key with which the console monitors itself; null if its project was deleted. */
export async function findOwnKey(db: Queryable): Promise<string | null> {
  const [row] = await db
    .select({ value: sdkKeys.value })
    .from(projects)
    .innerJoin(environments, eq(environments.projectId, projects.id))
    .innerJoin(sdkKeys, eq(sdkKeys.environmentId, environments.id))
    .where(and(eq(projects.own, true), eq(sdkKeys.kind, 'client'), isNull(sdkKeys.revokedAt)))
    .orderBy(asc(environments.position), asc(sdkKeys.id))
    .limit(1)
  return row?.value ?? null
}
