// What a browser sends to /intake/v1/events: lines of JSON, in any order as long as a context precedes the events
// that refer to it.
//
//   POST /intake/v1/events?key=<client key>&batch=<UUIDv7, kept across retries>&sent=<client's clock, ms since 1970>
//   {"kind":"context","index":0,"session":"…","anonymousId":"…","page":"/cart/:id","reads":[{"flag":"checkout","variation":"on"}]}
//   {"kind":"view","id":"…","at":1790000000000,"context":0}
//
// Everything is in the query string, because a beacon cannot set headers, and precedes the body, because a browser
// compresses the lines while it streams them. Unknown members are ignored and never stored; text that is too long is
// truncated, not refused.
//
// With `&backfill=1` and an owner's API token as `Authorization: Bearer`, the batch is history: events may be 400
// days old, and `&country=DE` sets their country. Everything else is the same.
//
// What is sent with a server key is about a server, whatever its user agent: it has no browser, device, country or
// session (the id is all zeros), is not sampled, and is stored with the origin `server`. Its user is `userKey`.
//
// 202 returns an `IntakeReceipt`. `sent` is read from the clock at each attempt, because it corrects the times of the
// batch; without it they are used unchanged. 429 and 503 have `Retry-After`: the same batch may be sent again under
// its id. 503 `spool-full` names the `lanes` it refuses: while `essential` is not among them, a batch of only errors,
// exposures, views, view states and vitals is still accepted (under a separate id). Do not retry 400, 401, 403, 413
// and 415: the same batch is refused again.

import { type Static, type TProperties, Type } from 'typebox'
import { limits } from '../limits.ts'

export const eventKinds = [
  'view',
  'view_state',
  'vital',
  'action',
  'resource',
  'error',
  'long_frame',
  'custom',
  'exposure',
] as const
export type EventKind = (typeof eventKinds)[number]

/** Why an event is not stored; each reason is counted and shown to the team. */
export const dropReasons = {
  malformed: 'The line is not a JSON object.',
  unknown_kind: 'The kind is unknown to this server.',
  invalid: 'A member is missing or has an invalid value.',
  too_large: 'The event is too large.',
  too_deep: 'The event is nested too deeply.',
  too_many: 'The batch has too many events.',
  unknown_context: 'The batch has no valid context of this index before the event.',
  timestamp_out_of_range: 'Older than 48 h or more than 10 min ahead, after the clock was corrected.',
  sampled_out:
    'The environment samples fewer sessions than this client (by the sample position of the session id).',
  over_quota: 'Daily data quota exceeded.',
  paused_by_quota: 'A quota of the project is used up, so that replays and profiles are paused.',
  sampled_by_quota: 'A quota of the project is used up, so that only some sessions are stored.',
  sampled_in_spike: 'Far more events than usual, so that only some sessions are stored.',
  rate_limited: 'More requests than the limit a minute.',
  session_full: 'The session has reached its limit of replay bytes.',
  erased_person: 'The user was erased.',
  repeated_event: 'An event with this id was received in the last 48 h.',
  client_telemetry: 'About the client itself, not the application.',
  discarded: 'The client marked it as not counted.',
  own_request: 'A request of the client itself, not of the application.',
  base_missing: 'An update of a view without its first event, or out of order.',
  reported_twice: 'The client reported the same thing in another way, too.',
  unsupported_recording: 'A recording in a format that the player does not support.',
  engine_refused: 'The store rejected the row; it is in quarantine and can be retried.',
} as const
export type DropReason = keyof typeof dropReasons

export const vitalNames = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const
export const frustrations = ['rage', 'dead', 'error'] as const
export const errorSources = ['uncaught', 'rejection', 'console', 'reported', 'react'] as const
export const viewBeginnings = ['load', 'route', 'soft', 'bfcache', 'prerender'] as const
export const viewEnds = ['hidden', 'route', 'unload', 'session'] as const

