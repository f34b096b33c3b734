// Counts: the outcome of every received event, and the evaluations of every variation.
import type { TableDefinition } from './definition.ts'

/** Retention of the sums; minutes are summed to hours. */
export const countDays = { all: 400, minutes: 8 } as const

export const intakeOutcomes = {
  name: 'intake_outcomes',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    hour: "DateTime('UTC') CODEC(ZSTD(1))",
    kind: 'LowCardinality(String)',
    source: 'LowCardinality(String)',
    reason: 'LowCardinality(String)',
    count: 'UInt64 CODEC(ZSTD(1))',
  },
  engine: 'SummingMergeTree',
  engineColumn: 'count',
  partitionBy: 'toYYYYMM(hour)',
  orderBy: 'environment_id, hour, kind, source, reason',
  ttl: `hour + INTERVAL ${countDays.all} DAY`,
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, kind, source, reason)',
} as const satisfies TableDefinition

export const evaluationCounts = {
  name: 'evaluation_counts',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    slot: "DateTime('UTC') CODEC(ZSTD(1))",
    grain: 'LowCardinality(String)',
    flag: 'LowCardinality(String)',
    variation: 'LowCardinality(String)',
    split: 'UInt64 CODEC(ZSTD(1))',
    epoch: 'UInt32 CODEC(ZSTD(1))',
    reason: 'LowCardinality(String)',
    count: 'UInt64 CODEC(ZSTD(1))',
  },
  engine: 'SummingMergeTree',
  engineColumn: 'count',
  partitionBy: 'toYYYYMM(slot)',
  orderBy: 'environment_id, grain, flag, slot, variation, split, epoch, reason',
  ttl: `slot + INTERVAL ${countDays.minutes} DAY DELETE WHERE grain = 'minute', slot + INTERVAL ${countDays.all} DAY`,
  shardBy: 'cityHash64(environment_id, flag)',
} as const satisfies TableDefinition
