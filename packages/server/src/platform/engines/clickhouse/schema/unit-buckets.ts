// The guard's histograms by unit, for quantiles. A bucket is 2 % wide. Includes vitals from before `unit_vitals`
// existed.
import { bucketGrowth, bucketMaximum } from '@telltale/core/statistics/buckets'
import type { TableDefinition, ViewDefinition } from './definition.ts'

/** The SQL of a value's bucket; `first` is the upper bound of the lowest one. */
export const bucketOf = (x: string, first: string) =>
  `toUInt16(if(${x} <= ${first}, 0, least(${bucketMaximum}, greatest(1, ceil(log(${x} / ${first}) / log(${bucketGrowth}) - 1e-9)))))`

export const unitBuckets = {
  name: 'unit_buckets',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    split: 'UInt64 CODEC(ZSTD(1))',
    measure: 'LowCardinality(String)',
    epoch: 'UInt32 CODEC(ZSTD(1))',
    arm: 'LowCardinality(String)',
    unit: 'UInt64 CODEC(ZSTD(1))',
    bucket: 'UInt16 CODEC(ZSTD(1))',
    c: 'SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))',
    first_day: 'SimpleAggregateFunction(min, Date) CODEC(ZSTD(1))',
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYYYYMM(first_day)',
  orderBy: 'environment_id, split, measure, epoch, arm, unit, bucket',
  ttl: 'first_day + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, unit)',
} as const satisfies TableDefinition

export const unitBucketsView = {
  name: 'unit_buckets_mv',
  from: 'events',
  to: 'unit_buckets',
  select: (events) => bucketsOf(events, 'environment_id', "e.kind != 'vital'"),
} as const satisfies ViewDefinition

/** The histograms of events, including vitals. `by` replaces the environment in the grouping. */
export function bucketsOf(events: string, by = 'environment_id', condition = '1'): string {
  return `
SELECT ${by}, a.split AS split, measure, a.epoch AS epoch, a.arm AS arm, a.unit AS unit,
  ${bucketOf('x', 'x0')} AS bucket, count() AS c, toDate(min(t)) AS first_day
FROM (
  SELECT e.${by} AS ${by}, e.ts AS t, arrayJoin(e.arms) AS a,
    multiIf(e.kind = 'vital', toString(e.name), e.kind = 'long_frame', 'long_frame', e.origin = 'server', 'server_request', 'request') AS measure,
    toFloat64(if(e.kind = 'vital', e.value, e.duration)) AS x, if(e.kind = 'vital' AND e.name = 'CLS', 0.001, 1.) AS x0
  FROM ${events} AS e
  WHERE notEmpty(e.arms) AND e.bot = 0 AND (e.kind IN ('vital', 'long_frame') OR (e.kind = 'resource' AND e.res_endpoint != '')) AND ${condition})
GROUP BY ${by}, split, measure, epoch, arm, unit, bucket`
}
