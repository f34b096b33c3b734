// Guarded rollouts: a variation that reaches people stage by stage, under a guard that takes it back before it harms many.

import { type Static, Type } from 'typebox'
import { rolloutStates } from '../states/rollout.ts'
import { call } from './call.ts'
import { Author } from './change-requests.ts'
import { ComparisonQuality } from './comparison-quality.ts'
import { Weight } from './flag-config.ts'
import { GapEvidence } from './gap-evidence.ts'
import { Id, Instant, Key, Nothing, Nullable, Page, pageQuery, Reason, Strict } from './parameters.ts'
import { backTestPlan, backTestRollout } from './rollout-back-test.ts'
import { RolloutFinding, ToldRollout, UsersSoFar } from './rollout-finding.ts'
import { draftMembers, PlannedMetric, RolloutStage, WhenUndecided } from './rollout-plan.ts'
import { proposeRollout } from './rollout-proposal.ts'

const RolloutState = Type.Enum([...rolloutStates])

const StageOfRollout = Type.Object({
  ...RolloutStage.properties,
  enteredAt: Nullable(Instant),
  leftAt: Nullable(Instant),
})

const summaryMembers = {
  id: Id,
  env: Key,
  flag: Key,
  flagName: Type.String(),
  place: Type.String(),
  control: Key,
  treatment: Key,
  by: Type.String(),
  state: RolloutState,
  /** Why it holds or has ended. */
  why: Nullable(Type.String()),
  stage: Type.Integer({ description: 'The place in the list of stages, from 0.' }),
  stages: Type.Array(StageOfRollout),
  weight: Type.Unsafe<number>({ ...Weight, description: 'What the treatment gets now.' }),
  turn: Type.Integer({
    description: 'Counts up with every decision: an action names the one that was seen.',
  }),
  regressed: Type.Array(Key),
  startedBy: Nullable(Author),
  createdAt: Instant,
  updatedAt: Instant,
  startedAt: Nullable(Instant),
  endedAt: Nullable(Instant),
}

export const RolloutSummary = Type.Object({
  ...summaryMembers,
  seen: Nullable(
    Type.Object(
      {
        at: Instant,
        units: UsersSoFar,
        findings: Type.Array(RolloutFinding),
        quality: Nullable(ComparisonQuality),
      },
      {
        description: 'What the guard saw when it looked last.',
      },
    ),
  ),
  telltale: ToldRollout,
})

export type RolloutSummary = Static<typeof RolloutSummary>

export const Rollout = Type.Object({
  ...RolloutSummary.properties,
  reason: Nullable(Type.String()),
  metrics: Type.Array(PlannedMetric),
  alpha: Type.Number(),
  timeBox: Type.Integer(),
  whenUndecided: WhenUndecided,
  freshDraw: Type.Boolean({ description: 'Users are assigned anew when it starts.' }),
  shippedBy: Nullable(Id),
  draftedBy: Nullable(Id),
  watched: Type.Number({ description: 'How long the guard has watched this stage, in milliseconds.' }),
  evidence: Type.Integer({ description: 'Counts up when evidence begins anew.' }),
  accepted: Type.Array(Key, { description: 'Regressions that somebody went on in spite of.' }),
  splitWrong: Nullable(Type.Enum(['split-wrong', 'people-missing'])),
  lastLook: Nullable(Type.Object({ at: Instant, isFresh: Type.Boolean() })),
  split: Nullable(Type.String({ description: 'The split, as events name it.' })),
  epochs: Nullable(
    Type.Object({ first: Type.Integer(), last: Type.Integer() }, { description: 'What counts as evidence.' }),
  ),
})

export type Rollout = Static<typeof Rollout>

export const RolloutDecision = Type.Object({
  id: Id,
  turn: Type.Integer(),
  at: Instant,
  stage: Type.Integer(),
  evidence: Type.Integer(),
  action: Type.String(),
  reason: Type.String(),
  metric: Nullable(Type.String()),
  state: RolloutState,
  by: Nullable(Author),
  comment: Nullable(Type.String()),
  refused: Nullable(
    Type.String({ description: 'It came too late, and changed nothing: somebody had decided before.' }),
  ),
  findings: Type.Array(RolloutFinding),
})

const ofProject = '/api/v1/projects/:project/rollouts'
const ofFlag = '/api/v1/projects/:project/environments/:env/flags/:flag/rollouts'
const one = '/api/v1/projects/:project/rollouts/:rollout'
const Turn = Type.Integer({ minimum: 0, description: 'The turn of the rollout that was seen.' })
const Acting = Strict({ turn: Turn, comment: Type.Optional(Reason) })
const ofDraft = ['invalid-rollout', 'wrong-state'] as const

export const listRollouts = call({
  method: 'GET',
  path: ofProject,
  summary: 'List the guarded rollouts of a project, newest first.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    state: Type.Optional(
      Type.Union([RolloutState, Type.Enum(['running-any', 'ended'])], {
        description: '`running-any`: under the guard, holding and paused ones too.',
      }),
    ),
    env: Type.Optional(Key),
    flag: Type.Optional(Key),
  }),
  reply: Page(RolloutSummary),
})

export const createRollout = call({
  method: 'POST',
  path: ofFlag,
  summary: 'Draft a guarded rollout of a variation. Nobody gets anything else before it starts.',
  permission: 'flags.change',
  idempotent: true,
  status: 201,
  body: Strict(draftMembers),
  reply: Rollout,
  errors: [...ofDraft, 'flag-not-found'],
})

