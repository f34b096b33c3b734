// The services that report by OpenTelemetry: how much they serve, how often they fail, and which flags they evaluate.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { spanKinds } from '../otlp-names.ts'
import { call } from './call.ts'
import { at, Count, partial, period, periodQuery, Share, stepped, stepQuery } from './measured.ts'
import { Instant, Nullable, Strict } from './parameters.ts'

const Duration = Nullable(
  Type.Number({ description: `Milliseconds; null with fewer than ${limits.percentileMinimum} requests.` }),
)

const described = {
  service: Type.String(),
  versions: Type.Array(Type.String(), { description: 'At most 20.' }),
  language: Type.String({ description: 'Of its SDK, as reported.' }),
}
const rate = {
  requests: Type.Integer({
    minimum: 0,
    description: 'Spans that began in the service: of kind server or consumer, or without a parent.',
  }),
  perMinute: Type.Number({ minimum: 0 }),
  failed: Count,
  failedShare: Nullable(Share),
  p50: Duration,
  p95: Duration,
}
const flags = Type.Array(
  Type.Object({
    flag: Type.String(),
    variations: Type.Array(Type.String(), { description: 'At most 20.' }),
  }),
  { description: 'At most 50.' },
)

export const listServices = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/services',
  summary: 'List the services of an environment: rate, errors, duration, and the flags they evaluate.',
  permission: 'project.view',
  query: Strict(periodQuery),
  reply: Type.Object({
    ...period,
    services: Type.Array(Type.Object({ ...described, ...rate, spans: Count, lastSeenAt: Instant, flags }), {
      description: 'Most requests first.',
    }),
    more: Type.Boolean({ description: 'There are more services than are listed.' }),
  }),
  errors: ['query-too-large'],
})

export const getService = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/service',
  summary:
    'Show one service: rate, errors and duration over time, its operations, and the flags it evaluates.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    ...stepQuery,
    service: Type.String({ minLength: 1, maxLength: limits.eventNameLength }),
  }),
  reply: Type.Object({
    ...stepped,
    ...described,
    ...rate,
    p99: Duration,
    spans: Count,
    lastSeenAt: Nullable(Instant),
    flags,
    series: Type.Array(
      Type.Object({
        at,
        partial,
        requests: Count,
        failed: Count,
        p50: Duration,
        p95: Duration,
        p99: Duration,
      }),
      { description: 'Every step of the period.' },
    ),
    operations: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Of its spans, such as `GET /orders/:id`.' }),
        kind: Type.Enum([...spanKinds]),
        ...rate,
        timeShare: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Of the time that all requests to the service take.',
        }),
      }),
      { description: `Most time first, at most ${limits.operationsPerService}.` },
    ),
    moreOperations: Type.Boolean({ description: 'There are more operations than are listed.' }),
  }),
  errors: ['query-too-large'],
})

export const serviceCalls = { listServices, getService }
