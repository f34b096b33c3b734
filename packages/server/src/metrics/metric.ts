import type { Metric } from '@telltale/core/contract/metrics'
import type { MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import type { Static } from 'typebox'
import type { MetricRow } from './queries.ts'

type MetricReply = Static<typeof Metric>

/** A metric as the API shows it. */
export function toMetric(row: MetricRow): MetricReply {
  return {
    ...auditedMetric(row),
    builtIn: false,
    quantile: null,
    cap: row.aggregation === 'count' ? row.cap : null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
  }
}

const aggregations = {
  quantile: 'quantile',
  mean: 'mean',
  count: 'count',
  share: 'proportion',
  'rare-share': 'proportion',
} as const

export function toBuiltInMetric({ key, name, unit, method, better, limit }: MetricDefinition): MetricReply {
  return {
    key,
    name,
    builtIn: true,
    event: null,
    aggregation: aggregations[method.kind],
    quantile: method.kind === 'quantile' ? method.p : null,
    cap: method.kind === 'count' ? method.cap : null,
    better,
    unit: unit === 'ms' ? 'ms' : '',
    limit,
    version: 1,
    createdAt: null,
  }
}

/** What the audit log says of a metric. */
export function auditedMetric({ key, name, event, aggregation, better, unit, cap, defaultLimit }: MetricRow) {
  return { key, name, event, aggregation, better, unit, cap, limit: defaultLimit }
}
