// The guard's counts and capped sums by unit, measure, stage and arm. Outliers are capped before summing. Includes
// vitals from before `unit_vitals` existed.
import type { TableDefinition, ViewDefinition } from './definition.ts'

/** SQL that caps outliers before summing. */
export const cappedVital = (name: string, value: string) =>
  `toFloat64(least(${value}, multiIf(${name} = 'CLS', 5, ${name} = 'INP', 10000, 60000)))`

/** The measure of views with an LCP: every page that is shown reports one. */
export const lcpSeen = 'lcp_seen'

/** A look reads each row: light codecs halve its time for 9 % more on disk; hashes do not compress. */
export const unitMeasures = {
  name: 'unit_measures',
  columns: {
    environment_id: 'UUID CODEC(LZ4)',
    split: 'UInt64 CODEC(LZ4)',
    measure: 'LowCardinality(String)',
    epoch: 'UInt32 CODEC(LZ4)',
    arm: 'LowCardinality(String)',
    unit: 'UInt64 CODEC(NONE)',
    n: 'SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4)',
    y: 'SimpleAggregateFunction(sum, Float64) CODEC(LZ4)',
    first_ts: "SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(T64, LZ4)",
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYYYYMM(first_ts)',
  orderBy: 'environment_id, split, measure, epoch, arm, unit',
  ttl: 'toDateTime(first_ts) + INTERVAL 400 DAY',
  settings: { ttl_only_drop_parts: 1 },
  shardBy: 'cityHash64(environment_id, unit)',
} as const satisfies TableDefinition

export const unitMeasuresView = {
  name: 'unit_measures_mv',
  from: 'events',
  to: 'unit_measures',
  // Values of vitals are in `unit_vitals`; their arrival shows that the unit was heard from.
  select: (events) =>
    measuresOf(events, 'environment_id', { name: `if(e.name = 'LCP', '${lcpSeen}', '')`, value: '1.' }),
} as const satisfies ViewDefinition

/** What servers send has its own measures: one user has both a page and the requests behind it. */
const ofServers = `e.origin != 'server' ? [] : [multiIf(
        e.kind = 'exposure', ('server_session', 1.),
        e.kind = 'error', ('server_error', 1.),
        e.kind = 'resource' AND e.res_endpoint != '', ('server_request', toFloat64(least(e.duration, 60000))),
        ('', 0.)),
        (e.kind = 'resource' AND e.res_endpoint != '' AND e.res_status >= 500 ? 'server_failed_request' : '', 1.)]`

/** The rows of all measures of events, including vitals. `by` replaces the environment in the grouping. */
export function measuresOf(
  events: string,
  by = 'environment_id',
  vital = { name: 'toString(e.name)', value: cappedVital('e.name', 'e.value') },
): string {
  return `
SELECT ${by}, a.split AS split, m.1 AS measure, a.epoch AS epoch, a.arm AS arm, a.unit AS unit,
  count() AS n, sum(m.2) AS y, min(t) AS first_ts
FROM (
  SELECT e.${by} AS ${by}, e.ts AS t, arrayJoin(e.arms) AS a,
    arrayJoin(arrayFilter(x -> x.1 != '', arrayConcat(
      e.origin = 'server' ? [] : [multiIf(
        e.kind = 'vital', (${vital.name}, ${vital.value}),
        e.kind = 'view', ('view', 1.),
        e.kind = 'exposure', ('session', 1.),
        e.kind = 'error', ('error', 1.),
        e.kind = 'long_frame', ('long_frame', toFloat64(least(e.duration, 10000))),
        e.kind = 'resource' AND e.res_endpoint != '', ('request', toFloat64(least(e.duration, 60000))),
        ('', 0.))],
      e.kind = 'custom' ? [(concat('custom:', e.name), toFloat64(greatest(least(e.value, 1e9), -1e9)))] : [],
      ${ofServers},
      e.origin != 'server' AND e.kind = 'error' AND e.err_handled = 0 ? [('unhandled_error', 1.)] : [],
      e.origin != 'server' AND e.kind = 'resource' AND e.res_endpoint != '' AND e.res_failed = 1 ? [('failed_request', 1.)] : [],
      arrayMap(f -> (concat(f, '_click'), 1.), e.frustration)))) AS m
  FROM ${events} AS e WHERE notEmpty(e.arms) AND e.bot = 0)
GROUP BY ${by}, split, measure, epoch, arm, unit`
}
