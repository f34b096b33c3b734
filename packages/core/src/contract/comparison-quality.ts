// How well two arms can be compared: what stands behind the numbers of a comparison, and of each of its metrics.

import { type Static, Type } from 'typebox'
import { BothArms, openInterval } from './both-arms.ts'
import { Nullable } from './parameters.ts'

export const MetricQuality = Type.Object({
  effectiveUnits: Type.Object(BothArms.properties, {
    description:
      'How many users with equal use would tell as much. Far fewer than the users when few of them have most of the views.',
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
        change: openInterval('By how much the treatment has more per user: 0.05 is 5% more.'),
        differs: Type.Boolean({
          description: 'Certain enough that the metric does not trigger a rollback on its own.',
        }),
      },
      {
        description:
          'What the metric is divided by, such as requests, compared per user. Null if one per user.',
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