const Text = Type.String()
const Id = Type.String({ format: 'uuid' })
const Span = Type.Number({ minimum: 0, description: 'Milliseconds.' })
const Count = Type.Integer({ minimum: 0 })
const ClientTime = Type.Number({
  minimum: 0,
  description: 'Milliseconds since 1970 by the clock of the client.',
})
const Attributes = Type.Record(Text, Type.Union([Text, Type.Number(), Type.Boolean(), Type.Null()]))
const ContextIndex = Type.Integer({ minimum: 0, maximum: limits.contextsPerBatch - 1 })

/** A variation that the application evaluated, with the arm if a split assigned it. */
export const FlagRead = Type.Object({
  flag: Text,
  variation: Text,
  split: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,20}$', description: 'As in the metadata of the answer.' }),
  ),
  epoch: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })),
  by: Type.Optional(Type.String({ description: 'The attribute that the split buckets on.' })),
  unit: Type.Optional(Type.String({ description: 'Its value as text. The server stores only a hash.' })),
})
export type FlagRead = Static<typeof FlagRead>

/** Data shared by every event that refers to its index: one line each, sent once per batch. */
export const EventContext = Type.Object({
  kind: Type.Literal('context'),
  index: ContextIndex,
  session: Id,
  tab: Type.Optional(Id),
  view: Type.Optional(Id),
  anonymousId: Type.Optional(Text),
  userKey: Type.Optional(Type.String({ description: 'The targeting key that the application gave.' })),
  sessionUserKey: Type.Optional(
    Type.String({ description: 'The targeting key at the first event of the session.' }),
  ),
  signature: Type.Optional(
    Type.String({ description: 'Of `userKey`, made by the server of the application. Not stored.' }),
  ),
  sessionSignature: Type.Optional(Type.String({ description: 'Of `sessionUserKey`. Not stored.' })),
  page: Type.Optional(
    Type.String({ description: 'The route as a template; made from the URL when it is missing.' }),
  ),
  url: Type.Optional(Text),
  referrer: Type.Optional(Text),
  service: Type.Optional(Text),
  version: Type.Optional(Text),
  connection: Type.Optional(Text),
  weight: Type.Optional(Type.Number({ minimum: 1, description: '1 / sampling rate of the session.' })),
  hasReplay: Type.Optional(Type.Boolean()),
  inclusion: Type.Optional(
    Type.Object(
      {
        replay: Type.Number({ minimum: 0, maximum: 1 }),
        profile: Type.Number({ minimum: 0, maximum: 1 }),
      },
      {
        description:
          'The probabilities with which the session is recorded and profiled by sampling, as its orders say by now. Missing: the rates of the environment.',
      },
    ),
  ),
  attributes: Type.Optional(Attributes),
  reads: Type.Optional(Type.Array(FlagRead, { maxItems: limits.flagsPerProject })),
})
export type EventContext = Static<typeof EventContext>

/** Members of every event: its id, the client's time, and the index of its context. */
function Event<const Kind extends EventKind, const Properties extends TProperties>(
  kind: Kind,
  properties: Properties,
) {
  return Type.Object({
    kind: Type.Literal(kind),
    id: Id,
    at: ClientTime,
    context: ContextIndex,
    attributes: Type.Optional(Attributes),
    ...properties,
  })
}

const LongFrameScript = Type.Object({ source: Text, function: Text, ms: Span })

/**
 * One schema per kind. Events are written once and never updated, except `view_state` and `vital`, where the highest
 * `rev` of a view wins.
 */
