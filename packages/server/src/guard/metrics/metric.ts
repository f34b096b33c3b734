import type { Metric } from '@telltale/core/contract/metrics'
import {
  type MetricDefinition,
  type OwnAggregation,
  usualCapQuantile,
  usualQuantile,
} from '@telltale/core/guard/built-in-metrics'
import type { Static } from 'typebox'
import type { MetricLimitRow, MetricRow } from './queries.ts'

type MetricReply = Static<typeof Metric>

/** A metric as the API returns it. */
export function toMetric(row: MetricRow): MetricReply {
  return {
    ...auditedMetric(row),
    builtIn: false,
    usualLimit: null,
    cap: row.aggregation === 'count' ? row.cap : null,
    quantile: quantileOf(row),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
  }
}

function quantileOf({ aggregation, quantile }: Pick<MetricRow, 'aggregation' | 'quantile'>): number | null {
  if (aggregation === 'quantile') return quantile ?? usualQuantile
  return isTotal(aggregation) ? (quantile ?? usualCapQuantile) : null
}

export const isTotal = (aggregation: OwnAggregation) =>
  aggregation === 'sum' || aggregation === 'sum-per-session' || aggregation === 'count-per-user'

const aggregations = {
  quantile: 'quantile',
  mean: 'mean',
  count: 'count',
  share: 'proportion',
  'rare-share': 'proportion',
  total: 'sum',
} as const

/** A built-in metric in a project, which may have set its own limit. */
export function toBuiltInMetric(definition: MetricDefinition, own?: MetricLimitRow): MetricReply {
  const { key, name, unit, method, better, limit } = definition
  return {
    key,
    name,
    builtIn: true,
    event: null,
    filter: '',
    aggregation: aggregations[method.kind],
    quantile: method.kind === 'quantile' ? method.p : null,
    cap: method.kind === 'count' ? method.cap : null,
    better,
    unit: unit === 'ms' ? 'ms' : '',
    limit: own?.defaultLimit ?? limit,
    usualLimit: limit,
    version: own?.version ?? 1,
    createdAt: null,
  }
}

/** The fields of a metric in the audit log. */
export function auditedMetric({ key, name, event, filter, aggregation, better, unit, ...row }: MetricRow) {
  const { cap, quantile, defaultLimit: limit } = row
  return { key, name, event, filter, aggregation, quantile, better, unit, cap, limit }
}
