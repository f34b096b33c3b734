// Ad-hoc queries over events: counts, rates, durations and users, over time and as a table; and the values of fields.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { exploreMeasures, numericFields } from '../query/filter-fields.ts'
import { call } from './call.ts'
import { eventKinds } from './events.ts'
import {
  at,
  Count,
  exactQuery,
  Filter,
  FilterField,
  partial,
  period,
  periodQuery,
  Sample,
  stepped,
  stepQuery,
  Weighted,
} from './measured.ts'
import { Nullable, Strict } from './parameters.ts'

const kindsOfEvents = eventKinds.filter((kind) => kind !== 'view_state')
export const ExploreKind = Type.Enum(kindsOfEvents)
/** Log records have other fields than events: without a kind, they do not count. */
export const ExploredKind = Type.Enum([...kindsOfEvents, 'log' as const])
export type ExploredKind = Static<typeof ExploredKind>
const Fields = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Fields of the filter language, separated by commas.',
})
const Value = Nullable(
  Type.Number({
    description: 'Null without events, or with too few for a percentile.',
  }),
)

export const explore = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/explore',
  summary:
    'Measure the events or log records of an environment, over time and by the values of up to two fields.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    ...stepQuery,
    ...exactQuery,
    kind: Type.Optional(ExploredKind),
    measure: Type.Optional(
      Type.Enum([...exploreMeasures], {
        description:
          'Events, events per minute, users, sessions, a percentile, mean or sum of `field`, or the share of events that match `part`. Default: count.',
      }),
    ),
    field: Type.Optional(Type.Enum([...numericFields], { description: 'For percentiles, means and sums.' })),
    part: Type.Optional(Filter),
    by: Type.Optional(Fields),
    top: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.exploreGroups,
        description: 'Number of groups, largest first; the rest is one more. Default: 10.',
      }),
    ),
  }),
  reply: Type.Object({
    ...stepped,
    sample: Sample,
    total: Type.Object({ value: Value, events: Weighted }),
    groups: Type.Array(
      Type.Object({
        /** One per field of `by`; null is the row of all other values. */
        values: Nullable(Type.Array(Type.String())),
        value: Value,
        events: Weighted,
        points: Type.Array(Type.Object({ at, partial, value: Value, events: Weighted }), {
          description: 'Every step of the period, including empty ones.',
        }),
      }),
      { description: 'Without `by`, one group without values.' },
    ),
  }),
  errors: ['query-too-large'],
})

export const listFacets = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/explore/facets',
  summary: 'List the most frequent values of fields, with how many events have them.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    ...exactQuery,
    kind: Type.Optional(ExploredKind),
    fields: Fields,
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What values contain.' })),
    top: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.facetValues, description: 'Default: 5.' })),
  }),
  reply: Type.Object({
    ...period,
    sample: Sample,
    facets: Type.Array(
      Type.Object({
        field: FilterField,
        /** A filter on the field itself does not narrow its values. */
        values: Type.Array(Type.Object({ value: Type.String(), count: Weighted })),
        /** Number of distinct values, including those that are not listed. */
        distinct: Count,
      }),
    ),
  }),
  errors: ['query-too-large'],
})

export const exploreCalls = { explore, listFacets }
