// The user experience at a glance, and the changes made in the same period.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Weight } from './flag-config.ts'
import {
  at,
  Count,
  exactQuery,
  partial,
  period,
  periodQuery,
  Sample,
  Share,
  stepped,
  stepQuery,
  Vital,
  VitalName,
  Weighted,
} from './measured.ts'
import { Id, Instant, InstantParameter, Key, Nullable, Strict } from './parameters.ts'

const Summary = Type.Object({
  sessions: Type.Number({ minimum: 0, description: 'That began in the period.' }),
  users: Type.Integer({ minimum: 0, description: 'Users, including anonymous browsers.' }),
  views: Weighted,
  errors: Weighted,
  /** Null without views. */
  errorsPerThousandViews: Nullable(Type.Number({ minimum: 0 })),
  sessionsWithError: Nullable(Share),
  vitals: Type.Array(Vital),
})

export const getOverview = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/overview',
  summary: 'Show vitals, errors, sessions and views of a period, over time and vs the previous period.',
  permission: 'project.view',
  query: Strict({ ...periodQuery, ...stepQuery, ...exactQuery }),
  reply: Type.Object({
    ...stepped,
    sample: Sample,
    now: Summary,
    before: Type.Object({ ...period, ...Summary.properties }),
    series: Type.Array(
      Type.Object({
        at,
        partial,
        sessions: Weighted,
        views: Weighted,
        errors: Weighted,
        vitals: Type.Array(Type.Object({ name: VitalName, count: Count, p75: Nullable(Type.Number()) }), {
          description: 'In each step, null with fewer than 50 values.',
        }),
      }),
      { description: 'Every step of the period, including empty ones.' },
    ),
  }),
  errors: ['query-too-large'],
})

export const listFlagChanges = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flag-changes',
  summary: 'List the flag changes of an environment in a period, oldest first: the marks on charts.',
  permission: 'project.view',
  query: Strict({
    from: Type.Optional(InstantParameter),
    to: Type.Optional(InstantParameter),
    flag: Type.Optional(Key),
  }),
  reply: Type.Object({
    ...period,
    changes: Type.Array(
      Type.Object({
        at: Instant,
        flag: Key,
        name: Type.String(),
        version: Nullable(Type.Integer({ minimum: 1, description: 'Null for a stage of a rollout.' })),
        kind: Type.Enum(['turned-on', 'turned-off', 'changed', 'rolled-back', 'stage', 'passed']),
        stage: Nullable(
          Type.Object(
            { rollout: Id, treatment: Key, weight: Weight },
            { description: 'The stage of a rollout that started then.' },
          ),
        ),
        actor: Type.Object({ kind: Type.String(), name: Type.String() }),
        reason: Nullable(Type.String()),
      }),
      { description: `At most ${limits.flagChangesListed}, the newest of them.` },
    ),
    /** There are more than listed. */
    more: Type.Boolean(),
  }),
})

export const listNewErrors = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/overview/new-errors',
  summary: 'List the errors first seen in a period, most sessions first.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default: 10.' })),
  }),
  reply: Type.Object({
    ...period,
    errors: Type.Array(
      Type.Object({
        issue: Type.String({ description: 'Value for `issue:` in a filter.' }),
        id: Type.String({ format: 'uuid', description: 'Of the error issue.' }),
        type: Type.String(),
        message: Type.String(),
        count: Weighted,
        sessions: Weighted,
        firstAt: Instant,
        lastAt: Instant,
      }),
    ),
  }),
  errors: ['query-too-large'],
})

export const overviewCalls = { getOverview, listFlagChanges, listNewErrors }
