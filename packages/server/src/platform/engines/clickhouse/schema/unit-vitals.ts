// The guard's latest value of each vital of a view, by unit, stage and arm. A value that is sent again replaces the
// earlier one, which sums and histograms could not do: they would need to know what to subtract.
import { vitalNames } from '@telltale/core/contract/events'
import type { TableDefinition, ViewDefinition } from './definition.ts'
import { bucketOf } from './unit-buckets.ts'
import { cappedVital } from './unit-measures.ts'

export const unitVitals = {
  name: 'unit_vitals',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    split: 'UInt64 CODEC(ZSTD(1))',
    measure: 'LowCardinality(String)',
    unit: 'UInt64 CODEC(ZSTD(1))',
    view: 'UInt64 CODEC(ZSTD(1))',
    rev: 'UInt16 CODEC(ZSTD(1))',
    epoch: 'UInt32 CODEC(ZSTD(1))',
    arm: 'LowCardinality(String)',
    y: 'Float32 CODEC(ZSTD(1))',
    bucket: 'UInt16 CODEC(ZSTD(1))',
    first_ts: "DateTime64(3, 'UTC') CODEC(ZSTD(1))",
  },
  engine: 'ReplacingMergeTree',
  engineColumn: 'rev',
  partitionBy: 'toYYYYMM(first_ts)',
  orderBy: 'environment_id, split, measure, unit, view',
  ttl: 'toDateTime(first_ts) + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, unit)',
} as const satisfies TableDefinition

export const unitVitalsView = {
  name: 'unit_vitals_mv',
  from: 'events',
  to: 'unit_vitals',
  // Vitals without a view are never replaced.
  select: (events) => `
SELECT environment_id, a.split AS split, measure, a.unit AS unit, view, rev, a.epoch AS epoch, a.arm AS arm,
  ${cappedVital('measure', 'value')} AS y, ${bucketOf('toFloat64(value)', "if(measure = 'CLS', 0.001, 1.)")} AS bucket, t AS first_ts
FROM (
  SELECT e.environment_id AS environment_id, e.ts AS t, toString(e.name) AS measure, e.rev AS rev, e.value AS value,
    cityHash64(if(e.view_id = toUUID('00000000-0000-0000-0000-000000000000'), e.event_id, e.view_id)) AS view, arrayJoin(e.arms) AS a
  FROM ${events} AS e WHERE e.kind = 'vital' AND notEmpty(e.arms) AND e.bot = 0 AND e.origin != 'server')`,
} as const satisfies ViewDefinition

export function isVital(measure: string): boolean {
  return vitalNames.some((name) => name === measure)
}

/**
 * One row per view with its latest value, in the form of the other roll-ups. `columns` are read; `conditions` begin
 * with PREWHERE or WHERE. Filtering by columns of the key before rows are merged costs a third less.
 */
export function latestVitals(columns: string, conditions = ''): string {
  return `SELECT ${columns} FROM (
    SELECT environment_id, split, measure, epoch, arm, unit, toUInt64(1) AS n, toFloat64(y) AS y, bucket, toUInt64(1) AS c, first_ts
    FROM unit_vitals FINAL ${conditions})`
}
