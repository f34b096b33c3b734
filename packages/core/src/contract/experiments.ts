// Experiments: the arms of a split compared by goals that are fixed at the start, until a member decides.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { experimentStates } from '../states/experiment.ts'
import { BothArms, openInterval } from './both-arms.ts'
import { call } from './call.ts'
import { ComparisonQuality, MetricQuality } from './comparison-quality.ts'
import { PositionRange, Weight } from './flag-config.ts'
import { Comparison } from './impact.ts'
import { LayerSize } from './layers.ts'
import { Count } from './measured.ts'
import { Id, Instant, Key, Name, Nothing, Nullable, Strict } from './parameters.ts'
import { MeasuredIn } from './rollout-finding.ts'

const Place = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The id of a rule with a split, or `fallthrough`.',
})
const Hypothesis = Type.String({
  maxLength: limits.descriptionLength,
  description: 'What is expected, and why.',
})
const Note = Type.String({ maxLength: limits.descriptionLength, description: 'Why it was decided so.' })
const Gain = Type.Number({
  minimum: 0.001,
  maximum: 10,
  description: 'The smallest gain worth having: 0.05 is 5% more, or 5% less of what should be low.',
})
const Margin = Type.Number({
  minimum: 0.001,
  maximum: 0.5,
  description: 'The accepted loss: *no worse* means that a larger one is excluded.',
})
/** The share of a layer's users that it takes. */
const LayerDraft = Strict({ key: Key, share: LayerSize })
const Window = Type.Integer({
  minimum: limits.goalWindowMinimum,
  maximum: limits.goalWindowMaximum,
  description:
    "Milliseconds from a user's first exposure in the experiment: only what happens within counts, and only users whose window is over. For shares of users and totals per user.",
})
const GoalFunnel = Strict({
  name: Name,
  steps: Type.String({
    minLength: 1,
    maxLength: limits.funnelStepsLength,
    description: `Filters of 2 to ${limits.funnelSteps} steps in order, all within the window: \`kind:view page:/cart -> kind:custom name:bought\`. The goal is the share of users who complete them; \`metric\` is then its key, not that of a metric.`,
  }),
})
const Goal = Strict({
  metric: Key,
  gain: Gain,
  margin: Margin,
  window: Type.Optional(Window),
  funnel: Type.Optional(GoalFunnel),
})
const MeasuredGoal = {
  window: Nullable(
    Type.Integer({ description: "Milliseconds from a user's first exposure; null for all time." }),
  ),
  funnel: Nullable(Type.Object({ name: Type.String(), steps: Type.String() })),
}

export const Experiment = Type.Object({
  id: Id,
  name: Type.String(),
  hypothesis: Type.String(),
  env: Key,
  flag: Key,
  flagName: Type.String(),
  flagArchived: Type.Boolean(),
  place: Place,
  state: Type.Enum([...experimentStates]),
  control: Key,
  by: Nullable(Type.String({ description: 'The unit: what the split assigns by. Null before the start.' })),
  goals: Type.Array(
    Type.Object({
      metric: Key,
      gain: Gain,
      margin: Margin,
      ...MeasuredGoal,
      name: Type.String(),
      better: Type.Enum(['lower', 'higher']),
    }),
  ),
  layer: Nullable(
    Type.Object({
      key: Key,
      name: Type.String(),
      share: Weight,
      ranges: Nullable(
        Type.Array(PositionRange, { description: 'What it holds since its start, of 100,000 positions.' }),
      ),
    }),
  ),
  days: Nullable(Type.Integer({ minimum: 1, description: 'The planned duration.' })),
  split: Nullable(Type.String()),
  splitRemoved: Type.Boolean({
    description:
      'It runs, but the configuration of the flag no longer has its split: no new users take part.',
  }),
  flagOff: Type.Boolean({
    description: 'It runs, but the flag is off in the environment: no one takes part.',
  }),
  goneVariations: Type.Array(Type.String(), {
    description: 'It runs and compares them, but the split no longer serves them to anyone.',
  }),
  epochs: Nullable(Type.Object({ first: Count, last: Nullable(Count) })),
  decision: Nullable(
    Type.Object({
      variation: Nullable(Type.String({ description: 'The chosen variation; null for none.' })),
      note: Type.String(),
    }),
  ),
  createdBy: Type.String(),
  startedBy: Nullable(Type.String()),
  endedBy: Nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
  startedAt: Nullable(Instant),
  endedAt: Nullable(Instant),
})
export type Experiment = Static<typeof Experiment>

