// The telltales of a project: the state of the worst metric for every flag that has or had a guard. Read from the
// guard's last look, without new measurements.

import { type Static, Type } from 'typebox'
import { rolloutStates } from '../states/rollout.ts'
import { call } from './call.ts'
import { Weight } from './flag-config.ts'
import { Id, Instant, Key, Nullable, Strict } from './parameters.ts'
import { TelltaleSummary } from './rollout-finding.ts'

export const Telltale = Type.Object({
  env: Key,
  flag: Key,
  rollout: Id,
  state: Type.Enum([...rolloutStates]),
  why: Nullable(Type.String()),
  control: Key,
  treatment: Key,
  stage: Type.Integer({ description: 'Index of the stage, from 0.' }),
  stages: Type.Integer(),
  weight: Type.Unsafe<number>({ ...Weight, description: 'Current share of the treatment.' }),
  startedAt: Nullable(Instant),
  endedAt: Nullable(Instant),
  checkedAt: Nullable(Type.Unsafe<string>({ ...Instant, description: 'Time of the latest look.' })),
  ...TelltaleSummary.properties,
})

export type Telltale = Static<typeof Telltale>

export const listTelltales = call({
  method: 'GET',
  path: '/api/v1/projects/:project/telltales',
  summary: 'List the guard status of flags with a current or latest rollout, one per environment.',
  permission: 'project.view',
  query: Strict({ env: Type.Optional(Key) }),
  reply: Type.Object({ items: Type.Array(Telltale) }),
})

export const telltaleCalls = { listTelltales }
