import { problem } from '@telltale/core/errors'
import { builtInMetrics } from '@telltale/core/guard/built-in-metrics'
import { and, asc, eq, sql } from 'drizzle-orm'
import { metricLimits, metrics } from '../../platform/engines/postgres/metric-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rolloutTemplates } from '../../platform/engines/postgres/rollout-template-schema.ts'

export type MetricRow = typeof metrics.$inferSelect
export type MetricLimitRow = typeof metricLimits.$inferSelect

/** By key. */
export async function findMetrics(db: Queryable, projectId: string): Promise<MetricRow[]> {
  return db.select().from(metrics).where(eq(metrics.projectId, projectId)).orderBy(asc(metrics.key))
}

/** Throws `not-found`, and `built-in` for a built-in metric. */
export async function getOwnMetric(db: Queryable, projectId: string, key: string): Promise<MetricRow> {
  const [row] = await db
    .select()
    .from(metrics)
    .where(and(eq(metrics.projectId, projectId), eq(metrics.key, key)))
  if (row) return row
  if (isBuiltIn(key)) throw problem('built-in', `"${key}" is built in.`)
  throw problem('not-found', `There is no metric "${key}" here.`)
}

export function isBuiltIn(key: string): boolean {
  return builtInMetrics.some((metric) => metric.key === key)
}

/** The limits that the project has set for built-in metrics. */
export async function findMetricLimits(
  db: Queryable,
  projectId: string,
): Promise<Map<string, MetricLimitRow>> {
  const rows = await db.select().from(metricLimits).where(eq(metricLimits.projectId, projectId))
  return new Map(rows.map((row) => [row.key, row]))
}

/** Keys of the rollout templates that use a metric. */
export async function findTemplatesUsing(
  db: Queryable,
  projectId: string,
  metric: string,
): Promise<string[]> {
  const isUsed = sql`${rolloutTemplates.metrics} @> ${JSON.stringify([{ metric }])}::jsonb`
  const rows = await db
    .select({ key: rolloutTemplates.key })
    .from(rolloutTemplates)
    .where(and(eq(rolloutTemplates.projectId, projectId), isUsed))
    .orderBy(asc(rolloutTemplates.key))
  return rows.map(({ key }) => key)
}
