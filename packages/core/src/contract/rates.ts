// Rates per user or session with intervals, by the values of a field; and two values or two periods compared.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { ExploreKind } from './explore.ts'
import { Count, Filter, FilterField, period, periodQuery } from './measured.ts'
import { Nullable, Strict } from './parameters.ts'

const rateMeasures = ['share', 'mean'] as const
const rateUnits = ['user', 'session'] as const

const Rate = Type.Object({
  users: Count,
  /** Users or sessions, as asked for. */
  units: Count,
  events: Type.Integer({ minimum: 0, description: 'Events that count, unweighted.' }),
  value: Nullable(Type.Number({ description: 'Null without users.' })),
  interval: Nullable(
    Type.Object(
      { lower: Type.Number(), upper: Type.Number() },
      { description: '95%, with the user as the unit of chance; null if none holds.' },
    ),
  ),
  missing: Nullable(
    Type.Enum(['too-few', 'too-uneven'], {
      description: 'Why there is no interval: `too-uneven` is mostly a few users.',
    }),
  ),
})

const Value = Type.String({ maxLength: 2_000 })

export const measureRates = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/explore/rates',
  summary:
    'Measure the share of users or sessions with an event, or its number per user or session, with intervals; optionally compare two values of a field, or this period with the one before.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    kind: Type.Optional(ExploreKind),
    event: Type.Optional({
      ...Filter,
      description: 'Which events count, such as `failed:true`. Default: all of `kind`.',
    }),
    unit: Type.Optional(Type.Enum([...rateUnits], { description: 'Default: user.' })),
    measure: Type.Optional(
      Type.Enum([...rateMeasures], {
        description: 'The share of units with the event, or events per unit. Default: share.',
      }),
    ),
    by: Type.Optional(FilterField),
    top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.exploreGroups, description: 'Default: 10.' }),
    ),
    compare: Type.Optional(
      Type.Enum(['values', 'periods'], {
        description:
          '`values`: `value` with `base`, both of `by`. `periods`: this period with the previous one of the same length.',
      }),
    ),
    value: Type.Optional(Value),
    base: Type.Optional(Value),
  }),
  reply: Type.Object({
    ...period,
    unit: Type.Enum([...rateUnits]),
    measure: Type.Enum([...rateMeasures]),
    total: Rate,
    groups: Type.Array(Type.Object({ value: Type.String(), rate: Rate }), {
      description: 'Those with the most units first; empty without `by`.',
    }),
    others: Count,
    comparison: Nullable(
      Type.Object({
        strata: Type.Integer({ minimum: 0, description: 'Hours and countries that both sides have.' }),
        users: Type.Object({ value: Count, base: Count }),
        missing: Nullable(Type.String({ description: 'Why there is no comparison, such as `too-few`.' })),
        values: Nullable(Type.Object({ value: Type.Number(), base: Type.Number() })),
        change: Nullable(
          Type.Object(
            { estimate: Type.Number(), lower: Type.Number(), upper: Type.Number() },
            { description: 'The difference; its 95% interval stays valid however often it is read.' },
          ),
        ),
        verdict: Type.Enum(['higher', 'lower', 'not-sure', 'not-comparable']),
        caveat: Type.String(),
      }),
    ),
  }),
  errors: ['query-too-large'],
})

export const valuesCaveat =
  'Chance did not form these groups, so this is an observation, not an experiment. Users are compared within the same hour and country; other differences between them can still cause a change.'
export const periodsCaveat =
  'Periods are not randomised: campaigns, seasons and other releases change with them. Users are compared within the same hour of the period and country.'

export const rateCalls = { measureRates }
