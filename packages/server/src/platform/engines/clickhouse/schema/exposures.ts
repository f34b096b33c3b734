// The guard's exposures: which unit saw which arm of a split, and when first.
import type { TableDefinition, ViewDefinition } from './definition.ts'

export const exposures = {
  name: 'exposures',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    split: 'UInt64 CODEC(ZSTD(1))',
    unit: 'UInt64 CODEC(ZSTD(1))',
    epoch: 'UInt32 CODEC(ZSTD(1))',
    first_ts: "SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1))",
    last_ts: "SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1))",
    first_arm: "SimpleAggregateFunction(min, Tuple(DateTime64(3, 'UTC'), String)) CODEC(ZSTD(1))",
    arms: 'SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1))',
    n: 'SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))',
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYYYYMM(first_ts)',
  orderBy: 'environment_id, split, unit, epoch',
  ttl: 'toDateTime(first_ts) + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, unit)',
} as const satisfies TableDefinition

export const exposuresView = {
  name: 'exposures_mv',
  from: 'events',
  to: 'exposures',
  select: (events) => `
SELECT environment_id, a.split AS split, a.unit AS unit, a.epoch AS epoch, min(t) AS first_ts, max(t) AS last_ts,
  min((t, toString(a.arm))) AS first_arm, groupUniqArray(toString(a.arm)) AS arms, count() AS n
FROM (SELECT e.environment_id AS environment_id, e.ts AS t, arrayJoin(e.arms) AS a FROM ${events} AS e WHERE e.kind = 'exposure' AND e.bot = 0)
GROUP BY environment_id, split, unit, epoch`,
} as const satisfies ViewDefinition
