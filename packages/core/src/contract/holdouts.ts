// Holdouts: users who are kept out of flags, compared with a sample of all others.

import { type Static, Type } from 'typebox'
import { holdoutEnds } from '../holdout-ends.ts'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { ArmResult } from './experiments.ts'
import { Weight } from './flag-config.ts'
import { Id, Instant, Key, Name, Nothing, Nullable, Strict } from './parameters.ts'

const Description = Type.String({ maxLength: limits.descriptionLength })
const Days = Type.Integer({ minimum: 1, maximum: 365 })
const WhenOver = Type.Enum([...holdoutEnds], {
  description:
    'After its planned days: `continue` until a member ends it, `end` and keep its results, or `repeat`: end, and start the next one with other users, the same flags, metrics, share and days.',
})

export const Holdout = Type.Object({
  id: Id,
  key: Key,
  name: Type.String(),
  description: Type.String(),
  env: Key,
  isFlagsmith: Type.Boolean({
    description:
      'The environment was imported from Flagsmith, whose clients ignore holdouts when they evaluate locally.',
  }),
  state: Type.Enum(['running', 'ended']),
  share: Weight,
  flags: Nullable(
    Type.Array(Type.Object({ key: Key, archived: Type.Boolean() }), {
      description: 'The flags that it covers, without deleted ones; null for all.',
    }),
  ),
  metrics: Type.Array(Type.Object({ metric: Key, name: Type.String() })),
  days: Nullable(Type.Integer({ minimum: 1, description: 'The planned duration.' })),
  whenOver: WhenOver,
  follows: Nullable(Type.String({ description: 'The key of the holdout that it repeats.' })),
  createdBy: Type.String(),
  endedBy: Nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
  overAt: Nullable(Type.Unsafe<string>({ ...Instant, description: 'When its planned days are over.' })),
  endedAt: Nullable(Instant),
})
export type Holdout = Static<typeof Holdout>

export const HoldoutResults = Type.Object({
  at: Instant,
  finding: Type.Enum(['measured', 'no-flags', 'no-users', 'none-held-out', 'too-few-users'], {
    description:
      '`no-flags`: all covered flags are archived or deleted. `none-held-out`: others were seen, and no held-out user.',
  }),
  arm: {
    ...ArmResult,
    description:
      'A sample of all others (the treatment, `others`) compared with held-out users (`held-out`).',
  },
})
export type HoldoutResults = Static<typeof HoldoutResults>

const list = '/api/v1/projects/:project/holdouts'
const one = `${list}/:holdout` as const

export const listHoldouts = call({
  method: 'GET',
  path: list,
  summary: 'List the holdouts of a project, newest first.',
  permission: 'project.view',
  query: Strict({ env: Type.Optional(Key) }),
  reply: Type.Object({ items: Type.Array(Holdout) }),
})

export const createHoldout = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/holdouts',
  summary:
    'Start a holdout: from now on, its users get the off variation of the flags that it covers, unless an override names them.',
  permission: 'flags.change',
  idempotent: true,
  status: 201,
  body: Strict({
    key: Key,
    name: Name,
    description: Type.Optional(Description),
    share: Type.Integer({
      minimum: 100,
      maximum: limits.weightTotal / 5,
      description: 'The share of users, of 100,000. Four times as many others are compared with them.',
    }),
    flags: Type.Optional(
      Type.Array(Key, { minItems: 1, maxItems: limits.holdoutFlags, description: 'Default: all flags.' }),
    ),
    metrics: Type.Array(Key, { minItems: 1, maxItems: limits.experimentGoals }),
    days: Type.Optional(Days),
    whenOver: Type.Optional(WhenOver),
  }),
  reply: Holdout,
  errors: ['already-exists', 'in-use', 'invalid-experiment'],
})

export const getHoldout = call({
  method: 'GET',
  path: one,
  summary: 'Show a holdout.',
  permission: 'project.view',
  reply: Holdout,
})

export const updateHoldout = call({
  method: 'PATCH',
  path: one,
  summary:
    'Change the name, description, planned duration or what happens after it. The users of a holdout never change.',
  permission: 'flags.change',
  body: Strict({
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    days: Type.Optional(Nullable(Days)),
    whenOver: Type.Optional(WhenOver),
  }),
  reply: Holdout,
  errors: ['invalid-experiment'],
})

export const endHoldout = call({
  method: 'POST',
  path: `${one}/end`,
  summary: 'End a holdout and keep its results: its users get the flags like all others.',
  permission: 'flags.change',
  reply: Holdout,
  errors: ['wrong-state', 'engine-unavailable', 'query-too-large'],
})

export const deleteHoldout = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete an ended holdout with its results.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
  errors: ['wrong-state'],
})

export const getHoldoutResults = call({
  method: 'GET',
  path: `${one}/results`,
  summary: 'Compare held-out users with a sample of all others: now, or as kept when it ended.',
  permission: 'project.view',
  reply: HoldoutResults,
  errors: ['engine-unavailable', 'query-too-large'],
})

export const holdoutCalls = {
  listHoldouts,
  createHoldout,
  getHoldout,
  updateHoldout,
  endHoldout,
  deleteHoldout,
  getHoldoutResults,
}
