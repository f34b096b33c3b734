// The impact of a flag on its users: the arms of its splits compared, with intervals that hold at any time.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { BothArms, openInterval } from './both-arms.ts'
import { call } from './call.ts'
import { ComparisonQuality, MetricQuality } from './comparison-quality.ts'
import { GapEvidence, sliceFields } from './gap-evidence.ts'
import { Count } from './measured.ts'
import { Id, Instant, Key, Nullable, Strict } from './parameters.ts'
import { MeasuredIn } from './rollout-finding.ts'

const SplitId = Type.String({ pattern: '^[0-9]{1,20}$', description: 'Id of a split, as in events.' })
const Epoch = Type.Integer({ minimum: 1, description: 'An interval of equal weights, counted from 1.' })
const Harm = openInterval(
  'How much worse the treatment is: 0.05 is 5% worse, negative is better. At every look together, the lower end misses with probability `alpha` at most, the upper end with `beta`.',
)
const Levels = {
  alpha: Type.Number({
    description:
      'Probability that the lower end ever misses. A guarded metric has its share in the rollout; all others, in all arms, share 5% for both ends, so that these intervals hold together with 95%.',
  }),
  beta: Type.Number({ description: 'The same for the upper end.' }),
}
const EpochOf = {
  epoch: Epoch,
  startedAt: Instant,
  endedAt: Nullable(Instant),
  arms: Type.Array(Type.Object({ variation: Key, weight: Count })),
}

export const ImpactMetric = Type.Object({
  metric: Key,
  name: Type.String(),
  measuredIn: MeasuredIn,
  unit: Type.String(),
  better: Type.Enum(['lower', 'higher']),
  isGuarded: Type.Boolean({ description: 'Part of the rollout: judged as its guard does.' }),
  state: Type.Enum(['collecting', 'watching', 'healthy', 'regressed', 'gone']),
  missing: Nullable(
    Type.String({ description: 'Why there is no number, or no verdict yet, such as `too-few-units`.' }),
  ),
  units: BothArms,
  values: Nullable(BothArms),
  harm: Harm,
  ...Levels,
  limit: Type.Number(),
  events: Nullable(
    Type.Object(
      { all: Type.Number(), treatment: Type.Number(), expected: Type.Number() },
      {
        description: 'Affected units, those in the treatment, and how many were expected there.',
      },
    ),
  ),
  rateBelow: Nullable(Type.Number({ description: 'Upper bound of the rate when no unit had the event.' })),
  quality: Nullable(MetricQuality),
})

export const Comparison = Type.Object({
  treatment: Key,
  units: BothArms,
  crossed: Type.Number({ description: 'Units exposed to both arms.' }),
  split: Type.Enum(['as-designed', 'split-wrong', 'people-missing']),
  check: Type.Object(
    {
      designed: Type.Number(),
      seen: Nullable(Type.Number()),
      p: Type.Number({
        description: 'Always valid: the probability of ever seeing such a difference in a correct split.',
      }),
    },
    { description: 'The share of the treatment among the units of both arms.' },
  ),
  quality: ComparisonQuality,
  metrics: Type.Array(ImpactMetric),
})

const ofSplit = {
  split: Type.Optional(SplitId),
  epoch: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,8}$',
      description: 'Default: the stages of the latest rollout, else the latest period.',
    }),
  ),
  control: Type.Optional(Key),
}
const ofMetric = { ...ofSplit, treatment: Key, metric: Key }

export const getFlagImpact = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/impact',
  summary: 'Compare the arms of a split of a flag, metric by metric.',
  permission: 'project.view',
  query: Strict(ofSplit),
  reply: Type.Object({
    /** All splits of the flag in the environment, including ended ones. */
    splits: Type.Array(
      Type.Object({
        split: SplitId,
        place: Type.String({ description: 'The id of a rule, or `fallthrough`.' }),
        by: Type.String(),
        ...EpochOf,
        epochs: Type.Array(Type.Object(EpochOf), {
          description: `The last one first; ${limits.impactEpochs} at most.`,
        }),
      }),
    ),
    /** The requested split, or the first one that has not ended; null without a split. */
    compared: Nullable(
      Type.Object({
        split: SplitId,
        epochs: Type.Object(
          { first: Epoch, last: Epoch },
          { description: 'One, or all stages of a rollout together.' },
        ),
        control: Key,
        rollout: Nullable(Id),
        withoutUser: Type.Object(
          { errors: Count, requests: Count },
          {
            description:
              'Events of servers in the last 24 hours of the period that name no user, so that they count for no arm.',
          },
        ),
        comparisons: Type.Array(Comparison, {
          description: `Of the ${limits.impactArms} heaviest arms at most.`,
        }),
      }),
    ),
  }),
  errors: ['engine-unavailable', 'query-too-large'],
})

export const getFlagImpactHistory = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/impact/history',
  summary: 'Show one metric over time as users arrived.',
  permission: 'project.view',
  query: Strict(ofMetric),
  reply: Type.Object({
    metric: Key,
    better: Type.Enum(['lower', 'higher']),
    measuredIn: MeasuredIn,
    unit: Type.String(),
    limit: Type.Number(),
    ...Levels,
    points: Type.Array(
      Type.Object({ at: Instant, units: BothArms, values: Nullable(BothArms), harm: Harm }),
      {
        description: `The oldest first, ${limits.impactPoints} at most: all users so far, with their activity since.`,
      },
    ),
  }),
  errors: ['engine-unavailable', 'query-too-large'],
})

export const getFlagImpactSlices = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/impact/slices',
  summary: 'Split one metric of two arms by browser, device, country or version.',
  permission: 'project.view',
  query: Strict({ ...ofMetric, by: Type.Enum([...sliceFields]) }),
  reply: Type.Object({
    metric: Key,
    better: Type.Enum(['lower', 'higher']),
    measuredIn: MeasuredIn,
    unit: Type.String(),
    ...Levels,
    from: Instant,
    items: Type.Array(
      Type.Object({
        value: Type.String({ description: 'Empty if unknown.' }),
        units: BothArms,
        values: Nullable(BothArms),
        harm: Harm,
      }),
      {
        description: `The ${limits.impactSlices} with the most units. Simultaneous intervals over all slices: each is wider than a single one.`,
      },
    ),
  }),
  errors: ['engine-unavailable', 'query-too-large'],
})

export const getFlagImpactEvidence = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/impact/evidence',
  summary:
    'Explain the difference of a metric between two arms: contributing error issues, requests, functions and segments.',
  permission: 'project.view',
  query: Strict(ofMetric),
  reply: GapEvidence,
  errors: ['engine-unavailable', 'query-too-large'],
})

export const impactCalls = {
  getFlagImpact,
  getFlagImpactHistory,
  getFlagImpactSlices,
  getFlagImpactEvidence,
}
