// What a flag did to the people who got it: the arms of its splits against each other, with intervals that hold at any time.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Instant, Key, Nullable, Strict } from './parameters.ts'

const SplitId = Type.String({ pattern: '^[0-9]{1,20}$', description: 'A split, as events name it.' })
const Epoch = Type.Integer({ minimum: 1, description: 'An interval of equal weights, counted from 1.' })
const BothArms = Type.Object({ treatment: Type.Number(), control: Type.Number() })
/** Null where it has no end. */
const End = Nullable(Type.Number())

export const ImpactMetric = Type.Object({
  metric: Key,
  name: Type.String(),
  unit: Type.String(),
  better: Type.Enum(['lower', 'higher']),
  state: Type.Enum(['collecting', 'watching', 'healthy', 'regressed', 'gone']),
  missing: Nullable(
    Type.String({ description: 'Why there is no number, or no verdict yet, such as `too-few-units`.' }),
  ),
  units: BothArms,
  values: Nullable(BothArms),
  harm: Nullable(
    Type.Object(
      { lower: End, estimate: End, upper: End },
      {
        description:
          'How much worse the treatment is: 0.05 is 5 % worse, below zero is better. Each end holds at any time with 95 %.',
      },
    ),
  ),
  limit: Type.Number(),
  events: Nullable(
    Type.Object(
      { all: Type.Number(), treatment: Type.Number(), expected: Type.Number() },
      {
        description:
          'Units that met the event, those of them in the treatment, and how many were expected there.',
      },
    ),
  ),
  rateBelow: Nullable(Type.Number({ description: 'Nobody met the event: its rate is below this.' })),
})

export const Comparison = Type.Object({
  treatment: Key,
  units: BothArms,
  crossed: Type.Number({ description: 'Units that saw both arms.' }),
  split: Type.Enum(['as-designed', 'split-wrong', 'people-missing']),
  metrics: Type.Array(ImpactMetric),
})

export const getFlagImpact = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/impact',
  summary: 'Compare the arms of a split of a flag, metric by metric.',
  permission: 'project.view',
  query: Strict({
    split: Type.Optional(SplitId),
    epoch: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Default: the last one.' }),
    ),
    control: Type.Optional(Key),
  }),
  reply: Type.Object({
    /** All of the flag in the environment, those that have ended too. */
    splits: Type.Array(
      Type.Object({
        split: SplitId,
        place: Type.String({ description: 'The id of a rule, or `fallthrough`.' }),
        by: Type.String(),
        epoch: Epoch,
        endedAt: Nullable(Instant),
        arms: Type.Array(Type.Object({ variation: Key, weight: Count })),
      }),
    ),
    /** Of the split that was asked for, else of the first that has not ended; null where there is none. */
    compared: Nullable(
      Type.Object({
        split: SplitId,
        epoch: Epoch,
        control: Key,
        comparisons: Type.Array(Comparison, {
          description: `Of the ${limits.impactArms} heaviest arms at most.`,
        }),
      }),
    ),
  }),
  errors: ['engine-unavailable', 'query-too-large'],
})

export const impactCalls = { getFlagImpact }
