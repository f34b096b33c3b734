// The live tail: the newest events of an environment, as they are accepted, over server-sent events.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Nullable, Strict } from './parameters.ts'

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String()

export const LiveEvent = Type.Object({
  id: Text,
  kind: Text,
  at: Type.String({ description: 'By the clock of the server.' }),
  receivedAt: Text,
  session: Nullable(Text),
  view: Nullable(Text),
  traceId: Text,
  userKey: Text,
  anonymousId: Text,
  source: Text,
  origin: Type.String({ description: '`browser` or `server`.' }),
  service: Text,
  version: Text,
  page: Text,
  url: Text,
  referrer: Text,
  country: Text,
  connection: Text,
  browser: Text,
  browserVersion: Text,
  os: Text,
  device: Text,
  bot: Type.Boolean(),
  hasReplay: Type.Boolean(),
  name: Text,
  value: Type.Number(),
  duration: Type.Number(),
  target: Text,
  frustration: Type.Array(Text),
  resourceType: Text,
  method: Text,
  host: Text,
  endpoint: Text,
  status: Type.Integer(),
  failed: Type.Boolean(),
  size: Type.Number({ description: 'Bytes of the body as it travelled.' }),
  issue: Type.String({ description: 'Id of the error issue; 0 for other events.' }),
  errorType: Text,
  errorMessage: Text,
  errorStack: Text,
  handled: Type.Boolean(),
  blocking: Type.Number(),
  flags: Type.Array(Text, { description: '`flag=variation` for every flag exposed so far.' }),
  arms: Type.Array(Type.Object({ split: Text, epoch: Count, arm: Text }), {
    description: 'Set if a split decided: its id in experiments.',
  }),
  attributes: Type.Record(Text, Text),
  cut: Type.Boolean({ description: 'The event is too large for the tail: long texts are truncated.' }),
})
export type LiveEvent = Static<typeof LiveEvent>

/** The data of one server-sent event; `type` is also the event's name. */
export const LiveMessage = Type.Union([
  Type.Object({
    type: Type.Literal('events'),
    /** Oldest first. */
    events: Type.Array(LiveEvent),
    earlier: Type.Boolean({ description: 'Stored before the stream opened.' }),
  }),
  Type.Object({
    type: Type.Literal('pace'),
    arrived: Type.Integer({
      minimum: 0,
      description: 'In the last second: matching events, and events not checked.',
    }),
    dropped: Type.Integer({ minimum: 0, description: 'Of these, the events left out.' }),
    store: Type.Enum(['available', 'away'], {
      description: 'While the store is unavailable, events shown are on disk but not yet in the tables.',
    }),
  }),
])
export type LiveMessage = Static<typeof LiveMessage>

export const tailEvents = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/live',
  summary: 'Follow the events of an environment as they are accepted.',
  permission: 'project.view',
  query: Strict({
    filter: Type.Optional(
      Type.String({
        maxLength: limits.filterLength,
        description: 'In the filter language, event fields only. Bots are included.',
      }),
    ),
  }),
  reply: LiveMessage,
  stream: true,
  errors: ['too-many-streams'],
})

export const liveCalls = { tailEvents }
