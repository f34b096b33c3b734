// How long telemetry is kept, what the nightly cleanup deletes, and disk usage.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { retentionKinds } from '../query/retention.ts'
import { call } from './call.ts'
import { retentionDays } from './environments.ts'
import { Id, Instant, Key, Nullable, Strict } from './parameters.ts'

const Count = Type.Integer({ minimum: 0 })
const Bytes = Type.Integer({
  minimum: 0,
  description: 'Estimated from the share of rows. Exact for recordings.',
})
const Kind = Type.Enum([...retentionKinds], {
  description:
    '`events` without exposures, and with sessions and views; `exposures` with the sums per flag that the guard reads; `replays`; `profiles`.',
})

export const removalReasons = ['days', 'budget', 'deleted'] as const
export const nightStates = ['running', 'done', 'unfinished', 'failed', 'held'] as const

const Removed = Type.Object({
  kind: Kind,
  reason: Type.Enum([...removalReasons], {
    description: 'Past its `days`, over the `budget` of the project, or in a `deleted` environment.',
  }),
  rows: Count,
  bytes: Bytes,
})

export const Night = Type.Object({
  night: Type.String({ description: 'Start day, in UTC.' }),
  state: Type.Enum([...nightStates], {
    description:
      '`unfinished`: out of time; the next night continues. `held`: nothing was deleted because the clock jumped.',
  }),
  startedAt: Instant,
  endedAt: Nullable(Instant),
  reason: Nullable(Type.String({ description: 'Why it failed or was held.' })),
  removed: Type.Array(Removed),
})

export const getRetention = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/retention',
  summary: 'List the nightly cleanups of an environment, newest first.',
  permission: 'project.view',
  reply: Type.Object({
    next: Type.String({ format: 'date-time', description: 'Start of the next cleanup.' }),
    nights: Type.Array(Night, { description: `At most ${limits.retentionNightsShown}.` }),
  }),
})

export const previewRetention = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/retention/preview',
  summary: 'Dry run: show what the next cleanup would delete with these days.',
  permission: 'privacy.manage',
  query: Strict(retentionDays),
  reply: Type.Object({
    kinds: Type.Array(
      Type.Object({
        kind: Kind,
        days: Count,
        from: Type.String({ format: 'date-time', description: 'Older data is deleted.' }),
        firstDay: Type.String({
          description: 'The oldest day that stays, in the time zone of the environment.',
        }),
        rows: Count,
        sessions: Nullable(Type.Integer({ description: 'Sessions that lose data; null for sums.' })),
        bytes: Bytes,
      }),
    ),
  }),
  errors: ['query-too-large'],
})

const KindUse = Type.Object({
  kind: Kind,
  rows: Count,
  bytes: Bytes,
  firstDay: Nullable(Type.String({ description: 'The oldest day with data, in UTC.' })),
})

export const getStorage = call({
  method: 'GET',
  path: '/api/v1/projects/:project/storage',
  summary: 'Show what the telemetry of a project takes on disk, by environment and kind.',
  permission: 'project.view',
  reply: Type.Object({
    budgetBytes: Nullable(Count),
    usedBytes: Bytes,
    overBudget: Type.Boolean(),
    keptBytes: Type.Integer({ description: 'Of it, kept sessions, which are never deleted.' }),
    environments: Type.Array(Type.Object({ id: Id, key: Key, bytes: Bytes, kinds: Type.Array(KindUse) })),
    disk: Nullable(
      Type.Object({
        freeBytes: Count,
        totalBytes: Count,
        nearlyFull: Type.Boolean(),
      }),
    ),
    measuredAt: Instant,
  }),
  errors: ['query-too-large'],
})

export const setBudget = call({
  method: 'PUT',
  path: '/api/v1/projects/:project/storage/budget',
  summary:
    'Set the disk budget for the telemetry of a project. The nightly cleanup deletes the oldest days above it.',
  permission: 'privacy.manage',
  body: Strict({
    bytes: Nullable(
      Type.Integer({
        minimum: limits.budgetMinimum,
        maximum: limits.budgetMaximum,
        description: 'Null: no budget.',
      }),
    ),
  }),
  reply: Type.Object({ budgetBytes: Nullable(Count) }),
})

export const retentionCalls = { getRetention, previewRetention, getStorage, setBudget }
