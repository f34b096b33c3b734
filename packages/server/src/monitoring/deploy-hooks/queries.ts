import { eq } from 'drizzle-orm'
import { deployHooks } from '../../platform/engines/postgres/deploy-hook-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'

export type DeployHookRow = typeof deployHooks.$inferSelect

export async function findHook(db: Queryable, environmentId: string): Promise<DeployHookRow | undefined> {
  const [row] = await db.select().from(deployHooks).where(eq(deployHooks.environmentId, environmentId))
  return row
}

/** With the environment that its deliveries are about. */
export async function findHookById(db: Queryable, id: string) {
  const [found] = await db
    .select({ hook: deployHooks, environment: environments, project: projects })
    .from(deployHooks)
    .innerJoin(environments, eq(environments.id, deployHooks.environmentId))
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .where(eq(deployHooks.id, id))
  return found
}

/** Not audited: the deploy is. */
export async function noteDelivery(db: Queryable, id: string, { at, result }: { at: Date; result: string }) {
  await db.update(deployHooks).set({ lastDeliveryAt: at, lastResult: result }).where(eq(deployHooks.id, id))
}
