// The requests of an application, grouped by method, host and template.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import {
  at,
  Count,
  exactQuery,
  partial,
  period,
  periodQuery,
  Sample,
  SampledPage,
  Share,
  sampled,
  stepped,
  stepQuery,
  Weighted,
} from './measured.ts'
import { Nullable, pageQuery, Strict } from './parameters.ts'

const Text = Type.String({ maxLength: 200 })
const Duration = Nullable(Type.Number({ description: 'Milliseconds; null with fewer than 50 requests.' }))

const group = {
  method: Text,
  host: Text,
  endpoint: Type.String({
    maxLength: 200,
    description: 'The path as a template, such as `/api/orders/:id`.',
  }),
}
const measured = {
  count: Weighted,
  perMinute: Type.Number({ minimum: 0 }),
  failed: Weighted,
  failedShare: Nullable(Share),
  p50: Duration,
  p75: Duration,
  p95: Duration,
  total: Type.Number({ minimum: 0, description: 'Total time in milliseconds.' }),
  meanBytes: Nullable(Type.Number({ description: 'Among requests with a known size.' })),
}
const own = Type.Boolean({ description: 'First-party: the host belongs to the site of the pages.' })

export const requestOrders = [
  'count',
  'failed',
  'failedShare',
  'p50',
  'p75',
  'p95',
  'total',
  'meanBytes',
] as const
export const requestParties = ['own', 'third'] as const

export const listRequests = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/requests',
  summary: 'List the requests of an environment by method, host and template.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...periodQuery,
    ...exactQuery,
    sort: Type.Optional(
      Type.Enum([...requestOrders], {
        description:
          'Most requests, most failed, highest failure rate, slowest, most total time, or largest first. Default: count.',
      }),
    ),
    party: Type.Optional(
      Type.Enum([...requestParties], { description: 'First-party or third-party hosts only.' }),
    ),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Text that endpoints contain.' }),
    ),
  }),
  reply: SampledPage(
    Type.Object({
      ...group,
      own,
      ...measured,
      sessions: Count,
      slowestPage: Type.String({ description: 'Page of the longest one.' }),
    }),
  ),
  errors: ['query-too-large'],
})

export const getRequest = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/request',
  summary: 'Show one group of requests: over time, and by status and page.',
  permission: 'project.view',
  query: Strict({ ...periodQuery, ...stepQuery, ...exactQuery, ...group }),
  reply: Type.Object({
    ...stepped,
    sample: Sample,
    ...group,
    own,
    ...measured,
    sessions: Count,
    series: Type.Array(
      Type.Object({
        at,
        partial,
        count: Weighted,
        failed: Weighted,
        p50: Duration,
        p75: Duration,
        p95: Duration,
      }),
      { description: 'Every step of the period.' },
    ),
    statuses: Type.Array(
      Type.Object({ status: Type.Integer({ description: '0: no response.' }), count: Weighted }),
    ),
    pages: Type.Array(
      Type.Object({ page: Type.String(), count: Weighted, failed: Weighted, p75: Duration }),
      { description: 'Most requests first, at most 20.' },
    ),
  }),
  errors: ['query-too-large'],
})

export const listRequestBreakdown = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/request/breakdown',
  summary: 'Compare a group of requests between variations of a flag, or values of any field.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    ...exactQuery,
    ...group,
    by: Type.String({ minLength: 1, maxLength: 250, description: 'A field, such as `flag:checkout`.' }),
  }),
  reply: Type.Object({
    ...sampled,
    groups: Type.Array(Type.Object({ value: Type.String(), ...measured, sessions: Count }), {
      description: 'Largest first, at most 20.',
    }),
  }),
  errors: ['query-too-large'],
})

const Example = Nullable(
  Type.Object({
    traceId: Type.String(),
    spanId: Type.String({ description: 'Empty for time outside of the spans.' }),
  }),
)
const compared = Type.Object({
  traces: Count,
  mean: Type.Number({ minimum: 0, description: 'Milliseconds, as the browser measured.' }),
})

export const listRequestSpans = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/request/spans',
  summary:
    'Show where the time of a group of requests goes, by service and span: typical ones and slow ones.',
  permission: 'project.view',
  query: Strict({ ...periodQuery, ...group }),
  reply: Type.Object({
    ...period,
    traces: Type.Integer({
      minimum: 0,
      description: `Requests with a trace here: the newest, at most ${limits.comparedRequests}. Compared from ${limits.comparedRequestsMinimum} on.`,
    }),
    typical: compared,
    slow: Type.Object({
      ...compared.properties,
      from: Type.Number({ minimum: 0, description: 'The shortest of them, in milliseconds.' }),
    }),
    spans: Type.Array(
      Type.Object({
        service: Type.String({ description: 'Empty for time outside of the spans: network and queues.' }),
        name: Type.String(),
        typical: Type.Number({ minimum: 0, description: 'Mean self time of a trace, in milliseconds.' }),
        slow: Type.Number({ minimum: 0 }),
        typicalExample: Example,
        slowExample: Example,
      }),
      {
        description:
          'What slow requests spend the most additional time in first, at most 20. Self time: without the time of its children.',
      },
    ),
    isCut: Type.Boolean({
      description: `A trace has more than ${limits.comparedSpans} spans; the others are left out.`,
    }),
  }),
  errors: ['query-too-large'],
})

export const requestCalls = { listRequests, getRequest, listRequestBreakdown, listRequestSpans }
