// Raw events of two arms of a split, because the roll-ups have no issues, requests or browsers.
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import { ofBrowsers, ofServers } from '../../monitoring/explore/conditions.ts'
import { conditionsOf } from './own-events.ts'
import type { SplitQuestion } from './split-question.ts'

/** Milliseconds since 1970; `to` is exclusive. */
export interface EvidencePeriod {
  from: number
  to: number
}

/**
 * One row for each event and stage: `at_` in milliseconds, `epoch`, `treated`, `unit`, and the given SQL
 * columns, whose names must differ from those of the table.
 */
export function rowsOfArms(
  question: SplitQuestion,
  { from, to }: EvidencePeriod,
  { columns, conditions }: { columns: Readonly<Record<string, string>>; conditions: readonly string[] },
): string {
  const { bind, split, epochs, arm } = question
  const at = (instant: number) => `fromUnixTimestamp64Milli(${bind(instant, 'Int64')})`
  const stages = bind(
    epochs.map(({ epoch }) => epoch),
    'Array(UInt32)',
  )
  const names = Object.keys(columns)
  const read = Object.entries(columns).map(([name, of]) => `${of} AS ${name}`)
  const events = question.eventsOf(`ts >= ${at(from)}`, `ts < ${at(to)}`, ...conditions)
  return `SELECT ${['at_', ...names].join(', ')}, one_.2 AS epoch, one_.3 = ${arm.treatment} AS treated, one_.4 AS unit
    FROM (SELECT toUnixTimestamp64Milli(ts) AS at_, ${[...read, `arrayJoin(arrayFilter(a -> a.1 = ${bind(split, 'UInt64')}, arms)) AS one_`].join(', ')} FROM ${events})
    WHERE one_.2 IN ${stages} AND one_.3 IN (${arm.treatment}, ${arm.control})`
}

/** Requests of the application. */
export const isRequest = "kind = 'resource' AND res_endpoint != ''"
/**
 * A hash for each request, because grouping millions of rows by text is slow. Each column is hashed once for
 * all its rows.
 */
export const requestHash =
  'cityHash64(cityHash64(res_method), cityHash64(res_host), cityHash64(res_endpoint))'

interface RequestName {
  method: string
  host: string
  endpoint: string
}

/** The requests behind the hashes. */
export async function nameRequests(
  question: SplitQuestion,
  { from, to }: EvidencePeriod,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, RequestName>> {
  if (hashes.length === 0) return new Map()
  const { bind } = question
  const at = (instant: number) => `fromUnixTimestamp64Milli(${bind(instant, 'Int64')})`
  const wanted = [...new Set(hashes)].map((hash) => bind(hash, 'UInt64')).join(', ')
  const rows = await question.read<RequestName & { key: string }>(
    `SELECT toString(${requestHash}) AS key, toString(any(res_method)) AS method, toString(any(res_host)) AS host, toString(any(res_endpoint)) AS endpoint
    FROM ${question.eventsOf(`ts >= ${at(from)}`, `ts < ${at(to)}`, isRequest, `${requestHash} IN (${wanted})`)} GROUP BY key`,
  )
  return new Map(rows.map(({ key, ...name }) => [key, name]))
}

/** The condition on the events that a measure of the roll-ups counts. */
export function isMeasure({ bind }: Pick<SplitQuestion, 'bind'>, measure: string): string {
  const own = readEventMeasure(measure)
  if (own !== undefined) return conditionsOf(own, bind).join(' AND ')
  if (measure.endsWith('_click'))
    return `kind = 'action' AND has(frustration, ${bind(measure.replace(/_click$/, ''), 'String')})`
  return plain[measure] ?? `kind = 'vital' AND name = ${bind(measure, 'String')}`
}

const plain: Readonly<Record<string, string>> = {
  view: "kind = 'view'",
  session: `kind = 'exposure' AND ${ofBrowsers}`,
  error: `kind = 'error' AND ${ofBrowsers}`,
  unhandled_error: `kind = 'error' AND err_handled = 0 AND ${ofBrowsers}`,
  long_frame: "kind = 'long_frame'",
  request: `${isRequest} AND ${ofBrowsers}`,
  failed_request: `${isRequest} AND res_failed = 1 AND ${ofBrowsers}`,
  server_session: `kind = 'exposure' AND ${ofServers}`,
  server_error: `kind = 'error' AND ${ofServers}`,
  server_request: `${isRequest} AND ${ofServers}`,
  server_failed_request: `${isRequest} AND res_status >= 500 AND ${ofServers}`,
}
