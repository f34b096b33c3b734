import { builtInMetrics, type MetricDefinition, ownMetric } from '@telltale/core/guard/built-in-metrics'
import type { Queryable } from '../engines/postgres/open.ts'
import { findMetrics } from '../metrics/queries.ts'

/** Everything that can be guarded in a project: what is built in, then its own. */
export async function findDefinitions(db: Queryable, projectId: string): Promise<MetricDefinition[]> {
  const own = await findMetrics(db, projectId)
  return [...builtInMetrics, ...own.map((row) => ownMetric({ ...row, limit: row.defaultLimit }))]
}
