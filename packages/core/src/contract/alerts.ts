// Alerts: a telemetry measure with a threshold, or event-based notifications. Periods past the threshold are kept as
// incidents.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { noticeEvents } from '../notices/notice.ts'
import { exploreMeasures, numericFields } from '../query/filter-fields.ts'
import { call } from './call.ts'
import { ChannelSummary } from './channels.ts'
import { ExploreKind } from './explore.ts'
import { Filter } from './measured.ts'
import { Id, Instant, Key, Name, Nothing, Nullable, Page, pageQuery, Strict, Version } from './parameters.ts'

const minute = 60_000

export const alertWindows = ['1m', '5m', '15m', '1h', '3h', '6h', '1d'] as const
export const alertEvents = noticeEvents.filter((event) => !/^(alert|channel|audit)\./.test(event))

const Is = Type.Enum(['above', 'below'])
const Finite = Type.Number({ minimum: -1e15, maximum: 1e15 })
const Condition = Type.Union([
  Strict({ kind: Type.Literal('threshold'), is: Is, value: Finite }),
  Strict({
    kind: Type.Literal('change'),
    is: Is,
    by: Type.Number({ exclusiveMinimum: 0, maximum: 1_000, description: 'A share: 0.5 is "by 50 %".' }),
    against: Type.Enum(['previous', 'week'], {
      description: 'The window before, or the same one a week ago.',
    }),
  }),
])

export const MeasureRule = Strict({
  kind: Type.Literal('measure'),
  query: Strict({
    kind: Type.Optional(ExploreKind),
    measure: Type.Enum([...exploreMeasures]),
    field: Type.Optional(Type.Enum([...numericFields])),
    part: Type.Optional(Filter),
    filter: Type.Optional(Filter),
  }),
  window: Type.Enum([...alertWindows]),
  condition: Condition,
  minEvents: Type.Integer({
    minimum: 0,
    maximum: 1e9,
    description:
      'Minimum events in the window; with fewer there is no data. For a change, the larger of both windows counts.',
  }),
  forMinutes: Type.Integer({
    minimum: 0,
    maximum: limits.alertForMaximum / minute,
    description: 'How long the condition must hold before the alert fires.',
  }),
  whenNoData: Type.Enum(['tell', 'quiet'], {
    description: 'Whether to notify when there is no data.',
  }),
})
export type MeasureRule = Static<typeof MeasureRule>

const EventsRule = Strict({
  kind: Type.Literal('events'),
  events: Type.Array(Type.Enum(alertEvents), {
    minItems: 1,
    maxItems: alertEvents.length,
    uniqueItems: true,
  }),
})
export const AlertRule = Type.Union([MeasureRule, EventsRule])
export type AlertRule = Static<typeof AlertRule>

const Seen = Type.Object({
  at: Instant,
  value: Nullable(Type.Number()),
  before: Nullable(Type.Number({ description: 'For a change: the baseline.' })),
  change: Nullable(Type.Number({ description: 'As a share. Null without a previous value.' })),
  events: Type.Number(),
  why: Nullable(Type.String({ description: 'Why there is no data.' })),
})

export const Alert = Type.Object({
  id: Id,
  name: Type.String(),
  env: Key,
  rule: AlertRule,
  channels: Type.Array(ChannelSummary),
  state: Type.Enum(['ok', 'firing', 'no-data'], {
    description: 'An event-based rule is always ok: each event is a separate incident.',
  }),
  since: Instant,
  seen: Nullable(Seen),
  mutedUntil: Nullable(Instant),
  lastIncidentAt: Nullable(Instant),
  createdBy: Type.String(),
  version: Version,
  createdAt: Instant,
})
export type Alert = Static<typeof Alert>

export const Incident = Type.Object({
  id: Id,
  startedAt: Instant,
  endedAt: Nullable(Instant),
  ending: Nullable(
    Type.Enum(['recovered', 'changed', 'event'], {
      description: '`changed`: the rule was changed. `event`: a single event.',
    }),
  ),
  value: Nullable(Type.Number()),
  change: Nullable(Type.Number()),
  worst: Nullable(Type.Number()),
  summary: Type.String(),
  path: Nullable(Type.String({ description: 'Where the console shows the event.' })),
  isMuted: Type.Boolean(),
})