export const GoalResult = Type.Object({
  metric: Key,
  name: Type.String(),
  better: Type.Enum(['lower', 'higher']),
  measuredIn: MeasuredIn,
  unit: Type.String(),
  gain: Type.Number(),
  margin: Type.Number(),
  ...MeasuredGoal,
  waiting: Nullable(
    Type.Object(BothArms.properties, {
      description: 'With a window: users whose window is not over. They do not count yet.',
    }),
  ),
  verdict: Type.Enum(['better', 'no-worse', 'worse', 'undecided', 'collecting', 'gone']),
  missing: Nullable(
    Type.String({ description: 'Why there is no number, or no verdict yet, such as `too-few-units`.' }),
  ),
  units: BothArms,
  values: Nullable(BothArms),
  change: openInterval(
    'The treatment relative to the control: 0.05 is 5% more. Holds at every look with a probability of 1 − `level`.',
  ),
  level: Type.Number({
    description: 'Probability that the goal is ever called better or worse without a difference.',
  }),
  saved: Nullable(
    Type.Number({
      description:
        'With the history of users: the share of users that it saves. Null where history is not known or does not help.',
    }),
  ),
  currencies: Type.Array(Type.String(), {
    description:
      'Different values of the attribute `currency` among the events whose values count, at most five. With several there is no number, and `missing` is `mixed-currencies`.',
  }),
  cap: Nullable(Type.Number({ description: 'Of a total: larger ones count as this, fixed at the start.' })),
  quality: Nullable(MetricQuality),
})
export type GoalResult = Static<typeof GoalResult>

export const ArmResult = Type.Object({
  treatment: Key,
  units: BothArms,
  crossed: Type.Number({ description: 'Units exposed to both arms.' }),
  split: Comparison.properties.split,
  check: Comparison.properties.check,
  quality: ComparisonQuality,
  goals: Type.Array(GoalResult),
})

export const ExperimentResults = Type.Object({
  at: Instant,
  arms: Type.Array(ArmResult, { description: 'Each treatment compared with the control.' }),
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'In the time zone of the environment, such as `2026-11-21`.' }),
      units: Type.Record(Key, Count, { description: 'Users first exposed on this day, by variation.' }),
    }),
    { description: `The latest ${limits.experimentDays} days, oldest first.` },
  ),
})
export type ExperimentResults = Static<typeof ExperimentResults>

const list = '/api/v1/projects/:project/experiments'
const one = `${list}/:experiment` as const
const goals = Type.Array(Goal, { minItems: 1, maxItems: limits.experimentGoals })
const Days = Type.Integer({ minimum: 1, maximum: 365 })

export const listExperiments = call({
  method: 'GET',
  path: list,
  summary: 'List the experiments of a project, newest first.',
  permission: 'project.view',
  query: Strict({
    env: Type.Optional(Key),
    flag: Type.Optional(Key),
    state: Type.Optional(Type.Enum([...experimentStates])),
  }),
  reply: Type.Object({ items: Type.Array(Experiment) }),
})

export const createExperiment = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/experiments',
  summary: 'Draft an experiment on a split of a flag.',
  permission: 'flags.change',
  idempotent: true,
  status: 201,
  body: Strict({
    name: Name,
    hypothesis: Type.Optional(Hypothesis),
    place: Type.Optional(Place),
    control: Type.Optional(Key),
    goals,
    days: Type.Optional(Days),
    layer: Type.Optional(LayerDraft),
  }),
  reply: Experiment,
  errors: ['flag-not-found', 'already-exists', 'in-use', 'invalid-experiment'],
})

