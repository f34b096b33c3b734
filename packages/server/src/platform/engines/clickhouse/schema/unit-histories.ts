// What users did before a rollout or an experiment: one number per metric, written once at its start.
import type { TableDefinition } from './definition.ts'

export const unitHistories = {
  name: 'unit_histories',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    /** The start that it was written for. */
    history: 'UUID CODEC(ZSTD(1))',
    unit: 'UInt64 CODEC(ZSTD(1))',
    /** In the order that its metrics were fixed in. */
    xs: 'Array(Float64) CODEC(ZSTD(1))',
    written: "DateTime64(3, 'UTC') CODEC(ZSTD(1))",
  },
  engine: 'MergeTree',
  partitionBy: 'toYYYYMM(written)',
  orderBy: 'environment_id, history, unit',
  ttl: 'toDateTime(written) + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, unit)',
} as const satisfies TableDefinition
