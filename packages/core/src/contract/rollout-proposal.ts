// What the traffic of a site can decide about a variation, before a rollout is planned.

import { Type } from 'typebox'
import { BothArms } from './both-arms.ts'
import { call } from './call.ts'
import { Weight } from './flag-config.ts'
import { Key, Nullable, Strict } from './parameters.ts'
import { MeasuredIn } from './rollout-finding.ts'
import { draftMembers, PlannedMetric, RolloutStage } from './rollout-plan.ts'

export const proposeRollout = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/rollout-proposal',
  summary: 'Propose stages, durations and limits for a rollout, from the last 14 days of telemetry.',
  permission: 'project.view',
  query: Strict({
    place: draftMembers.place,
    control: draftMembers.control,
    by: draftMembers.by,
    treatment: Key,
  }),
  reply: Type.Object({
    place: Type.String(),
    control: Key,
    treatment: Key,
    by: Type.String(),
    pool: Type.Unsafe<number>({ ...Weight, description: 'Share of both variations together.' }),
    unmeasured: Nullable(Type.String({ description: 'Why this unit cannot be counted.' })),
    traffic: Type.Object({
      units: Type.Number({ description: 'Users in the whole period.' }),
      perDay: Type.Number(),
      days: Type.Number({ description: 'Days with telemetry.' }),
      reading: Type.Number({ description: 'Share of users exposed to the flag; 1 before any exposure.' }),
    }),
    stages: Type.Array(
      Type.Object({
        ...RolloutStage.properties,
        units: Type.Object(BothArms.properties, {
          description: 'Users in each arm at the end of the stage.',
        }),
      }),
    ),
    timeBox: Type.Integer(),
    metrics: Type.Array(
      Type.Object({
        ...PlannedMetric.properties,
        name: Type.String(),
        unit: Type.String(),
        measuredIn: MeasuredIn,
        better: Type.Enum(['lower', 'higher']),
        isUsual: Type.Boolean({ description: 'Guarded by default.' }),
        smallest: Nullable(
          Type.Number({
            description: 'The smallest limit that can be confirmed in that time with 80% power; null: none.',
          }),
        ),
        smallestIn: Type.Array(
          Nullable(
            Type.Number({
              description:
                'For each stage, the smallest harm detected by its end with 80% power, at the limit above; null: none.',
            }),
          ),
        ),
        base: Nullable(Type.Number({ description: 'Current value, in its unit.' })),
        spread: Type.Object(
          {
            isQuantile: Type.Boolean(),
            rareShare: Nullable(
              Type.Number({ description: 'For rare events: the share of users affected.' }),
            ),
            variancePerUnit: Nullable(
              Type.Number({ description: 'Otherwise: of the logarithm, for one user in an arm.' }),
            ),
          },
          { description: 'Variation between users, for forecasts of other stages.' },
        ),
      }),
    ),
  }),
  errors: ['invalid-rollout', 'query-too-large'],
})
