// The variations read during a view, from all of its events: one row per view and day, merged from batches. Screens
// filter and group by them, since most views begin before their flags are read.
import type { TableDefinition, ViewDefinition } from './definition.ts'

export const viewFlags = {
  name: 'view_flags',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    day: 'Date',
    session_id: 'UUID CODEC(ZSTD(1))',
    view_id: 'UUID CODEC(ZSTD(1))',
    user_hash: 'SimpleAggregateFunction(max, UInt64) CODEC(ZSTD(1))',
    /** `flag=variation`. */
    flags: 'SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1))',
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toMonday(day)',
  orderBy: 'environment_id, day, session_id, view_id',
  ttl: 'day + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, user_hash)',
} as const satisfies TableDefinition

export const viewFlagsView = {
  name: 'view_flags_mv',
  from: 'events',
  to: 'view_flags',
  select: (events) => `
SELECT environment_id, toDate(e.ts) AS day, session_id, view_id, max(e.user_hash) AS user_hash,
  groupUniqArrayArray(arrayMap(x -> toString(x), e.flags)) AS flags
FROM ${events} AS e WHERE notEmpty(e.flags) AND e.origin != 'server' AND e.view_id != toUUID('00000000-0000-0000-0000-000000000000')
GROUP BY environment_id, day, session_id, view_id`,
} as const satisfies ViewDefinition
