// What arrived: the newest events as they are stored, and what was dropped and why.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { eventKinds } from './events.ts'
import { Id, Instant, Nullable, Page, pageQuery, Strict, TargetingKey } from './parameters.ts'

const Count = Type.Integer({ minimum: 0 })

export const StoredEvent = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  at: Type.String({ description: 'By the clock of the server.' }),
  receivedAt: Type.String(),
  session: Nullable(Type.String()),
  view: Nullable(Type.String()),
  userKey: Type.String(),
  anonymousId: Type.String(),
  service: Type.String(),
  version: Type.String(),
  page: Type.String(),
  url: Type.String(),
  country: Type.String(),
  browser: Type.String(),
  browserVersion: Type.String(),
  os: Type.String(),
  device: Type.String(),
  bot: Type.Boolean(),
  name: Type.String(),
  value: Type.Number(),
  duration: Type.Number(),
  target: Type.String(),
  endpoint: Type.String(),
  status: Type.Integer(),
  failed: Type.Boolean(),
  errorType: Type.String(),
  errorMessage: Type.String(),
  flags: Type.Array(Type.String(), { description: '`flag=variation` for every flag read until then.' }),
  attributes: Type.Record(Type.String(), Type.String()),
})

export const listEvents = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/events',
  summary: 'List the events of an environment, the newest first.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    kind: Type.Optional(Type.Enum(eventKinds.filter((kind) => kind !== 'view_state'))),
    session: Type.Optional(Id),
    user: Type.Optional(TargetingKey),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
  }),
  reply: Page(StoredEvent),
  errors: ['query-too-large'],
})

export const listOutcomes = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/intake/outcomes',
  summary: 'Show what became of the events that arrived, by hour: accepted, or dropped and why.',
  permission: 'project.view',
  query: Strict({ from: Type.Optional(Instant), to: Type.Optional(Instant) }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    outcomes: Type.Array(
      Type.Object({
        hour: Instant,
        kind: Type.String({ description: 'Of the event, as far as it is known.' }),
        source: Type.String(),
        reason: Type.String({ description: '`accepted`, `repeated`, or why it was dropped.' }),
        count: Count,
      }),
      { description: `The newest first, at most ${limits.telemetryReadRows}.` },
    ),
  }),
  errors: ['query-too-large'],
})

export const intakeCalls = { listEvents, listOutcomes }
