// Back-tests a guard on the past data of its site: what it would have found while nothing was changed.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { rolloutStates } from '../states/rollout.ts'
import { call } from './call.ts'
import { Count, Share } from './measured.ts'
import { Id, Instant, Key, Nullable, Strict } from './parameters.ts'
import { draftMembers } from './rollout-plan.ts'

const Alarm = Type.Object({
  run: Count,
  metric: Key,
  onRegression: Type.Enum(['roll-back', 'hold', 'notify']),
  stage: Type.Integer({ minimum: 0, description: 'Index of the stage.' }),
  after: Type.Integer({ minimum: 0, description: 'Milliseconds of simulated time since the start.' }),
})

const Harm = Nullable(
  Type.Number({ description: 'Like limits: 0.05 is 5% worse. Null if no harm is detected that often.' }),
)

const StageResult = Type.Object({
  stage: Type.Integer({ minimum: 0, description: 'Index of the stage.' }),
  time: Type.Integer({ minimum: 0, description: 'Maximum duration in milliseconds.' }),
  metrics: Type.Array(
    Type.Object({
      metric: Key,
      half: Type.Unsafe<number | null>({
        ...Harm,
        description: 'The smallest harm detected by the end of the stage in half of the runs.',
      }),
      fourInFive: Harm,
      healthy: Type.Unsafe<number>({
        ...Share,
        description: 'Share of harmless runs found healthy by then.',
      }),
      instead: Nullable(
        Type.Object(
          {
            time: Nullable(Type.Integer({ description: 'Maximum duration of the stage in milliseconds.' })),
            weight: Nullable(Type.Integer()),
            limit: Nullable(Type.Number()),
          },
          {
            description:
              'Suggestions if fewer than 80% of harmless runs are found healthy: each one would be enough. Null if it would not.',
          },
        ),
      ),
    }),
  ),
})

export const PastRollout = Type.Object(
  {
    rollout: Id,
    flag: Key,
    treatment: Key,
    state: Type.Enum([...rolloutStates]),
    startedAt: Instant,
    endedAt: Instant,
    stage: Type.Integer({ description: 'The stage in which it ended.' }),
    stages: Count,
    by: Nullable(Type.String({ description: 'Who ended it; null: the guard.' })),
    metric: Nullable(Type.String({ description: 'The metric that caused the rollback.' })),
    missing: Nullable(
      Type.Enum(['retention', 'nobody', 'unreadable', 'time'], {
        description:
          'Why it was skipped: its data was deleted, an arm had no users, the store did not respond, or time ran out.',
      }),
    ),
    alarms: Type.Array(
      Type.Object({
        metric: Key,
        onRegression: Type.Enum(['roll-back', 'hold', 'notify']),
        stage: Type.Integer({ minimum: 0, description: 'Stage of the rollout then.' }),
        at: Instant,
      }),
    ),
  },
  { description: 'What this guard would have done in a past rollout, and how it really ended.' },
)

export type PastRollout = Static<typeof PastRollout>

const Rate = Type.Object(
  { runs: Count, rolledBack: Count, lower: Share, share: Share, upper: Share },
  { description: 'Number of runs rolled back, with the 95% interval (Wilson) of their share.' },
)

/** The data of one server-sent event; `type` is also the event's name. */
export const BackTestMessage = Type.Union([
  Type.Object({
    type: Type.Literal('site'),
    from: Instant,
    to: Instant,
    people: Type.Integer({ minimum: 0, description: 'Users assigned at random in every run.' }),
    sampled: Type.Number({ description: 'Share of all users of the period; 1 is all.' }),
    reading: Type.Number({
      description: 'Share of users exposed to the flag; 1 before any exposure. Detectable harm includes it.',
    }),
    looks: Type.Integer({ minimum: 0, description: 'Looks of each run. A running guard looks more often.' }),
    time: Type.Integer({ minimum: 0, description: 'Duration of each run in simulated milliseconds.' }),
    isShortened: Type.Boolean({
      description: 'The data is shorter than the plan: stages are scaled down.',
    }),
    runs: Count,
  }),
  Type.Object({
    type: Type.Literal('progress'),
    alarms: Type.Array(Alarm, { description: 'Since the previous message.' }),
    rate: Nullable(Rate),
  }),
  Type.Object(
    { type: Type.Literal('stages'), runs: Count, stages: Type.Array(StageResult) },
    { description: 'Detectable harm per stage after this many runs. The latest is the most precise.' },
  ),
  Type.Object({ type: Type.Literal('past'), ...PastRollout.properties }),
  Type.Object({
    type: Type.Literal('end'),
    rate: Nullable(Rate),
    why: Type.Enum(['done', 'nobody', 'no-comparison', 'time', 'engine-unavailable', 'query-too-large'], {
      description: '`time`: stopped at the time limit before all runs finished.',
    }),
  }),
])

export type BackTestMessage = Static<typeof BackTestMessage>

const Runs = Type.Optional(
  Type.Integer({ minimum: 1, maximum: limits.backTestRuns, description: 'Default: the maximum.' }),
)

export const backTestRollout = call({
  method: 'GET',
  path: '/api/v1/projects/:project/rollouts/:rollout/back-test',
  summary:
    'Back-test the guard of a rollout on the last 30 days with random arms, where every alarm is a false alarm. Close the stream to cancel.',
  permission: 'project.view',
  query: Strict({ runs: Runs }),
  reply: BackTestMessage,
  stream: true,
  errors: ['too-many-streams'],
})

export const backTestPlan = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/rollout-back-test',
  summary: 'Back-test a plan before drafting a rollout. Saves nothing. Close the stream to cancel.',
  permission: 'project.view',
  body: Strict({
    plan: Strict(draftMembers),
    runs: Runs,
  }),
  reply: BackTestMessage,
  stream: true,
  errors: ['invalid-rollout', 'too-many-streams'],
})
