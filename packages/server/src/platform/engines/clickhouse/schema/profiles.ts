// Profiles, aggregated by the intake: self time by stack, the dictionary of stacks, and the original for the timeline.
import type { TableDefinition } from './definition.ts'

export const profileRows = {
  name: 'profile_rows',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    day: 'Date',
    page: 'LowCardinality(String)',
    version: 'LowCardinality(String)',
    browser: 'LowCardinality(String)',
    device: 'LowCardinality(String)',
    profile_id: 'UUID CODEC(ZSTD(1))',
    session_id: 'UUID CODEC(ZSTD(1))',
    view_id: 'UUID CODEC(ZSTD(1))',
    user_hash: 'UInt64 CODEC(ZSTD(1))',
    ts: "DateTime64(3, 'UTC') CODEC(ZSTD(1))",
    weight: 'Float32 CODEC(ZSTD(1))',
    flags: 'Array(LowCardinality(String)) CODEC(ZSTD(1))',
    arms: 'Array(Tuple(split UInt64, epoch UInt32, arm LowCardinality(String), unit UInt64)) CODEC(ZSTD(1))',
    stack: 'UInt64 CODEC(ZSTD(1))',
    self_ms: 'Float32 CODEC(ZSTD(1))',
    samples: 'UInt32 CODEC(ZSTD(1))',
    /** The probability with which it was profiled; 0 if unknown. */
    inclusion: 'Float32 DEFAULT 0 CODEC(ZSTD(1))',
  },
  engine: 'MergeTree',
  partitionBy: 'toMonday(day)',
  orderBy: 'environment_id, page, day, profile_id, stack',
  ttl: 'day + INTERVAL 100 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, user_hash)',
} as const satisfies TableDefinition

export const profileStacks = {
  name: 'profile_stacks',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    stack: 'UInt64 CODEC(ZSTD(1))',
    seen: 'Date',
    frames: 'Array(String) CODEC(ZSTD(3))',
  },
  engine: 'ReplacingMergeTree',
  engineColumn: 'seen',
  orderBy: 'environment_id, stack',
  ttl: 'seen + INTERVAL 100 DAY',
  settings: { index_granularity: 1024 },
  shardBy: 'cityHash64(environment_id, stack)',
} as const satisfies TableDefinition

export const profileBlobs = {
  name: 'profile_blobs',
  columns: {
    environment_id: 'UUID',
    day: 'Date',
    profile_id: 'UUID',
    session_id: 'UUID',
    view_id: 'UUID',
    user_hash: 'UInt64',
    ts: "DateTime64(3, 'UTC')",
    duration_ms: 'UInt32',
    bytes: 'UInt32',
    enc: 'LowCardinality(String)',
    b64: "String EPHEMERAL ''",
    body: 'String DEFAULT base64Decode(b64) CODEC(NONE)',
  },
  engine: 'MergeTree',
  partitionBy: 'day',
  orderBy: 'environment_id, session_id, profile_id',
  ttl: 'day + INTERVAL 100 DAY',
  settings: {
    index_granularity: 64,
    index_granularity_bytes: 1048576,
    min_bytes_for_wide_part: 0,
    ttl_only_drop_parts: 1,
  },
  shardBy: 'cityHash64(environment_id, user_hash)',
} as const satisfies TableDefinition
