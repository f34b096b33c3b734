// What arrived: the newest events as stored, and the dropped ones with reasons.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { eventKinds } from './events.ts'
import {
  Id,
  Instant,
  InstantParameter,
  Nullable,
  Page,
  pageQuery,
  Strict,
  TargetingKey,
} from './parameters.ts'

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
  flags: Type.Array(Type.String(), { description: '`flag=variation` for every flag exposed so far.' }),
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
    from: Type.Optional(InstantParameter),
    to: Type.Optional(InstantParameter),
  }),
  reply: Page(StoredEvent),
  errors: ['query-too-large'],
})

export const listOutcomes = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/intake/outcomes',
  summary: 'Show received events by hour: accepted, or dropped with the reason.',
  permission: 'project.view',
  query: Strict({ from: Type.Optional(InstantParameter), to: Type.Optional(InstantParameter) }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    outcomes: Type.Array(
      Type.Object({
        hour: Instant,
        kind: Type.String({ description: 'Of the event, if known.' }),
        source: Type.String(),
        reason: Type.String({ description: '`accepted`, `repeated`, or why it was dropped.' }),
        count: Count,
      }),
      { description: `The newest first, at most ${limits.telemetryReadRows}.` },
    ),
    quarantined: Type.Integer({ minimum: 0, description: 'Rows in quarantine now.' }),
  }),
  errors: ['query-too-large'],
})

const Group = Type.String({ pattern: '^[0-9a-f]{16}$', description: 'Rows with the same table and reason.' })
const Groups = Strict({
  groups: Type.Array(Group, { minItems: 1, maxItems: limits.quarantineGroups, uniqueItems: true }),
})

export const listQuarantine = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/intake/quarantine',
  summary:
    'Show rows that the telemetry store rejected, by table and reason. Each server has its own quarantine.',
  permission: 'project.view',
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Group,
        table: Type.String(),
        code: Type.Integer({ description: 'Of the store.' }),
        reason: Type.String({ description: 'Message of the store for the first of them.' }),
        count: Count,
        since: Instant,
        sample: Type.Record(Type.String(), Type.String(), {
          description: 'Columns of the first of them, without empty ones.',
        }),
      }),
      { description: `The most frequent first, at most ${limits.quarantineGroups}.` },
    ),
    complete: Type.Boolean({ description: 'False if there are more rows than one read returns.' }),
  }),
})

export const retryQuarantine = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/intake/quarantine/retry',
  summary: 'Retry rows of the quarantine. Rows rejected again stay.',
  permission: 'environments.manage',
  body: Groups,
  reply: Type.Object({ stored: Count, left: Count }),
})

export const discardQuarantine = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/intake/quarantine/discard',
  summary: 'Permanently delete rows of the quarantine.',
  permission: 'environments.manage',
  body: Groups,
  reply: Type.Object({ discarded: Count }),
})

export const intakeCalls = { listEvents, listOutcomes, listQuarantine, retryQuarantine, discardQuarantine }
