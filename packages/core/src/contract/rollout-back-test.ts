// A guard tried on the past of its site: what it would have said where nobody changed anything.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count, Share } from './measured.ts'
import { Instant, Key, Nullable, Strict } from './parameters.ts'
import { draftMembers } from './rollout-plan.ts'

const Alarm = Type.Object({
  run: Count,
  metric: Key,
  onRegression: Type.Enum(['roll-back', 'hold', 'notify']),
  stage: Type.Integer({ minimum: 0, description: 'The place in the list of stages.' }),
  after: Type.Integer({ minimum: 0, description: 'Since the rollout began, in milliseconds of the past.' }),
})

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
    looks: Type.Integer({ minimum: 1, description: 'Looks of each run. A running guard looks more often.' }),
    runs: Count,
  }),
  Type.Object({
    type: Type.Literal('progress'),
    alarms: Type.Array(Alarm, { description: 'Those since the message before.' }),
    rate: Nullable(Rate),
  }),
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
