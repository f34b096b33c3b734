// The replay of a session: its recorded parts by tab with their gaps, its segments in the player's format, and what
// the team keeps and notes.
//
// A player requests the index first, then segments by tab and index during playback. Segments are lines of JSON: one
// line `{"segment":{…}}` before the operations of each (`ReplayOperation` in core/telemetry/replay/operations.ts),
// whichever client recorded them. They refer to assets in two ways: `/*telltale:<hash>*/` stands in place of the text
// of a style sheet, and the note `assets` maps the addresses of fonts and style sheets to their hashes. Both are
// fetched by hash.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count, period, periodQuery } from './measured.ts'
import { Id, Instant, Nothing, Nullable, Strict } from './parameters.ts'
import { replayDetailCalls } from './replay-details.ts'

export const ReplaySegment = Type.Object({
  index: Count,
  view: Nullable(Id),
  startedAt: Instant,
  endedAt: Instant,
  records: Count,
  full: Type.Boolean({ description: 'Playback can start here.' }),
  bytes: Type.Integer({ minimum: 0, description: 'As it is stored.' }),
  assets: Type.Array(Id),
})

export const ReplayGap = Type.Object({
  /** From the end of the previous recorded part to the start of the next. */
  from: Instant,
  to: Instant,
  /** Segments that never arrived. */
  missing: Count,
  why: Type.Enum(['missing', 'no-beginning'], {
    description: '`missing`: segments never arrived. `no-beginning`: no full snapshot comes before them.',
  }),
})

export const ReplayTab = Type.Object({
  id: Id,
  startedAt: Instant,
  endedAt: Instant,
  bytes: Count,
  segments: Type.Array(ReplaySegment, { description: 'In order.' }),
  gaps: Type.Array(ReplayGap, { description: 'In order.' }),
})

export const ReplayNote = Type.Object({
  id: Id,
  at: Instant,
  text: Type.String(),
  author: Type.String(),
  createdAt: Instant,
})

const Kept = Type.Object({ at: Instant, by: Type.String(), reason: Type.String() })
const NoteText = Type.String({ minLength: 1, maxLength: limits.descriptionLength, pattern: '\\S' })
const path = '/api/v1/projects/:project/environments/:env/sessions/:session/replay'

export const getReplay = call({
  method: 'GET',
  path,
  summary: 'Show the recording of a session: tabs, segments, gaps, notes, and whether it is kept.',
  permission: 'replays.view',
  reply: Type.Object({
    session: Id,
    startedAt: Instant,
    endedAt: Instant,
    running: Type.Boolean({ description: 'May still grow.' }),
    bytes: Count,
    tabs: Type.Array(ReplayTab, { description: 'By start time.' }),
    complete: Type.Boolean({ description: `False with more than ${limits.replaySegmentsListed} segments.` }),
    kept: Nullable(Kept),
    expiresAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When its first part is deleted; null while it is kept.',
      }),
    ),
    notes: Type.Array(ReplayNote, { description: 'By their moment.' }),
  }),
  errors: ['query-too-large'],
})

export const readReplaySegments = call({
  method: 'GET',
  path: `${path}/segments`,
  summary: 'Read segments of one tab as JSON lines, up to the size of one response.',
  permission: 'replays.view',
  query: Strict({
    tab: Id,
    from: Type.Integer({ minimum: 0, description: 'The index of the first one.' }),
    to: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `The index of the last one. An answer has at most ${limits.replaySegmentsRead} segments: the last line says where the next one begins.`,
      }),
    ),
  }),
  download: 'application/x-ndjson',
  reply: Type.Object(
    { segment: Type.Optional(Type.Unknown()), next: Type.Optional(Type.Unknown()) },
    {
      description:
        'For each segment, one line `{"segment":{"index","startedAt","endedAt","records","full","broken"}}` before its operations, one per line, and at the end `{"next":index or null}`. A segment that cannot be read to its end is `broken` and has the operations before the fault.',
    },
  ),
  errors: ['query-too-large'],
})

