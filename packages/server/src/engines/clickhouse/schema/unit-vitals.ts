// The guard: the latest value of each vital of a view, by unit, stage and arm. A value that is sent again replaces the one before
// it, which sums and histograms could not: they would need to know what to take back.
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
    /** Of tuples the highest revision wins. */
    latest:
      'SimpleAggregateFunction(max, Tuple(rev UInt16, value Float32, epoch UInt32, arm String)) CODEC(ZSTD(1))',
    first_ts: "SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1))",
  },
  engine: 'AggregatingMergeTree',
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
  // What belongs to no view is replaced by nothing.
  select: (events) => `
SELECT environment_id, a.split AS split, measure, a.unit AS unit, view,
  max(tuple(rev, value, a.epoch, toString(a.arm))) AS latest, min(t) AS first_ts
FROM (
  SELECT e.environment_id AS environment_id, e.ts AS t, toString(e.name) AS measure, e.rev AS rev, e.value AS value,
    cityHash64(if(e.view_id = toUUID('00000000-0000-0000-0000-000000000000'), e.event_id, e.view_id)) AS view, arrayJoin(e.arms) AS a
  FROM ${events} AS e WHERE e.kind = 'vital' AND notEmpty(e.arms) AND e.bot = 0)
GROUP BY environment_id, split, measure, unit, view`,
} as const satisfies ViewDefinition

export function isVital(measure: string): boolean {
  return vitalNames.some((name) => name === measure)
}

/** One row for each view: its value as the other roll-ups have values. `from` is the table with conditions; `more` are other columns. */
export function latestVitals(from: string, ...more: string[]): string {
  const x = 'toFloat64(latest_.2)'
  const given = [...more, 'split'].join(', ')
  return `SELECT ${given}, measure, latest_.3 AS epoch, latest_.4 AS arm, unit, toUInt64(1) AS n, ${cappedVital('measure', 'latest_.2')} AS y,
    ${bucketOf(x, "if(measure = 'CLS', 0.001, 1.)")} AS bucket, toUInt64(1) AS c, first_ts
  FROM (SELECT ${given}, toString(measure) AS measure, unit, view, max(latest) AS latest_, min(first_ts) AS first_ts
    FROM ${from} GROUP BY ${given}, measure, unit, view)`
}
