import { asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { routeRules } from '../../platform/engines/postgres/route-schema.ts'

export type RouteRuleRow = typeof routeRules.$inferSelect

/** By prefix. */
export function listRouteRules(db: Queryable, environmentId: string): Promise<RouteRuleRow[]> {
  return db
    .select()
    .from(routeRules)
    .where(eq(routeRules.environmentId, environmentId))
    .orderBy(asc(routeRules.under))
}

type StoredRule = Pick<RouteRuleRow, 'under' | 'isMerged' | 'except'>

/** The rules of every environment that has any, as the intake applies them. */
export async function readRouteRules(db: Queryable): Promise<Map<string, StoredRule[]>> {
  const rows = await db.select().from(routeRules).orderBy(asc(routeRules.under))
  const byEnvironment = new Map<string, StoredRule[]>()
  for (const { environmentId, under, isMerged, except } of rows) {
    const rules = byEnvironment.get(environmentId) ?? []
    rules.push({ under, isMerged, except })
    byEnvironment.set(environmentId, rules)
  }
  return byEnvironment
}