export const getReplayAsset = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/replay-assets/:asset',
  summary: 'Read a style sheet or font of replays by its hash.',
  permission: 'replays.view',
  download: '*/*',
  reply: Type.String({ description: 'The bytes with their content type. Immutable.' }),
  errors: ['query-too-large'],
})

export const keepReplay = call({
  method: 'PUT',
  path: `${path}/keep`,
  summary: 'Keep a replay past its retention, including later segments.',
  permission: 'replays.keep',
  body: Strict({ reason: Type.Optional(Type.String({ maxLength: limits.descriptionLength })) }),
  reply: Kept,
})

export const releaseReplay = call({
  method: 'DELETE',
  path: `${path}/keep`,
  summary: 'Stop keeping a replay past its retention.',
  permission: 'replays.keep',
  status: 204,
  reply: Nothing,
})

export const addReplayNote = call({
  method: 'POST',
  path: `${path}/notes`,
  summary: 'Add a note at a moment of a replay.',
  permission: 'replays.keep',
  idempotent: true,
  status: 201,
  body: Strict({ at: Instant, text: NoteText }),
  reply: ReplayNote,
  errors: ['in-use'],
})

export const deleteReplayNote = call({
  method: 'DELETE',
  path: `${path}/notes/:note`,
  summary: 'Delete a note.',
  permission: 'replays.keep',
  status: 204,
  reply: Nothing,
})

export const momentKinds = ['any', 'error', 'frustration', 'slow', 'request', 'exposure'] as const
export type MomentKind = (typeof momentKinds)[number]

const ReplayMoment = Type.Object({
  session: Id,
  /** The tab of the event; null if the client does not distinguish tabs. */
  tab: Nullable(Id),
  at: Instant,
  offset: Type.Integer({
    minimum: 0,
    description:
      'Milliseconds from the start of the session to the suggested playback position: the moment itself, or the start of a slow load.',
  }),
  covered: Type.Boolean({ description: 'The recording covers this moment.' }),
  replay: Type.Object({
    startedAt: Instant,
    length: Type.Number({ minimum: 0 }),
    kept: Type.Boolean(),
  }),
  event: Type.Object(
    {
      id: Id,
      kind: Type.String(),
      page: Type.String(),
      url: Type.String(),
      name: Type.String(),
      value: Type.Number(),
      duration: Type.Number(),
      target: Type.String(),
      frustration: Type.Array(Type.String()),
      method: Type.String(),
      host: Type.String(),
      endpoint: Type.String(),
      status: Type.Integer(),
      failed: Type.Boolean(),
      errorType: Type.String(),
      errorMessage: Type.String(),
      blocking: Type.Number(),
      flags: Type.Array(Type.String()),
    },
    { description: 'Why it is listed.' },
  ),
  userKey: Type.String({ description: 'Empty for anonymous users.' }),
  anonymousId: Type.String(),
  browser: Type.String(),
  os: Type.String(),
  device: Type.String(),
  country: Type.String(),
})

export const listReplayMoments = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/replays/moments',
  summary:
    'List moments with a recording that match a filter, one per session: covered by the recording first, then worst, then newest.',
  permission: 'replays.view',
  query: Strict({
    ...periodQuery,
    of: Type.Optional(
      Type.Enum([...momentKinds], {
        description:
          '`error`; `frustration`: rage clicks, dead clicks and error clicks; `slow`: vitals that are not good; `request`: failed first, then slowest; `exposure`: first exposure to a flag; default: `any` event.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.replayMoments, description: 'Default: 3.' }),
    ),
  }),
  reply: Type.Object({
    ...period,
    items: Type.Array(ReplayMoment),
    total: Type.Integer({ minimum: 0, description: 'Recorded sessions with such a moment.' }),
  }),
  errors: ['query-too-large'],
})

export const replayCalls = {
  getReplay,
  readReplaySegments,
  getReplayAsset,
  listReplayMoments,
  keepReplay,
  releaseReplay,
  addReplayNote,
  deleteReplayNote,
  ...replayDetailCalls,
}
export type ReplaySegment = Static<typeof ReplaySegment>
