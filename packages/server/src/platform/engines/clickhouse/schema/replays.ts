// Replays: their segments, copies of kept ones, and the style sheets and fonts they use. Bodies are sent as base64 and
// stored as bytes.
import type { TableDefinition } from './definition.ts'

/** The shared columns of a segment and its copy. */
const segmentColumns = {
  environment_id: 'UUID',
  day: 'Date',
  session_id: 'UUID',
  tab_id: 'UUID',
  seq: 'UInt32',
  segment_id: 'UUID',
  view_id: 'UUID',
  user_hash: 'UInt64',
  started: "DateTime64(3, 'UTC')",
  ended: "DateTime64(3, 'UTC')",
  format: 'LowCardinality(String)',
  enc: 'LowCardinality(String)',
  records: 'UInt32',
  full_snapshot: 'UInt8',
  bytes: 'UInt32',
  assets: 'Array(UUID) CODEC(ZSTD(1))',
} as const

export const replaySegments = {
  name: 'replay_segments',
  columns: {
    ...segmentColumns,
    b64: "String EPHEMERAL ''",
    body: 'String DEFAULT base64Decode(b64) CODEC(NONE)',
    /** The probability of its session by sampling; 0: recorded for another reason, or by an earlier version. */
    inclusion: 'Float32 DEFAULT 0',
  },
  engine: 'MergeTree',
  partitionBy: 'day',
  orderBy: 'environment_id, session_id, tab_id, seq',
  ttl: 'day + INTERVAL 100 DAY',
  settings: {
    index_granularity: 64,
    index_granularity_bytes: 1048576,
    min_bytes_for_wide_part: 0,
    ttl_only_drop_parts: 1,
  },
  shardBy: 'cityHash64(environment_id, user_hash)',
} as const satisfies TableDefinition

export const replayKept = {
  name: 'replay_kept',
  columns: {
    ...segmentColumns,
    body: 'String CODEC(NONE)',
  },
  engine: 'ReplacingMergeTree',
  partitionBy: 'toYYYYMM(day)',
  orderBy: 'environment_id, session_id, tab_id, seq',
  settings: { index_granularity: 64, index_granularity_bytes: 1048576, min_bytes_for_wide_part: 0 },
  shardBy: 'cityHash64(environment_id, user_hash)',
} as const satisfies TableDefinition

export const replayAssets = {
  name: 'replay_assets',
  columns: {
    environment_id: 'UUID',
    hash: 'UUID',
    seen: 'Date',
    mime: 'LowCardinality(String)',
    bytes: 'UInt32',
    b64: "String EPHEMERAL ''",
    body: 'String DEFAULT base64Decode(b64) CODEC(NONE)',
  },
  engine: 'ReplacingMergeTree',
  engineColumn: 'seen',
  orderBy: 'environment_id, hash',
  settings: { index_granularity: 64, index_granularity_bytes: 1048576, min_bytes_for_wide_part: 0 },
  shardBy: 'cityHash64(environment_id, hash)',
} as const satisfies TableDefinition
