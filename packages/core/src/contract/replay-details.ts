// Console messages and details of requests in the replay of a session, and all its requests as an HTTP archive.

import { type Static, Type } from 'typebox'
import { bodyStates, consoleLevels, requestKinds } from '../telemetry/replay/codes.ts'
import { call } from './call.ts'
import { Id, Instant, Nullable, Strict } from './parameters.ts'

const Count = Type.Integer({ minimum: 0 })

const RecordedMessage = Type.Object({
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'Those that a request rule allows.',
  }),
  body: Type.Object({
    state: Type.Enum([...bodyStates], {
      description:
        '`text`: the fields that a request rule allows; `cut`: their beginning. Otherwise there is no text: no body, none of it is allowed, too large, binary, or it could not be read.',
    }),
    size: Type.Integer({ minimum: 0, description: 'Of the whole body; 0: unknown.' }),
    mime: Type.String(),
    text: Type.String(),
  }),
})

export const ReplayDetail = Type.Object({
  kind: Type.Enum(['console', 'request', 'left-out']),
  tab: Id,
  at: Instant,
  message: Nullable(
    Type.Object({
      level: Type.Enum([...consoleLevels]),
      text: Type.String(),
      args: Type.Array(Type.String(), {
        description: 'Where the text does not show them whole: JSON where they are objects.',
      }),
    }),
  ),
  request: Nullable(
    Type.Object({
      kind: Type.Enum([...requestKinds]),
      method: Type.String(),
      url: Type.String({ description: 'Without query values.' }),
      status: Type.Integer({ minimum: 0, description: '0: no response.' }),
      startedAt: Instant,
      duration: Count,
      request: RecordedMessage,
      response: RecordedMessage,
    }),
  ),
  left: Nullable(
    Type.Object(
      { of: Type.Enum(['console', 'requests']), count: Count },
      { description: 'Left out before this moment: the page had too many at once.' },
    ),
  ),
})
export type ReplayDetail = Static<typeof ReplayDetail>

const path = '/api/v1/projects/:project/environments/:env/sessions/:session'

export const listReplayDetails = call({
  method: 'GET',
  path: `${path}/replay/details`,
  summary: 'List console messages and details of requests in the recording of a session, in parts.',
  permission: 'replays.view',
  query: Strict({
    from: Type.Optional(Type.Integer({ minimum: 0, description: 'The `next` of the part before.' })),
  }),
  reply: Type.Object({
    items: Type.Array(ReplayDetail, { description: 'In order of time, within a part.' }),
    next: Nullable(Type.Integer({ minimum: 0 })),
  }),
  errors: ['query-too-large'],
})

export const exportHar = call({
  method: 'GET',
  path: `${path}/har`,
  summary:
    'Export the requests of a session as an HTTP archive (HAR 1.2), with the headers and bodies that its replay contains.',
  permission: 'replays.view',
  download: 'application/json',
  reply: Type.Object({ log: Type.Unknown() }, { description: 'A HAR 1.2 document.' }),
  errors: ['query-too-large'],
})

export const writeReplayTest = call({
  method: 'GET',
  path: `${path}/test`,
  summary:
    'Write a Playwright test from the recording of a session: it pins the variations, repeats the steps and asserts what failed.',
  permission: 'replays.view',
  download: 'text/plain',
  reply: Type.String({ description: 'A test file in TypeScript.' }),
  errors: ['query-too-large'],
})

export const replayDetailCalls = { listReplayDetails, exportHar, writeReplayTest }
