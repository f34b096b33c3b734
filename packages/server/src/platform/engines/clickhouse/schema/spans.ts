// Spans of traces, inserted once. In the order of traces within each hour: a trace is read from a few places, and a
// screen of a time range from neighbouring ones.
import type { TableDefinition, ViewDefinition } from './definition.ts'

export const spans = {
  name: 'spans',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    received_at: "DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1))",
    source: 'LowCardinality(String)',
    service: 'LowCardinality(String)',
    version: 'LowCardinality(String)',
    resource: 'Map(LowCardinality(String), String) CODEC(ZSTD(1))',
    scope: 'LowCardinality(String)',
    ts: "DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1))",
    trace_id: 'UUID CODEC(ZSTD(1))',
    span_id: 'String CODEC(ZSTD(1))',
    /** Empty for the root of a trace. */
    parent_id: 'String CODEC(ZSTD(1))',
    name: 'LowCardinality(String)',
    kind: 'LowCardinality(String)',
    status: 'LowCardinality(String)',
    status_message: 'String CODEC(ZSTD(1))',
    /** Milliseconds. */
    duration: 'Float64 CODEC(ZSTD(1))',
    method: 'LowCardinality(String)',
    endpoint: 'LowCardinality(String)',
    host: 'LowCardinality(String)',
    http_status: 'UInt16 CODEC(ZSTD(1))',
    user_key: 'String CODEC(ZSTD(1))',
    session_id: 'UUID CODEC(ZSTD(1))',
    /** `flag=variation` of the flags that were evaluated in the span. */
    flags: 'Array(LowCardinality(String)) CODEC(ZSTD(1))',
    attrs: 'Map(LowCardinality(String), String) CODEC(ZSTD(1))',
    /** JSON: a list of [microseconds, name, attributes]. */
    events: 'String CODEC(ZSTD(1))',
    /** JSON: a list of [trace, span, attributes]. */
    links: 'String CODEC(ZSTD(1))',
    /** Attributes, events and links that were shortened or left out. */
    cut: 'UInt16 CODEC(ZSTD(1))',
  },
  beside: [
    'INDEX ix_user user_key TYPE bloom_filter(0.01) GRANULARITY 1',
    'INDEX ix_session session_id TYPE bloom_filter(0.01) GRANULARITY 1',
  ],
  engine: 'MergeTree',
  partitionBy: 'toMonday(ts)',
  orderBy: 'environment_id, toStartOfHour(ts), trace_id, ts',
  ttl: 'toDateTime(ts) + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, trace_id)',
} as const satisfies TableDefinition

/** When each trace began and ended, so that its spans are found by its ID alone, and what a list shows of it. */
export const traces = {
  name: 'traces',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    trace_id: 'UUID CODEC(ZSTD(1))',
    day: 'Date',
    started: "SimpleAggregateFunction(min, DateTime64(6, 'UTC')) CODEC(ZSTD(1))",
    ended: "SimpleAggregateFunction(max, DateTime64(6, 'UTC')) CODEC(ZSTD(1))",
    spans: 'SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))',
    errors: 'SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))',
    services: 'SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1))',
    /** Service and name of the root, or of the first span while the root is missing. */
    root: "AggregateFunction(argMin, Tuple(String, String), Tuple(UInt8, DateTime64(6, 'UTC'))) CODEC(ZSTD(1))",
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toMonday(day)',
  orderBy: 'environment_id, trace_id, day',
  ttl: 'day + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1, index_granularity: 1024 },
  shardBy: 'cityHash64(environment_id, trace_id)',
} as const satisfies TableDefinition

export const tracesView = {
  name: 'traces_mv',
  from: 'spans',
  to: 'traces',
  select: (rows) => `
SELECT environment_id, trace_id, toDate(s.ts) AS day, min(s.ts) AS started,
  max(addMicroseconds(s.ts, toInt64(least(s.duration, 4e9) * 1000))) AS ended,
  count() AS spans, countIf(s.status = 'error') AS errors, groupUniqArray(toString(s.service)) AS services,
  argMinState((toString(s.service), toString(s.name)), (toUInt8(s.parent_id != ''), s.ts)) AS root
FROM ${rows} AS s GROUP BY environment_id, trace_id, day`,
} as const satisfies ViewDefinition

export const logs = {
  name: 'logs',
  columns: {
    environment_id: 'UUID CODEC(ZSTD(1))',
    received_at: "DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1))",
    source: 'LowCardinality(String)',
    service: 'LowCardinality(String)',
    version: 'LowCardinality(String)',
    resource: 'Map(LowCardinality(String), String) CODEC(ZSTD(1))',
    scope: 'LowCardinality(String)',
    ts: "DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1))",
    log_id: 'UUID CODEC(ZSTD(1))',
    trace_id: 'UUID CODEC(ZSTD(1))',
    span_id: 'String CODEC(ZSTD(1))',
    severity: 'UInt8 CODEC(ZSTD(1))',
    level: 'LowCardinality(String)',
    severity_text: 'LowCardinality(String)',
    name: 'LowCardinality(String)',
    body: 'String CODEC(ZSTD(1))',
    user_key: 'String CODEC(ZSTD(1))',
    session_id: 'UUID CODEC(ZSTD(1))',
    attrs: 'Map(LowCardinality(String), String) CODEC(ZSTD(1))',
    cut: 'UInt16 CODEC(ZSTD(1))',
  },
  beside: [
    'INDEX ix_trace trace_id TYPE bloom_filter(0.01) GRANULARITY 1',
    'INDEX ix_user user_key TYPE bloom_filter(0.01) GRANULARITY 1',
    'INDEX ix_session session_id TYPE bloom_filter(0.01) GRANULARITY 1',
  ],
  engine: 'MergeTree',
  partitionBy: 'toMonday(ts)',
  orderBy: 'environment_id, ts, log_id',
  ttl: 'toDateTime(ts) + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, log_id)',
} as const satisfies TableDefinition
