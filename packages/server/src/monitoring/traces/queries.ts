import type { TraceSpan } from '@telltale/core/contract/traces'
import { limits } from '@telltale/core/limits'
import { traceUuid } from '@telltale/core/telemetry/otlp/span-row'
import type { Question } from '../explore/question.ts'
import { renderServedFilter } from '../explore/render-span-filter.ts'
import {
  aroundTrace,
  inHours,
  microsecond,
  microsecondsText,
  spansWithin,
  type TraceExtent,
  traceIdText,
} from '../explore/span-time.ts'

export interface MatchedTrace {
  trace: string
  latest: string
  found: string
  spanId: string
  matchedService: string
  matchedName: string
  matchedDuration: number
}

export interface TraceMark {
  latest: number
  trace: string
}

const quarter = 15 * 60_000
const wider = 6

/**
 * Traces by their latest matching span. Looks at the newest part of the period first: a search that finds enough there
 * need not read the rest.
 */
export async function findMatchedTraces(
  question: Question,
  { after, count }: { after: TraceMark | undefined; count: number },
): Promise<MatchedTrace[]> {
  const { from, to } = question
  const last = after === undefined ? to : Math.min(to, Math.ceil(after.latest / 1_000) + 1)
  for (let span = quarter; ; span *= wider) {
    const begin = Math.max(from, last - span)
    const rows = await findWithin(question.with({ from: begin }), { after, count })
    if (rows.length >= count || begin <= from) return rows
  }
}

async function findWithin(
  question: Question,
  { after, count }: { after: TraceMark | undefined; count: number },
): Promise<MatchedTrace[]> {
  const { bind } = question
  const rows = question.rowsOf(
    'spans',
    ...spansWithin(question, bind),
    ...renderServedFilter('spans', question.filter, bind),
  )
  const before =
    after === undefined
      ? ''
      : `HAVING (latestAt, id) < (${microsecond(after.latest, bind)}, ${bind(traceUuid(after.trace), 'UUID')})`
  return question.read<MatchedTrace>(
    `SELECT ${traceIdText('id')} AS trace, ${microsecondsText('latestAt')} AS latest, toString(spansFound) AS found,
      longest.1 AS spanId, longest.2 AS matchedService, longest.3 AS matchedName, longest.4 AS matchedDuration
    FROM (SELECT trace_id AS id, max(ts) AS latestAt, count() AS spansFound,
        argMax((span_id, toString(service), toString(name), duration), duration) AS longest
      FROM ${rows} GROUP BY trace_id ${before} ORDER BY latestAt DESC, id DESC LIMIT ${bind(count, 'UInt32')})
    ORDER BY latestAt DESC, id DESC`,
  )
}

export interface TraceRow {
  trace: string
  started: string
  ended: string
  spans: string
  errors: string
  services: string[]
  service: string
  name: string
}

export async function findTraceRows(question: Question, traces: readonly string[]): Promise<TraceRow[]> {
  if (traces.length === 0) return []
  const { bind } = question
  const ids = traces.map((trace) => bind(traceUuid(trace), 'UUID')).join(', ')
  return question.read<TraceRow>(
    `SELECT ${traceIdText('id')} AS trace, ${microsecondsText('startedAt')} AS started, ${microsecondsText('endedAt')} AS ended,
      toString(spanCount) AS spans, toString(errorCount) AS errors, arraySort(serviceList) AS services,
      top.1 AS service, top.2 AS name
    FROM (SELECT trace_id AS id, min(started) AS startedAt, max(ended) AS endedAt, sum(spans) AS spanCount,
        sum(errors) AS errorCount, groupUniqArrayArray(services) AS serviceList, argMinMerge(root) AS top
      FROM ${question.rowsOf('traces', `trace_id IN (${ids})`)} GROUP BY trace_id)`,
  )
}

const ofTrace = ({ bind }: Question, { trace, started, ended }: TraceExtent) => [
  ...inHours({ from: started, to: ended }, bind),
  `ts >= ${microsecond(started, bind)}`,
  `ts <= ${microsecond(ended, bind)}`,
  `trace_id = ${bind(traceUuid(trace), 'UUID')}`,
]

