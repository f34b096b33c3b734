// A guarded rollout before it starts: stages, metrics with one limit each, and the policy for inconclusive results.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Attribute } from './conditions.ts'
import { Id, Key, Nullable, Reason, Strict } from './parameters.ts'

const Span = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description })

const StageWeight = Type.Integer({
  minimum: 1,
  maximum: limits.weightTotal,
  description: 'Share of the split, in units of 0.001%.',
})

export const RolloutStage = Strict({
  weight: StageWeight,
  minDuration: Span(limits.rolloutStageLongest, 'Minimum observed time in milliseconds.'),
  minUnits: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Minimum in each arm.' }),
  needsApproval: Type.Boolean({ description: 'Another member must approve it.' }),
})

export const PlannedMetric = Strict({
  metric: Key,
  limit: Type.Number({
    exclusiveMinimum: 0,
    maximum: 10,
    description: 'Limit: 0.05 is "at most 5% worse".',
  }),
  role: Type.Enum(['required', 'watched'], {
    description:
      'Required: no stage ends before it is healthy. Watched: it can only stop the rollout. With watched metrics alone, a stage ends after its time and users when nothing regressed.',
  }),
  onRegression: Type.Enum(['roll-back', 'hold', 'notify']),
})

export const Stages = Type.Array(RolloutStage, { minItems: 1, maxItems: limits.rolloutStages })
export const Metrics = Type.Array(PlannedMetric, { minItems: 1, maxItems: limits.rolloutMetrics })
export const WhenUndecided = Type.Enum(['hold', 'revert', 'ship'], {
  description:
    'What to do when a stage times out undecided. `ship` is recorded with the name of the member who chose it.',
})
export const TimeBox = Type.Integer({
  minimum: 60_000,
  maximum: limits.rolloutStageLongest,
  description: 'Timeout of one stage in milliseconds.',
})
export const Alpha = Type.Number({
  minimum: 0.001,
  maximum: 0.2,
  description: 'Maximum probability that a harmless rollout is rolled back.',
})

export const FreshDraw = Type.Boolean({
  description:
    'Reassign users at the start, so that no user carries over effects of an earlier rollout. Users of this split may change variation once. Default: false.',
})

export const OnSliceHarm = Type.Enum(['roll-back', 'narrow'], {
  description:
    'When harm is in one slice of users, such as a browser or a version: `roll-back` treats it like any harm, which is the default. `narrow` excludes the slice for a time, except for a probe, and continues elsewhere.',
})
export const SliceAttribute = Type.Unsafe<string>({
  ...Attribute,
  description:
    'With `narrow`: one more attribute whose values are slices. The evaluation context and the exposures must have it under this name.',
})

/** A rollout before it starts. Omitted members have the usual values. */
export const draftMembers = {
  place: Type.Optional(
    Type.Union([Type.Literal('fallthrough'), Id], {
      description: 'The id of a rule, or `fallthrough`, which is the default.',
    }),
  ),
  control: Type.Optional(Type.Unsafe<string>({ ...Key, description: 'Default: the most served variation.' })),
  treatment: Key,
  by: Type.Optional(
    Type.Unsafe<string>({ ...Attribute, description: 'The unit. Default: the unit of the split.' }),
  ),
  stages: Type.Optional(Stages),
  metrics: Type.Optional(Metrics),
  alpha: Type.Optional(Alpha),
  timeBox: Type.Optional(TimeBox),
  whenUndecided: Type.Optional(WhenUndecided),
  freshDraw: Type.Optional(FreshDraw),
  onSliceHarm: Type.Optional(OnSliceHarm),
  sliceAttribute: Type.Optional(Nullable(SliceAttribute)),
  reason: Type.Optional(Nullable(Reason)),
}
