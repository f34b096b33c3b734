// Alerts: a measure of telemetry that is watched against what is accepted, or events that somebody wants to hear of. What was
// past the threshold, since when and until when, stays as incidents.

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
export const alertEvents = noticeEvents.filter((event) => !/^(alert|channel)\./.test(event))

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
      'With fewer events in the window there is nothing to judge by. Of a change, the larger of both windows.',
  }),
  forMinutes: Type.Integer({
    minimum: 0,
    maximum: limits.alertForMaximum / minute,
    description: 'So long every look has to be past it before it fires.',
  }),
  whenNoData: Type.Enum(['tell', 'quiet'], {
    description: 'Whether anybody is told when there is nothing to judge by.',
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
  before: Nullable(Type.Number({ description: 'Of a change: what it is compared with.' })),
  change: Nullable(Type.Number({ description: 'As a share. Null where nothing was there before.' })),
  events: Type.Number(),
  why: Nullable(Type.String({ description: 'Why there is nothing to judge by.' })),
})

export const Alert = Type.Object({
  id: Id,
  name: Type.String(),
  env: Key,
  rule: AlertRule,
  channels: Type.Array(ChannelSummary),
  state: Type.Enum(['ok', 'firing', 'no-data'], {
    description: 'A rule about events is always ok: each of them is an incident of its own.',
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
      description: '`changed`: somebody changed the rule. `event`: it was one moment.',
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
    { description: 'Window after window: what really runs looks every minute.' },
  ),
  firings: Type.Array(Type.Object({ from: Instant, to: Nullable(Instant) })),
})

const list = '/api/v1/projects/:project/alerts' as const
const one = '/api/v1/projects/:project/alerts/:alert' as const
const Channels = Type.Array(Id, { maxItems: limits.alertChannels, uniqueItems: true })

export const listAlerts = call({
  method: 'GET',
  path: list,
  summary: 'List the alerts of a project: those that fire, those without data, then the others by name.',
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
  summary: 'Change an alert; what is left out stays. Another rule ends an incident that goes on.',
  permission: 'alerts.change',
  versioned: true,
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
    'Tell nobody of an alert until an instant, or tell again. Incidents are noted all the same; one that still goes on then is told.',
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
  summary: 'Measure the last days as an alert does, with when it would have fired as it is now.',
  permission: 'project.view',
  reply: Past,
  errors: ['query-too-large', 'wrong-state'],
})

export const previewAlert = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/alerts/preview',
  summary: 'Measure the last days as an alert would, with when it would have fired. Nothing is saved.',
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
