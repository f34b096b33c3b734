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
  userKey: Text,
  anonymousId: Text,
  source: Text,
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
  issue: Type.String({ description: 'The id of the error issue; 0 for what is no error.' }),
  errorType: Text,
  errorMessage: Text,
  errorStack: Text,
  handled: Type.Boolean(),
  blocking: Type.Number(),
  flags: Type.Array(Text, { description: '`flag=variation` for every flag read until then.' }),
  arms: Type.Array(Type.Object({ split: Text, epoch: Count, arm: Text }), {
    description: 'Where a split decided: what it counts as in an experiment.',
  }),
  attributes: Type.Record(Text, Text),
  cut: Type.Boolean({ description: 'It is larger than an event of the tail may be: long texts end early.' }),
})
export type LiveEvent = Static<typeof LiveEvent>

/** The data of one server-sent event; `type` is its name too. */
export const LiveMessage = Type.Union([
  Type.Object({
    type: Type.Literal('events'),
    /** The oldest first. */
    events: Type.Array(LiveEvent),
    earlier: Type.Boolean({ description: 'They were stored before the stream was opened.' }),
  }),
  Type.Object({
    type: Type.Literal('pace'),
    arrived: Type.Integer({
      minimum: 0,
      description: 'In the last second: what matches, and what nobody had the time to look at.',
    }),
    dropped: Type.Integer({ minimum: 0, description: 'How many of these are left out.' }),
    store: Type.Enum(['available', 'away'], {
      description: 'While it is away, what is shown is on disk and not in the tables yet.',
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
        description: 'In the filter language; nothing that is said of a whole session. Bots are shown too.',
      }),
    ),
  }),
  reply: LiveMessage,
  stream: true,
  errors: ['too-many-streams'],
})

export const liveCalls = { tailEvents }
