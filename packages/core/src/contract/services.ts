// The services that report by OpenTelemetry: how much they serve, how often they fail, and which flags they evaluate.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count, period, periodQuery, Share } from './measured.ts'
import { Instant, Nullable, Strict } from './parameters.ts'

const Duration = Nullable(
  Type.Number({ description: `Milliseconds; null with fewer than ${limits.percentileMinimum} requests.` }),
)

export const listServices = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/services',
  summary: 'List the services of an environment: rate, errors, duration, and the flags they evaluate.',
  permission: 'project.view',
  query: Strict(periodQuery),
  reply: Type.Object({
    ...period,
    services: Type.Array(
      Type.Object({
        service: Type.String(),
        versions: Type.Array(Type.String(), { description: 'At most 20.' }),
        language: Type.String({ description: 'Of its SDK, as reported.' }),
        requests: Type.Integer({
          minimum: 0,
          description: 'Spans that began in the service: of kind server or consumer, or without a parent.',
        }),
        perMinute: Type.Number({ minimum: 0 }),
        failed: Count,
        failedShare: Nullable(Share),
        p50: Duration,
        p95: Duration,
        spans: Count,
        lastSeenAt: Instant,
        flags: Type.Array(
          Type.Object({
            flag: Type.String(),
            variations: Type.Array(Type.String(), { description: 'At most 20.' }),
          }),
          { description: 'At most 50.' },
        ),
      }),
      { description: 'Most requests first.' },
    ),
    more: Type.Boolean({ description: 'There are more services than are listed.' }),
  }),
  errors: ['query-too-large'],
})

export const serviceCalls = { listServices }
