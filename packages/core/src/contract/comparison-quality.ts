// How well two arms can be compared: the data quality of a comparison and of each of its metrics.

import { type Static, Type } from 'typebox'
import { BothArms, openInterval } from './both-arms.ts'
import { Nullable } from './parameters.ts'

export const MetricQuality = Type.Object({
  effectiveUnits: Type.Object(BothArms.properties, {
    description:
      'The number of equally active users with the same information. Far below the user count when a few users have most of the views.',
  }),
  largestShare: Type.Object(BothArms.properties, {
    description: 'The share of the most active user in the denominator of an arm, before it is capped.',
  }),
  leftOut: Type.Object(BothArms.properties, {
    description: 'Users left out because each has more than 1% of the denominator of both arms.',
  }),
  denominator: Nullable(
    Type.Object(
      {
        change: openInterval('How much more the treatment has per user: 0.05 is 5% more.'),
        differs: Type.Boolean({
          description: 'Significant, so the metric does not trigger a rollback on its own.',
        }),
      },
      {
        description:
          'The denominator of the metric, such as requests, compared per user. Null if it is one per user.',
      },
    ),
  ),
})

export type MetricQuality = Static<typeof MetricQuality>

export const ComparisonQuality = Type.Object({
  crossed: Type.Integer({ minimum: 0, description: 'Users who were exposed to both arms in one stage.' }),
  reexposed: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'The share of the treatment that already had it before, such as in an earlier rollout of the flag. Null for a new split.',
    }),
  ),
  heard: Nullable(
    Type.Object(BothArms.properties, {
      description: 'The share of the exposed users of each arm that sent anything besides the exposure.',
    }),
  ),
})

export type ComparisonQuality = Static<typeof ComparisonQuality>
