// What a site's own traffic can decide about a variation, before anybody plans a rollout of it.

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
  summary:
    'Compute from the last 14 days of telemetry which stages, time and limits can decide a rollout of a variation.',
  permission: 'project.view',
  query: Strict({
    ...{ place: draftMembers.place, control: draftMembers.control, by: draftMembers.by },
    treatment: Key,
  }),
  reply: Type.Object({
    place: Type.String(),
    control: Key,
    treatment: Key,
    by: Type.String(),
    pool: Type.Unsafe<number>({ ...Weight, description: 'What both variations have together.' }),
    unmeasured: Nullable(Type.String({ description: 'Why nobody can be counted by this unit.' })),
    traffic: Type.Object({
      units: Type.Number({ description: 'People in the whole period.' }),
      perDay: Type.Number(),
      days: Type.Number({ description: 'With any telemetry at all.' }),
      reading: Type.Number({ description: 'The share of them that reads the flag; 1 while nobody does.' }),
    }),
    stages: Type.Array(
      Type.Object({
        ...RolloutStage.properties,
        units: Type.Object(BothArms.properties, {
          description: 'People in each arm when the time of the stage is over.',
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
        isUsual: Type.Boolean({ description: 'One of those that a rollout guards when nobody says.' }),
        smallest: Nullable(
          Type.Number({
            description:
              'The smallest limit that a harmless change is found to keep in that time, four times in five; null: none.',
          }),
        ),
        smallestIn: Type.Array(
          Nullable(
            Type.Number({
              description:
                'For each stage the smallest harm that the guard calls a regression by its end, four times in five, at the limit above; null: none.',
            }),
          ),
        ),
        base: Nullable(Type.Number({ description: 'What it is now, in its unit.' })),
        spread: Type.Object(
          {
            isQuantile: Type.Boolean(),
            rareShare: Nullable(
              Type.Number({ description: 'Of what few people meet: the share that does.' }),
            ),
            variancePerUnit: Nullable(
              Type.Number({ description: 'Else: of the logarithm, for one person in an arm.' }),
            ),
          },
          { description: 'How much it varies from person to person: what a forecast of other stages needs.' },
        ),
      }),
    ),
  }),
  errors: ['invalid-rollout', 'query-too-large'],
})
