// Traces of OpenTelemetry: searched by their spans, and one of them as a whole.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { spanKinds, spanStatuses } from '../otlp-names.ts'
import { call } from './call.ts'
import { Log } from './logs.ts'
import { Count, periodQuery } from './measured.ts'
import { Instant, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const Text = Type.String()
const Duration = Type.Number({ minimum: 0, description: 'Milliseconds.' })
const Attributes = Type.Record(Text, Text)

export const TraceSummary = Type.Object({
  traceId: Text,
  startedAt: Instant,
  duration: Duration,
  service: Type.String({ description: 'Of the root, or of the first span while the root is missing.' }),
  name: Text,
  spans: Count,
  errors: Type.Integer({ minimum: 0, description: 'Failed spans.' }),
  services: Type.Array(Text),
})
export type TraceSummary = Static<typeof TraceSummary>

export const listTraces = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/traces',
  summary: 'List the traces with a span that matches the filter, the latest matching span first.',
  permission: 'project.view',
  query: Strict({ ...pageQuery, ...periodQuery }),
  reply: Page(
    Type.Object({
      ...TraceSummary.properties,
      matched: Type.Object(
        { spans: Count, spanId: Text, service: Text, name: Text, duration: Duration },
        { description: 'How many spans match, and the longest of them.' },
      ),
    }),
  ),
  errors: ['query-too-large'],
})

export const TraceSpan = Type.Object({
  spanId: Text,
  parentId: Type.String({ description: 'Empty for a root. The parent may be missing.' }),
  service: Text,
  name: Text,
  kind: Type.Enum([...spanKinds]),
  status: Type.Enum([...spanStatuses]),
  at: Type.Number({ description: 'Milliseconds since the trace began.' }),
  duration: Duration,
  httpStatus: Type.Integer({ minimum: 0, description: '0: none.' }),
  system: Type.String({ description: 'The database or messaging system that was called.' }),
})
export type TraceSpan = Static<typeof TraceSpan>

export const getTrace = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/traces/:trace',
  summary: 'Show one trace: its spans, and the errors and log records of it in order.',
  permission: 'project.view',
  reply: Type.Object({
    ...TraceSummary.properties,
    spanList: Type.Array(TraceSpan, {
      description: `In order of their beginning, at most ${limits.traceSpansShown}.`,
    }),
    left: Type.Integer({ minimum: 0, description: 'Spans that are not listed.' }),
    errorList: Type.Array(
      Type.Object({
        id: Text,
        issue: Text,
        at: Type.Number({ description: 'Milliseconds since the trace began.' }),
        spanId: Text,
        service: Text,
        type: Text,
        message: Text,
        handled: Type.Boolean(),
      }),
    ),
    requests: Type.Array(
      Type.Object({
        id: Text,
        session: Nullable(Text),
        at: Type.Number(),
        method: Text,
        url: Text,
        page: Text,
      }),
      { description: 'Requests of browsers that are part of the trace.' },
    ),
    logs: Type.Array(Log, { description: `In order of time, at most ${limits.traceLogsShown}.` }),
  }),
  errors: ['query-too-large'],
})

export const getSpan = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/traces/:trace/spans/:span',
  summary: 'Show one span with its attributes, events and links.',
  permission: 'project.view',
  reply: Type.Object({
    ...TraceSpan.properties,
    traceId: Text,
    startedAt: Instant,
    version: Text,
    scope: Text,
    statusMessage: Text,
    userKey: Text,
    session: Nullable(Text),
    flags: Type.Array(Text, { description: '`flag=variation` of each evaluation in the span.' }),
    attributes: Attributes,
    resource: Attributes,
    events: Type.Array(Type.Object({ at: Instant, name: Text, attributes: Attributes })),
    links: Type.Array(Type.Object({ traceId: Text, spanId: Text, attributes: Attributes })),
    cut: Type.Integer({
      minimum: 0,
      description: 'Attributes, events and links that were shortened or left out.',
    }),
  }),
  errors: ['query-too-large'],
})

export const traceCalls = { listTraces, getTrace, getSpan }
