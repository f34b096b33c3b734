// How long telemetry is kept, what goes at night, and what it all takes on disk.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { retentionKinds } from '../query/retention.ts'
import { call } from './call.ts'
import { retentionDays } from './environments.ts'
import { Id, Instant, Key, Nullable, Strict } from './parameters.ts'

const Count = Type.Integer({ minimum: 0 })
const Bytes = Type.Integer({
  minimum: 0,
  description: 'An estimate: the share of its files that the rows have. Recordings are counted exactly.',
})
const Kind = Type.Enum([...retentionKinds], {
  description:
    '`events` without exposures, and with sessions and views; `exposures` with the sums per flag that the guard reads; `replays`; `profiles`.',
})

export const removalReasons = ['days', 'budget', 'deleted'] as const
export const nightStates = ['running', 'done', 'unfinished', 'failed'] as const

const Removed = Type.Object({
  kind: Kind,
  reason: Type.Enum([...removalReasons], {
    description:
      'Past its `days`, beyond the `budget` of the project, or of an environment that was `deleted`.',
  }),
  rows: Count,
  bytes: Bytes,
})

export const Night = Type.Object({
  night: Type.String({ description: 'The day, in UTC, on which it began.' }),
  state: Type.Enum([...nightStates], {
    description: '`unfinished`: the time was over, and the next night goes on.',
  }),
  startedAt: Instant,
  endedAt: Nullable(Instant),
  reason: Nullable(Type.String({ description: 'Why it failed.' })),
  removed: Type.Array(Removed),
})

export const getRetention = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/retention',
  summary: 'Show what the last nights removed from an environment, the newest first.',
  permission: 'project.view',
  reply: Type.Object({
    next: Type.String({ format: 'date-time', description: 'When the next night begins.' }),
    nights: Type.Array(Night, { description: `At most ${limits.retentionNightsShown}.` }),
  }),
})

export const previewRetention = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/retention/preview',
  summary: 'Tell what the next night would remove if these days were set. Nothing is removed.',
  permission: 'privacy.manage',
  query: Strict(retentionDays),
  reply: Type.Object({
    kinds: Type.Array(
      Type.Object({
        kind: Kind,
        days: Count,
        from: Type.String({ format: 'date-time', description: 'What is older goes.' }),
        firstDay: Type.String({
          description: 'The oldest day that stays, by the time zone of the environment.',
        }),
        rows: Count,
        sessions: Nullable(Type.Integer({ description: 'Sessions that lose something; null for sums.' })),
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
  firstDay: Nullable(Type.String({ description: 'The oldest day of which there is something, in UTC.' })),
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
    keptBytes: Type.Integer({ description: 'Of it, sessions that people keep: no night removes them.' }),
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
    'Set how much the telemetry of a project may take on disk. Beyond it, nights remove the oldest days first.',
  permission: 'privacy.manage',
  body: Strict({
    bytes: Nullable(
      Type.Integer({
        minimum: limits.budgetMinimum,
        maximum: limits.budgetMaximum,
        description: 'Null: as much as there is.',
      }),
    ),
  }),
  reply: Type.Object({ budgetBytes: Nullable(Count) }),
})

export const retentionCalls = { getRetention, previewRetention, getStorage, setBudget }