export interface SpanRow extends Omit<TraceSpan, 'at'> {
  ts: string
}

const compact = `span_id AS spanId, parent_id AS parentId, toString(service) AS service, toString(name) AS name,
  toString(kind) AS kind, toString(status) AS status, ${microsecondsText('ts')} AS ts, duration,
  http_status AS httpStatus, coalesce(nullIf(attrs['db.system.name'], ''), nullIf(attrs['db.system'], ''), attrs['messaging.system']) AS system`

/** Aliases must not be names of columns in conditions, so the rows are chosen first. */
const chosen = (question: Question, conditions: readonly string[]) =>
  `(SELECT * FROM ${question.rowsOf('spans', ...conditions)} ORDER BY ts, span_id LIMIT 1 BY span_id LIMIT ${limits.traceSpansShown})`

export async function findSpans(question: Question, extent: TraceExtent): Promise<SpanRow[]> {
  return question.read<SpanRow>(
    `SELECT ${compact} FROM (SELECT span_id, parent_id, service, name, kind, status, ts AS ts, duration, http_status, attrs
      FROM ${chosen(question, ofTrace(question, extent))}) AS s ORDER BY s.ts, s.span_id`,
  )
}

export interface WholeSpanRow extends SpanRow {
  version: string
  scope: string
  statusMessage: string
  userKey: string
  session: string
  flags: string[]
  attrs: Record<string, string>
  resource: Record<string, string>
  events: string
  links: string
  cut: number
}

export async function findSpan(
  question: Question,
  extent: TraceExtent,
  spanId: string,
): Promise<WholeSpanRow | undefined> {
  const own = [...ofTrace(question, extent), `span_id = ${question.bind(spanId, 'String')}`]
  const [row] = await question.read<WholeSpanRow>(
    `SELECT ${compact}, toString(version) AS version, toString(scope) AS scope, status_message AS statusMessage,
      user_key AS userKey, toString(session_id) AS session, flags, attrs, resource, events, links, cut
    FROM ${chosen(question, own)} AS s LIMIT 1`,
  )
  return row
}

export interface TraceErrorRow {
  id: string
  issue: string
  at: string
  spanId: string
  service: string
  type: string
  message: string
  handled: number
}

const inEvents = ({ bind }: Question, { trace, started, ended }: TraceExtent) => [
  `ts >= fromUnixTimestamp64Milli(${bind(Math.floor((started - aroundTrace) / 1_000), 'Int64')})`,
  `ts <= fromUnixTimestamp64Milli(${bind(Math.ceil((ended + aroundTrace) / 1_000), 'Int64')})`,
  `trace_id = ${bind(trace, 'String')}`,
]

export async function findTraceErrors(question: Question, extent: TraceExtent): Promise<TraceErrorRow[]> {
  return question.read<TraceErrorRow>(
    `SELECT toString(event_id) AS id, toString(${question.issueOf('err_group')}) AS issue, toString(toUnixTimestamp64Milli(ts)) AS at,
      attrs['span.id'] AS spanId, toString(service) AS service, toString(err_type) AS type, err_message AS message, err_handled AS handled
    FROM (SELECT * FROM ${question.rowsOf('events', ...inEvents(question, extent), "kind = 'error'")} ORDER BY ts, event_id LIMIT ${limits.traceLogsShown}) AS e
    ORDER BY e.ts, e.event_id`,
  )
}

export interface TraceRequestRow {
  id: string
  session: string
  at: string
  method: string
  url: string
  page: string
}

const requestsShown = 20

export async function findTraceRequests(question: Question, extent: TraceExtent): Promise<TraceRequestRow[]> {
  return question.read<TraceRequestRow>(
    `SELECT toString(event_id) AS id, toString(session_id) AS session, toString(toUnixTimestamp64Milli(ts)) AS at,
      toString(res_method) AS method, target AS url, toString(page) AS page
    FROM (SELECT * FROM ${question.rowsOf('events', ...inEvents(question, extent), "kind = 'resource'", "origin = 'browser'")} ORDER BY ts LIMIT ${requestsShown}) AS e
    ORDER BY e.ts`,
  )
}
