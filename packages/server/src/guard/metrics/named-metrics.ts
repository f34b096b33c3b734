import { builtInMetrics, type MetricDefinition, ownMetric } from '@telltale/core/guard/built-in-metrics'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findMetricLimits, findMetrics } from './queries.ts'

export interface NamedMetric {
  definition: MetricDefinition
  /** Shown after values. */
  unit: string
  /** Custom, not built in. */
  isOwn: boolean
}

/** Built-in metrics with the limits of the project, then its custom metrics. */
export async function metricsOf({ db }: { db: Queryable }, projectId: string): Promise<NamedMetric[]> {
  const own = await findMetrics(db, projectId)
  const accepted = await findMetricLimits(db, projectId)
  return [
    ...builtInMetrics.map((definition) => ({
      definition: { ...definition, limit: accepted.get(definition.key)?.defaultLimit ?? definition.limit },
      unit: definition.unit === 'ms' ? 'ms' : '',
      isOwn: false,
    })),
    ...own.map((row) => ({
      definition: ownMetric({ ...row, limit: row.defaultLimit }),
      unit: row.unit,
      isOwn: true,
    })),
  ]
}

export async function definitionsOf(services: { db: Queryable }, projectId: string) {
  return (await metricsOf(services, projectId)).map(({ definition }) => definition)
}