export const getRollout = call({
  method: 'GET',
  path: one,
  summary: 'Show a guarded rollout: its plan, where it stands, and what the guard saw last.',
  permission: 'project.view',
  reply: Rollout,
})

export const updateRollout = call({
  method: 'PATCH',
  path: one,
  summary: 'Change a rollout that has not started; what is left out stays.',
  permission: 'flags.change',
  body: Strict({ ...draftMembers, treatment: Type.Optional(Key), turn: Turn }),
  reply: Rollout,
  errors: ofDraft,
})

export const deleteRollout = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a rollout that never started.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
  errors: ['wrong-state'],
})

const Shares = Type.Array(Type.Object({ variation: Key, weight: Weight }))

export const getServedShares = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/served',
  summary:
    'Show the shares that a flag serves now beside those that are saved: while a rollout runs, those of its stage stand in their place.',
  permission: 'project.view',
  reply: Type.Object({
    enabled: Type.Boolean(),
    version: Type.Integer(),
    places: Type.Array(
      Type.Object({
        place: Type.String({ description: 'The id of a rule, or `fallthrough`.' }),
        by: Nullable(
          Type.String({ description: 'What people are divided by; null where all get the same.' }),
        ),
        saved: Shares,
        served: Shares,
        rollout: Nullable(
          Type.Object(
            {
              ...{ id: Id, state: RolloutState, control: Key, treatment: Key },
              stage: Type.Integer({ description: 'From 0.' }),
              stages: Type.Integer(),
            },
            { description: 'Under whose guard it is.' },
          ),
        ),
      }),
    ),
  }),
})

export const listRolloutDecisions = call({
  method: 'GET',
  path: '/api/v1/projects/:project/rollouts/:rollout/decisions',
  summary: 'List what was decided about a rollout and why, newest first.',
  permission: 'project.view',
  query: Strict(pageQuery),
  reply: Page(RolloutDecision),
})

export const getRolloutHistory = call({
  method: 'GET',
  path: '/api/v1/projects/:project/rollouts/:rollout/history',
  summary: 'Show what the guard saw over time, for charts: at most as many moments as are drawn.',
  permission: 'project.view',
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        at: Instant,
        stage: Type.Integer(),
        evidence: Type.Integer(),
        units: UsersSoFar,
        findings: Type.Array(RolloutFinding),
      }),
    ),
  }),
})

export const getRolloutEvidence = call({
  method: 'GET',
  path: '/api/v1/projects/:project/rollouts/:rollout/evidence',
  summary:
    'Show where the gap was when a rollout was rolled back, as it was read then. Of one that runs, ask the impact of its flag.',
  permission: 'project.view',
  reply: Type.Object({
    items: Type.Array(Type.Object({ at: Instant, found: GapEvidence }), {
      description: 'For each metric that regressed; none until a minute after the roll-back.',
    }),
  }),
})

const acts = <const Word extends string>(word: Word, summary: string) =>
  call({
    method: 'POST',
    path: `/api/v1/projects/:project/rollouts/:rollout/${word}`,
    summary,
    permission: 'flags.change',
    idempotent: true,
    body: Acting,
    reply: Rollout,
    errors: ['wrong-state', 'version-conflict'],
  })

export const startRollout = call({
  method: 'POST',
  path: '/api/v1/projects/:project/rollouts/:rollout/start',
  summary:
    'Start a rollout: the first stage gets the treatment, and the guard begins to look. Where changes need approval, somebody other than who drafted it starts it.',
  permission: 'flags.change',
  idempotent: true,
  body: Acting,
  reply: Rollout,
  errors: ['wrong-state', 'version-conflict', 'invalid-rollout', 'guard-running', 'unit-not-measured'],
})

export const pauseRollout = call({
  method: 'POST',
  path: '/api/v1/projects/:project/rollouts/:rollout/pause',
  summary: 'Stay at the present stage until somebody resumes. The guard still rolls back.',
  permission: 'rollouts.stop',
  idempotent: true,
  body: Acting,
  reply: Rollout,
  errors: ['wrong-state', 'version-conflict'],
})

export const resumeRollout = acts('resume', 'Go on after a pause.')
export const advanceRollout = acts(
  'advance',
  'Go to the next stage now, accepting whatever regressed. Only while the guard sees both arms.',
)
export const approveRollout = acts(
  'approve',
  'Let a rollout through the gate of its next stage. Never who started it.',
)
export const finishRollout = acts(
  'finish',
  'Complete a rollout early: the last weight at once, accepting whatever regressed.',
)
export const cancelRollout = acts('cancel', 'End a rollout where it stands: the weights stay as they are.')
export const restartEvidence = acts(
  'restart-evidence',
  'Begin evidence anew: the same people, and what was seen before no longer counts.',
)

export const rollBackRollout = call({
  method: 'POST',
  path: '/api/v1/projects/:project/rollouts/:rollout/roll-back',
  summary: 'Take the treatment from everybody, now. Possible for as long as a rollout has not ended.',
  permission: 'rollouts.stop',
  idempotent: true,
  body: Strict({ turn: Type.Optional(Turn), comment: Type.Optional(Reason) }),
  reply: Rollout,
  errors: ['wrong-state'],
})

export const rolloutCalls = {
  backTestRollout,
  backTestPlan,
  listRollouts,
  proposeRollout,
  getServedShares,
  createRollout,
  getRollout,
  updateRollout,
  deleteRollout,
  listRolloutDecisions,
  getRolloutHistory,
  getRolloutEvidence,
  startRollout,
  pauseRollout,
  resumeRollout,
  advanceRollout,
  approveRollout,
  finishRollout,
  rollBackRollout,
  cancelRollout,
  restartEvidence,
}
