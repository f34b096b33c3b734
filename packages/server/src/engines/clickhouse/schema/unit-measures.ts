// The guard: counts and capped sums per unit, measure, stage and arm. Outliers are capped before they are summed.
import type { TableDefinition, ViewDefinition } from './definition.ts'

export const unitMeasures = {
  name: 'unit_measures',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    split: 'UInt64 CODEC(ZSTD(1))',
    measure: 'LowCardinality(String)',
    epoch: 'UInt32 CODEC(ZSTD(1))',
    arm: 'LowCardinality(String)',
    unit: 'UInt64 CODEC(ZSTD(1))',
    n: 'SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))',
    y: 'SimpleAggregateFunction(sum, Float64) CODEC(ZSTD(1))',
    first_ts: "SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1))",
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYYYYMM(first_ts)',
  orderBy: 'environment_id, split, measure, epoch, arm, unit',
  ttl: 'toDateTime(first_ts) + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, unit)',
} as const satisfies TableDefinition

export const unitMeasuresView = {
  name: 'unit_measures_mv',
  from: 'events',
  to: 'unit_measures',
  /** `by` stands in the place of the environment when the same rows are cut by something else. */
  select: (events, by = 'environment_id') => `
SELECT ${by}, a.split AS split, m.1 AS measure, a.epoch AS epoch, a.arm AS arm, a.unit AS unit,
  count() AS n, sum(m.2) AS y, min(t) AS first_ts
FROM (
  SELECT e.${by} AS ${by}, e.ts AS t, arrayJoin(e.arms) AS a,
    arrayJoin(arrayFilter(x -> x.1 != '', arrayConcat(
      [multiIf(
        e.kind = 'vital' AND e.name = 'CLS', ('CLS', toFloat64(least(e.value, 5))),
        e.kind = 'vital' AND e.name = 'INP', ('INP', toFloat64(least(e.value, 10000))),
        e.kind = 'vital', (toString(e.name), toFloat64(least(e.value, 60000))),
        e.kind = 'view', ('view', 1.),
        e.kind = 'exposure', ('session', 1.),
        e.kind = 'error', ('error', 1.),
        e.kind = 'long_frame', ('long_frame', toFloat64(least(e.duration, 10000))),
        e.kind = 'resource' AND e.res_endpoint != '', ('request', toFloat64(least(e.duration, 60000))),
        e.kind = 'custom', (concat('custom:', e.name), toFloat64(greatest(least(e.value, 1e9), -1e9))),
        ('', 0.))],
      e.kind = 'error' AND e.err_handled = 0 ? [('unhandled_error', 1.)] : [],
      e.kind = 'resource' AND e.res_endpoint != '' AND e.res_failed = 1 ? [('failed_request', 1.)] : [],
      arrayMap(f -> (concat(f, '_click'), 1.), e.frustration)))) AS m
  FROM ${events} AS e WHERE notEmpty(e.arms) AND e.bot = 0)
GROUP BY ${by}, split, measure, epoch, arm, unit`,
} as const satisfies ViewDefinition