export const eventSchemas = {
  view: Event('view', { name: Type.Optional(Type.Enum([...viewBeginnings])) }),
  view_state: Event('view_state', {
    rev: Count,
    startedAt: ClientTime,
    duration: Span,
    active: Type.Boolean(),
    exit: Type.Optional(Type.Enum([...viewEnds])),
    vitals: Type.Optional(
      Type.Partial(
        Type.Object({
          LCP: Span,
          INP: Span,
          CLS: Span,
          FCP: Span,
          TTFB: Span,
          hidden: Type.Number({
            minimum: 0,
            description: 'How long after its beginning a loaded page was first hidden. Not stored.',
          }),
        }),
      ),
    ),
    actions: Count,
    resources: Count,
    errors: Count,
    longFrames: Count,
    frustrations: Count,
  }),
  vital: Event('vital', {
    name: Type.Enum([...vitalNames]),
    value: Type.Number({ minimum: 0, description: 'Milliseconds; CLS has no unit.' }),
    target: Type.Optional(Type.String({ description: 'The element it is attributed to.' })),
    rev: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.vitalRevisionMaximum,
        description:
          'Incremented when a changed value of the view is sent again. The highest revision counts. Default: 0.',
      }),
    ),
  }),
  action: Event('action', {
    action: Type.Optional(Id),
    name: Text,
    target: Type.Optional(Text),
    frustration: Type.Optional(Type.Array(Type.Enum([...frustrations]), { maxItems: frustrations.length })),
    duration: Type.Optional(Span),
  }),
  resource: Event('resource', {
    type: Type.String({
      description:
        'fetch, xhr, document, script, css, img, font …; `server` for a request that a server answered',
    }),
    url: Text,
    method: Type.Optional(Text),
    status: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
    failed: Type.Optional(Type.Boolean()),
    size: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes of the body as it travelled.' })),
    duration: Span,
    action: Type.Optional(Id),
    traceId: Type.Optional(Text),
    endpoint: Type.Optional(
      Type.String({ description: 'The template; made from the URL when it is missing.' }),
    ),
  }),
  error: Event('error', {
    source: Type.Enum([...errorSources]),
    type: Type.Optional(Text),
    message: Text,
    stack: Type.Optional(Text),
    componentStack: Type.Optional(Text),
    fingerprint: Type.Optional(Type.String({ description: 'Custom grouping key, instead of the stack.' })),
    request: Type.Optional(
      Type.Union([Text, Type.Null()], {
        description:
          'Address of the request that failed, with or without its method: `GET https://api.example.com/orders/17`. Groups errors without a frame of the application.',
      }),
    ),
    handled: Type.Boolean(),
    action: Type.Optional(Id),
    traceId: Type.Optional(Text),
  }),
  long_frame: Event('long_frame', {
    duration: Span,
    blocking: Type.Optional(Span),
    scripts: Type.Optional(Type.Array(LongFrameScript, { maxItems: limits.scriptsPerLongFrame })),
  }),
  custom: Event('custom', { name: Text, value: Type.Optional(Type.Number()), duration: Type.Optional(Span) }),
  exposure: Event('exposure', {
    flag: Type.String({ description: 'One of the flags in `reads` of the context.' }),
    traceId: Type.Optional(Text),
  }),
} as const satisfies Record<EventKind, unknown>

/** Not read-only: the steps of the intake clean an event in place. */
export type EventOf<Kind extends EventKind> = {
  -readonly [Member in keyof Static<(typeof eventSchemas)[Kind]>]: Static<(typeof eventSchemas)[Kind]>[Member]
}
export type TelemetryEvent = { [Kind in EventKind]: EventOf<Kind> }[EventKind]

/** The response to a batch, with 202: every event that is not dropped is on disk. */
export const IntakeReceipt = Type.Object({
  accepted: Count,
  /** The batch was already received; none of it is stored again. */
  repeated: Type.Optional(Type.Boolean()),
  /** An edge has the batch on its disk and passes it on: what is dropped is known later. */
  relayed: Type.Optional(Type.Boolean()),
  dropped: Type.Array(Type.Object({ reason: Type.String(), count: Count })),
})
export type IntakeReceipt = Static<typeof IntakeReceipt>
