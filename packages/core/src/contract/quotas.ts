// Quotas of a project and its keys, the protection from spikes, and when data was reduced by them.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { quotaLevels, quotaMeters, quotaPeriods } from '../usage/decide-quota.ts'
import { call } from './call.ts'
import { Id, Instant, InstantParameter, Key, Nothing, Nullable, Strict } from './parameters.ts'

const Most = Type.Integer({
  minimum: limits.quotaMinimum,
  maximum: limits.quotaMaximum,
  description: 'In the unit of the meter: bytes for `bytes` and `replayBytes`.',
})
const Meter = Type.Enum([...quotaMeters])
const Period = Type.Enum([...quotaPeriods], { description: 'In UTC; a month is a calendar month.' })

export const reductionReasons = ['quota', 'spike'] as const

const Reduced = {
  pausesRecording: Type.Boolean({ description: 'Whether replays and profiles are dropped.' }),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'The share that is stored of the sessions that the environment samples, by their sample position. Stored events weigh more accordingly.',
  }),
}

export const Quota = Type.Object({
  id: Id,
  meter: Meter,
  period: Period,
  most: Most,
  key: Nullable(Type.Object({ id: Id, label: Type.String() }, { description: 'Null: the whole project.' })),
  used: Type.Integer({ minimum: 0, description: 'In the current period.' }),
  level: Type.Enum([...quotaLevels], { description: '`near` from 80% on.' }),
  ...Reduced,
})
export type Quota = Static<typeof Quota>

export const Sampling = Type.Object({
  id: Id,
  reason: Type.Enum([...reductionReasons]),
  environment: Nullable(Key),
  key: Nullable(Id),
  ...Reduced,
  beganAt: Instant,
  endedAt: Nullable(Instant),
})
export type Sampling = Static<typeof Sampling>

export const listQuotas = call({
  method: 'GET',
  path: '/api/v1/projects/:project/quotas',
  summary: 'List the quotas of a project, what is used of them, and when data was reduced.',
  permission: 'project.view',
  reply: Type.Object({
    items: Type.Array(Quota),
    samplings: Type.Array(Sampling, {
      description: `Times with reduced data, the newest first, at most ${limits.samplingsShown}.`,
    }),
    spikeProtection: Type.Array(Type.Object({ env: Key, enabled: Type.Boolean() })),
  }),
})

export const createQuota = call({
  method: 'POST',
  path: '/api/v1/projects/:project/quotas',
  summary: 'Set a quota for the project or one of its keys.',
  permission: 'project.manage',
  status: 201,
  idempotent: true,
  body: Strict({ meter: Meter, period: Period, most: Most, key: Type.Optional(Nullable(Id)) }),
  reply: Type.Object({ id: Id }),
  errors: ['already-exists', 'in-use'],
})

export const updateQuota = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/quotas/:quota',
  summary: 'Change the amount of a quota. It applies within seconds.',
  permission: 'project.manage',
  body: Strict({ most: Most }),
  reply: Type.Object({ id: Id }),
})

export const deleteQuota = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/quotas/:quota',
  summary: 'Delete a quota. What it reduced is stored in full again within seconds.',
  permission: 'project.manage',
  status: 204,
  reply: Nothing,
})

export const setSpikeProtection = call({
  method: 'PUT',
  path: '/api/v1/projects/:project/environments/:env/spike-protection',
  summary: 'Turn the protection from spikes on or off.',
  permission: 'environments.manage',
  body: Strict({ enabled: Type.Boolean() }),
  reply: Type.Object({ enabled: Type.Boolean() }),
})

export const listSamplings = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/samplings',
  summary:
    'List when the data of an environment was reduced by a quota or in a spike, by default in the last 30 days.',
  permission: 'project.view',
  query: Strict({
    from: Type.Optional(InstantParameter),
    to: Type.Optional(InstantParameter),
  }),
  reply: Type.Object({ items: Type.Array(Sampling) }),
})

export const quotaCalls = {
  listQuotas,
  createQuota,
  updateQuota,
  deleteQuota,
  setSpikeProtection,
  listSamplings,
}
