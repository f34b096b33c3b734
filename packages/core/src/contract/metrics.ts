// Metrics: what a variation is judged by. Those that every project has are read-only; own ones measure a custom event.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Instant, Key, Name, Nothing, Nullable, Strict, Version } from './parameters.ts'

const EventName = Type.String({
  minLength: 1,
  maxLength: limits.eventNameLength,
  pattern: '^[^\\u0000]*\\S[^\\u0000]*$',
  description: 'The name of a custom event, as the application sends it.',
})
const OwnAggregation = Type.Enum(['proportion', 'mean', 'count'], {
  description:
    'The share of units that ever sent the event, the mean of its values, or how many for each session.',
})
const Better = Type.Enum(['lower', 'higher'])
const Unit = Type.String({ maxLength: limits.unitLength, description: 'Behind the values, such as `€`.' })
const Cap = Type.Number({
  minimum: 1,
  maximum: limits.metricCap,
  description: 'Of a count: the most that one session adds.',
})
const DefaultLimit = Type.Number({
  exclusiveMinimum: 0,
  maximum: 0.99,
  description: 'What is accepted when nobody says: 0.05 is "no more than 5 % worse".',
})

export const Metric = Type.Object({
  key: Key,
  name: Type.String(),
  builtIn: Type.Boolean(),
  event: Nullable(Type.String({ description: 'The custom event; null where it is built in.' })),
  aggregation: Type.Enum(['quantile', 'mean', 'count', 'proportion']),
  quantile: Nullable(Type.Number()),
  cap: Nullable(Type.Number()),
  better: Better,
  unit: Type.String(),
  limit: Type.Number(),
  version: Version,
  createdAt: Nullable(Instant),
})

export const listMetrics = call({
  method: 'GET',
  path: '/api/v1/projects/:project/metrics',
  summary: 'List the metrics of a project: those that are built in, then its own by key.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(Metric) }),
})

export const createMetric = call({
  method: 'POST',
  path: '/api/v1/projects/:project/metrics',
  summary: 'Create a metric over a custom event.',
  permission: 'flags.change',
  idempotent: true,
  versioned: true,
  status: 201,
  body: Strict({
    key: Key,
    name: Name,
    event: EventName,
    aggregation: OwnAggregation,
    better: Better,
    unit: Type.Optional(Unit),
    cap: Type.Optional(Cap),
    limit: Type.Optional(DefaultLimit),
  }),
  reply: Metric,
  errors: ['already-exists', 'in-use'],
})

export const updateMetric = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/metrics/:metric',
  summary:
    'Change a metric of one’s own; what is left out stays. A rollout that runs keeps what it began with.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({
    name: Type.Optional(Name),
    event: Type.Optional(EventName),
    aggregation: Type.Optional(OwnAggregation),
    better: Type.Optional(Better),
    unit: Type.Optional(Unit),
    cap: Type.Optional(Cap),
    limit: Type.Optional(DefaultLimit),
  }),
  reply: Metric,
  errors: ['built-in'],
})

export const deleteMetric = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/metrics/:metric',
  summary: 'Delete a metric of one’s own.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
  errors: ['built-in'],
})

export const metricCalls = { listMetrics, createMetric, updateMetric, deleteMetric }
