// Metrics: how variations are judged. Built-in metrics are read-only; custom ones measure a custom event.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { metricFilterFields } from '../query/metric-filter.ts'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Instant, Key, Name, Nothing, Nullable, Strict, Version } from './parameters.ts'

const EventName = Type.String({
  minLength: 1,
  maxLength: limits.eventNameLength,
  pattern: '^[^\\u0000-\\u001f]*[^\\s\\u0000-\\u001f][^\\u0000-\\u001f]*$',
  description: 'Name of a custom event, as sent by the application.',
})
const OwnFilter = Type.String({
  maxLength: limits.metricFilterLength,
  description: `Which of the events count, such as \`browser:Safari attr:plan=pro\`. By: ${metricFilterFields.join(', ')}.`,
})
const ownAggregations = [
  'proportion',
  'mean',
  'quantile',
  'count',
  'sum',
  'sum-per-session',
  'count-per-user',
] as const
const OwnAggregation = Type.Enum([...ownAggregations], {
  description:
    'The share of units with the event, the mean or a percentile of its values, the count per session, the total of its values per unit or per session, or the number of events per unit.',
})
const Quantile = Type.Number({
  minimum: 0.5,
  maximum: 0.999,
  description:
    'The percentile of values; default 0.75. For totals and counts per unit: the percentile of recent totals at which they are capped when a rollout or an experiment starts; default 0.99.',
})
const Better = Type.Enum(['lower', 'higher'])
const Unit = Type.String({ maxLength: limits.unitLength, description: 'Shown after values, such as `€`.' })
const Cap = Type.Number({
  minimum: 1,
  maximum: limits.metricCap,
  description: 'For a count: the maximum per session.',
})
const DefaultLimit = Type.Number({
  exclusiveMinimum: 0,
  maximum: 0.99,
  description: 'Default limit: 0.05 is "at most 5% worse".',
})

export const Metric = Type.Object({
  key: Key,
  name: Type.String(),
  builtIn: Type.Boolean(),
  event: Nullable(Type.String({ description: 'The custom event; null for built-in metrics.' })),
  filter: Type.String({ description: 'Filter for the events; empty for all.' }),
  aggregation: OwnAggregation,
  quantile: Nullable(Type.Number()),
  cap: Nullable(Type.Number()),
  better: Better,
  unit: Type.String(),
  limit: Type.Number(),
  usualLimit: Nullable(Type.Number({ description: 'Default limit of a built-in metric.' })),
  version: Version,
  createdAt: Nullable(Instant),
})

export const listMetrics = call({
  method: 'GET',
  path: '/api/v1/projects/:project/metrics',
  summary: 'List the metrics of a project: built-in ones, then custom ones by key.',
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
    filter: Type.Optional(OwnFilter),
    aggregation: OwnAggregation,
    quantile: Type.Optional(Quantile),
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
    'Change a custom metric, or the limit of a built-in one (null: the default); omitted members stay unchanged. A running rollout keeps the definition it started with.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({
    name: Type.Optional(Name),
    event: Type.Optional(EventName),
    filter: Type.Optional(OwnFilter),
    aggregation: Type.Optional(OwnAggregation),
    quantile: Type.Optional(Quantile),
    better: Type.Optional(Better),
    unit: Type.Optional(Unit),
    cap: Type.Optional(Cap),
    limit: Type.Optional(Nullable(DefaultLimit)),
  }),
  reply: Metric,
  errors: ['built-in'],
})

export const deleteMetric = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/metrics/:metric',
  summary: 'Delete a custom metric that no rollout template uses.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
  errors: ['built-in', 'in-use'],
})

const Measured = Type.Object({
  events: Count,
  users: Type.Integer({ minimum: 0, description: 'Users who sent it.' }),
  ofUsers: Type.Integer({ minimum: 0, description: 'All users.' }),
  value: Nullable(Type.Number({ description: 'Null without data.' })),
})

export const previewMetric = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/metric-preview',
  summary: 'Preview a metric over all users of the last days, without saving it.',
  permission: 'project.view',
  query: Strict({
    event: EventName,
    filter: Type.Optional(OwnFilter),
    aggregation: OwnAggregation,
    quantile: Type.Optional(Quantile),
    cap: Type.Optional(Cap),
  }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    ...Measured.properties,
    unfiltered: Type.Integer({ minimum: 0, description: 'Events with this name, ignoring the filter.' }),
    cap: Nullable(
      Type.Number({
        description: 'Totals: the value at which they would be capped. Null for other metrics.',
      }),
    ),
    negative: Type.Integer({ minimum: 0, description: 'Events with a value below zero, such as refunds.' }),
    currencies: Type.Array(Type.String(), {
      description: 'Different values of the attribute `currency` among the events, at most five.',
    }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'In the time zone of the environment, such as `2026-11-21`.' }),
        ...Measured.properties,
      }),
      { description: 'Days with users, oldest first.' },
    ),
  }),
  errors: ['engine-unavailable', 'query-too-large'],
})

export const metricCalls = { listMetrics, createMetric, updateMetric, deleteMetric, previewMetric }