export const planExperiment = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/experiment-plan',
  summary: 'Forecast the users and days that goals need, from recent traffic. Stores nothing.',
  permission: 'project.view',
  body: Strict({
    place: Type.Optional(Place),
    control: Type.Optional(Key),
    goals,
    layer: Type.Optional(LayerDraft),
  }),
  reply: Type.Object({
    place: Place,
    control: Key,
    arms: Type.Array(Type.Object({ variation: Key, weight: Count })),
    traffic: Type.Object({
      perDay: Type.Number({ description: 'Users who read the flag, on a typical day.' }),
      days: Type.Number({ description: 'Days of traffic that this was read from.' }),
    }),
    goals: Type.Array(
      Type.Object({
        metric: Key,
        base: Nullable(Type.Number({ description: 'The current value; null if not measured.' })),
        cap: Nullable(Type.Number()),
        level: Type.Number(),
        users: Nullable(
          Type.Integer({
            minimum: 1,
            description: 'Users of the split after which the gain is found in 80% of cases; null if never.',
          }),
        ),
        days: Nullable(Type.Integer({ minimum: 1, description: 'Null if more than a year.' })),
      }),
    ),
  }),
  errors: ['flag-not-found', 'invalid-experiment', 'engine-unavailable', 'query-too-large'],
})

export const getExperiment = call({
  method: 'GET',
  path: one,
  summary: 'Show an experiment.',
  permission: 'project.view',
  reply: Experiment,
})

export const updateExperiment = call({
  method: 'PATCH',
  path: one,
  summary:
    'Change an experiment; omitted members stay unchanged. After the start only name, hypothesis and duration can change: other goals, or another layer, are another experiment.',
  permission: 'flags.change',
  body: Strict({
    name: Type.Optional(Name),
    hypothesis: Type.Optional(Hypothesis),
    control: Type.Optional(Key),
    goals: Type.Optional(goals),
    days: Type.Optional(Nullable(Days)),
    layer: Type.Optional(Nullable(LayerDraft)),
  }),
  reply: Experiment,
  errors: ['already-exists', 'wrong-state', 'invalid-experiment'],
})

export const startExperiment = call({
  method: 'POST',
  path: `${one}/start`,
  summary:
    'Start an experiment: fixes how goals are measured, and counts from now on. What users get stays the same, except in a layer: users outside of its share get the control.',
  permission: 'flags.change',
  reply: Experiment,
  errors: [
    'wrong-state',
    'guard-running',
    'flag-not-found',
    'unit-not-measured',
    'invalid-experiment',
    'layer-full',
  ],
})

export const endExperiment = call({
  method: 'POST',
  path: `${one}/end`,
  summary:
    'End an experiment with a decision, and keep its results. The split stays until the flag is changed; in a layer, its users all get the chosen variation (the control, if none), because the share becomes free.',
  permission: 'flags.change',
  body: Strict({ variation: Nullable(Key), note: Type.Optional(Note) }),
  reply: Experiment,
  errors: ['wrong-state', 'invalid-experiment', 'engine-unavailable', 'query-too-large'],
})

export const deleteExperiment = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete an experiment that is not running.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
  errors: ['wrong-state'],
})

export const getExperimentResults = call({
  method: 'GET',
  path: `${one}/results`,
  summary: 'Compare the arms of an experiment by its goals: now, or as kept when it ended.',
  permission: 'project.view',
  reply: ExperimentResults,
  errors: ['wrong-state', 'engine-unavailable', 'query-too-large'],
})

export const experimentCalls = {
  listExperiments,
  createExperiment,
  planExperiment,
  getExperiment,
  updateExperiment,
  startExperiment,
  endExperiment,
  deleteExperiment,
  getExperimentResults,
}