const Past = Type.Object({
  from: Instant,
  to: Instant,
  window: Type.Enum([...alertWindows]),
  points: Type.Array(
    Type.Object({
      at: Instant,
      value: Nullable(Type.Number()),
      events: Type.Number(),
      change: Nullable(Type.Number()),
      reading: Type.Enum(['past', 'within', 'missing']),
    }),
    { description: 'Consecutive windows; a running alert is evaluated every minute.' },
  ),
  firings: Type.Array(Type.Object({ from: Instant, to: Nullable(Instant) })),
})

const list = '/api/v1/projects/:project/alerts' as const
const one = '/api/v1/projects/:project/alerts/:alert' as const
const Channels = Type.Array(Id, { maxItems: limits.alertChannels, uniqueItems: true })

export const listAlerts = call({
  method: 'GET',
  path: list,
  summary: 'List the alerts of a project: firing first, then without data, then the others by name.',
  permission: 'project.view',
  query: Strict({ env: Type.Optional(Key) }),
  reply: Type.Object({ items: Type.Array(Alert) }),
})

export const createAlert = call({
  method: 'POST',
  path: list,
  summary: 'Create an alert.',
  permission: 'alerts.change',
  idempotent: true,
  versioned: true,
  status: 201,
  environmentInBody: true,
  body: Strict({ name: Name, env: Key, rule: AlertRule, channels: Channels }),
  reply: Alert,
  errors: ['already-exists', 'in-use'],
})

export const getAlert = call({
  method: 'GET',
  path: one,
  summary: 'Show an alert.',
  permission: 'project.view',
  versioned: true,
  reply: Alert,
})

export const updateAlert = call({
  method: 'PATCH',
  path: one,
  summary: 'Change an alert; omitted members stay unchanged. A new rule ends the open incident.',
  permission: 'alerts.change',
  versioned: true,
  environmentInBody: true,
  body: Strict({
    name: Type.Optional(Name),
    env: Type.Optional(Key),
    rule: Type.Optional(AlertRule),
    channels: Type.Optional(Channels),
  }),
  reply: Alert,
  errors: ['already-exists'],
})

export const deleteAlert = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete an alert with its incidents.',
  permission: 'alerts.change',
  status: 204,
  reply: Nothing,
})

export const muteAlert = call({
  method: 'POST',
  path: `${one}/mute`,
  summary:
    'Mute an alert until an instant, or unmute it. Incidents are still recorded; one that is still open then sends a notification.',
  permission: 'alerts.change',
  body: Strict({ until: Nullable(Instant) }),
  reply: Alert,
})

export const testAlert = call({
  method: 'POST',
  path: `${one}/test`,
  summary: 'Send a test to every channel of an alert.',
  permission: 'alerts.change',
  reply: Type.Object({ channels: Type.Integer() }),
  errors: ['wrong-state'],
})

export const listIncidents = call({
  method: 'GET',
  path: `${one}/incidents`,
  summary: 'List the incidents of an alert, newest first.',
  permission: 'project.view',
  query: Strict(pageQuery),
  reply: Page(Incident),
})

export const getAlertHistory = call({
  method: 'GET',
  path: `${one}/history`,
  summary: 'Evaluate the alert on the last days and list when it would have fired.',
  permission: 'project.view',
  reply: Past,
  errors: ['query-too-large', 'wrong-state'],
})

export const previewAlert = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/alerts/preview',
  summary: 'Evaluate an alert on the last days and list when it would have fired. Saves nothing.',
  permission: 'project.view',
  body: Strict({ rule: MeasureRule }),
  reply: Past,
  errors: ['query-too-large'],
})

export const alertCalls = {
  listAlerts,
  createAlert,
  getAlert,
  updateAlert,
  deleteAlert,
  muteAlert,
  testAlert,
  listIncidents,
  getAlertHistory,
  previewAlert,
}
