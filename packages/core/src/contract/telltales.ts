// The telltales of a project: the state of the worst metric for every flag that has or had a guard, and for every
// split without one. Read from the last look, without new measurements.

import { type Static, Type } from 'typebox'
import { rolloutStates } from '../states/rollout.ts'
import { call } from './call.ts'
import { Weight } from './flag-config.ts'
import { Id, Instant, Key, Nullable, Strict } from './parameters.ts'
import { TelltaleSummary } from './rollout-finding.ts'

export const GuardedTelltale = Type.Object({
  kind: Type.Literal('guarded'),
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

export type GuardedTelltale = Static<typeof GuardedTelltale>

export const UnguardedTelltale = Type.Object({
  kind: Type.Literal('unguarded'),
  env: Key,
  flag: Key,
  split: Type.String(),
  place: Type.String({ description: 'The id of the rule, or `fallthrough`.' }),
  epoch: Type.Integer(),
  control: Key,
  treatment: Key,
  startedAt: Instant,
  checkedAt: Type.Unsafe<string>({ ...Instant, description: 'Time of the latest look.' }),
  regressed: Type.Array(Key, { description: 'Metrics that ever regressed since the split changed.' }),
  harm: Nullable(
    Type.Object(
      { metric: Key, usersPerHour: Type.Number() },
      {
        description:
          'Additional affected users per hour, compared with the control, of the regressed metric with the most.',
      },
    ),
  ),
  alpha: Nullable(
    Type.Number({
      description: 'Maximum probability that this split is ever called regressed without harm.',
    }),
  ),
  ...TelltaleSummary.properties,
})

export type UnguardedTelltale = Static<typeof UnguardedTelltale>

export const Telltale = Type.Union([GuardedTelltale, UnguardedTelltale])
export type Telltale = Static<typeof Telltale>

export const listTelltales = call({
  method: 'GET',
  path: '/api/v1/projects/:project/telltales',
  summary:
    'List the verdicts of flags by environment: of the current or latest rollout, and of splits without a guard.',
  permission: 'project.view',
  query: Strict({ env: Type.Optional(Key) }),
  reply: Type.Object({ items: Type.Array(Telltale) }),
})

export const telltaleCalls = { listTelltales }
