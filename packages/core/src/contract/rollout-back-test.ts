// A guard tried on the past of its site: what it would have said where nobody changed anything.

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
  stage: Type.Integer({ minimum: 0, description: 'The place in the list of stages.' }),
  after: Type.Integer({ minimum: 0, description: 'Since the rollout began, in milliseconds of the past.' }),
})

const Harm = Nullable(
  Type.Number({ description: 'As limits are: 0.05 is 5 % worse. Null where no harm is seen so often.' }),
)

const StageSight = Type.Object({
  stage: Type.Integer({ minimum: 0, description: 'The place in the list of stages.' }),
  time: Type.Integer({ minimum: 0, description: 'How long it lasts at most, in milliseconds.' }),
  metrics: Type.Array(
    Type.Object({
      metric: Key,
      half: Type.Unsafe<number | null>({
        ...Harm,
        description:
          'The smallest harm that is called a regression by the end of the stage in half of the draws.',
      }),
      fourInFive: Harm,
      healthy: Type.Unsafe<number>({
        ...Share,
        description: 'Of draws in which nothing is changed: the share that is found healthy by then.',
      }),
      instead: Nullable(
        Type.Object(
          {
            time: Nullable(Type.Integer({ description: 'The longest time of the stage, in milliseconds.' })),
            weight: Nullable(Type.Integer()),
            limit: Nullable(Type.Number()),
          },
          {
            description:
              'At the end, where fewer than four in five harmless draws are found healthy: about what would do, each alone. Null where it would not.',
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
    by: Nullable(Type.String({ description: 'Who ended it; null: its own guard.' })),
    metric: Nullable(Type.String({ description: 'For which metric it was rolled back.' })),
    missing: Nullable(
      Type.Enum(['retention', 'nobody', 'unreadable', 'time'], {
        description:
          'Why it could not be tried on it: what was seen is no longer kept, nobody was in both arms, the store did not answer, or those before took all the time there is.',
      }),
    ),
    alarms: Type.Array(
      Type.Object({
        metric: Key,
        onRegression: Type.Enum(['roll-back', 'hold', 'notify']),
        stage: Type.Integer({ minimum: 0, description: 'Where the rollout was then.' }),
        at: Instant,
      }),
    ),
  },
  { description: 'What this guard would have done in a rollout that has ended, and how that ended.' },
)

export type PastRollout = Static<typeof PastRollout>

const Rate = Type.Object(
  { runs: Count, rolledBack: Count, lower: Share, share: Share, upper: Share },
  { description: 'How many runs were rolled back, and the 95 % interval (Wilson) of their share.' },
)

/** The data of one server-sent event; `type` is its name too. */
export const BackTestMessage = Type.Union([
  Type.Object({
    type: Type.Literal('site'),
    from: Instant,
    to: Instant,
    people: Type.Integer({ minimum: 0, description: 'Who are drawn anew for every run.' }),
    sampled: Type.Number({ description: 'Of all people of the time; 1 is everybody.' }),
    reading: Type.Number({
      description:
        'The share of people who come to the flag; 1 while nobody does. What stages see counts with it.',
    }),
    looks: Type.Integer({ minimum: 0, description: 'Looks of each run. A running guard looks more often.' }),
    time: Type.Integer({ minimum: 0, description: 'How long each run lasts, in milliseconds of the past.' }),
    isShortened: Type.Boolean({
      description: 'The past is shorter than the plan may last: every stage has its part of it.',
    }),
    runs: Count,
  }),
  Type.Object({
    type: Type.Literal('progress'),
    alarms: Type.Array(Alarm, { description: 'Those since the message before.' }),
    rate: Nullable(Rate),
  }),
  Type.Object(
    { type: Type.Literal('stages'), runs: Count, stages: Type.Array(StageSight) },
    { description: 'What each stage can see, after so many runs. The last one is the best.' },
  ),
  Type.Object({ type: Type.Literal('past'), ...PastRollout.properties }),
  Type.Object({
    type: Type.Literal('end'),
    rate: Nullable(Rate),
    why: Type.Enum(['done', 'nobody', 'no-comparison', 'time', 'engine-unavailable', 'query-too-large'], {
      description: '`time`: not all runs were done in the time that one may take.',
    }),
  }),
])

export type BackTestMessage = Static<typeof BackTestMessage>

const Runs = Type.Optional(
  Type.Integer({ minimum: 1, maximum: limits.backTestRuns, description: 'Default: as many as can be.' }),
)

export const backTestRollout = call({
  method: 'GET',
  path: '/api/v1/projects/:project/rollouts/:rollout/back-test',
  summary:
    'Try the guard of a rollout on what people did in the last 30 days, in arms that never were: every alarm is a false one. Closing the stream ends it.',
  permission: 'project.view',
  query: Strict({ runs: Runs }),
  reply: BackTestMessage,
  stream: true,
  errors: ['too-many-streams'],
})

export const backTestPlan = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/rollout-back-test',
  summary:
    'Try a plan that nobody has drafted yet in the same way, before there is a rollout. Saves nothing. Closing the stream ends it.',
  permission: 'project.view',
  body: Strict({
    plan: Strict(draftMembers),
    runs: Runs,
  }),
  reply: BackTestMessage,
  stream: true,
  errors: ['invalid-rollout', 'too-many-streams'],
})
