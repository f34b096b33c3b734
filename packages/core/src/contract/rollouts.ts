// Guarded rollouts: a variation is released stage by stage, and the guard rolls it back before it harms many users.

import { type Static, Type } from 'typebox'
import { rolloutStates } from '../states/rollout.ts'
import { call } from './call.ts'
import { Approvals, Author } from './change-requests.ts'
import { ComparisonQuality } from './comparison-quality.ts'
import { Weight } from './flag-config.ts'
import { GapEvidence } from './gap-evidence.ts'
import { Id, Instant, Key, Nothing, Nullable, Page, pageQuery, Reason, Strict } from './parameters.ts'
import { backTestPlan, backTestRollout } from './rollout-back-test.ts'
import { RolloutFinding, TelltaleSummary, UsersSoFar } from './rollout-finding.ts'
import { RolloutNarrowing, SliceOfUsers } from './rollout-narrowing.ts'
import { draftMembers, OnSliceHarm, PlannedMetric, RolloutStage, WhenUndecided } from './rollout-plan.ts'
import { RolloutProof } from './rollout-proof.ts'
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
  /** Why it is on hold or has ended. */
  why: Nullable(Type.String()),
  stage: Type.Integer({ description: 'Index of the stage, from 0.' }),
  stages: Type.Array(StageOfRollout),
  weight: Type.Unsafe<number>({ ...Weight, description: 'Current share of the treatment.' }),
  turn: Type.Integer({
    description: 'Incremented by every decision: an action names the one it is based on.',
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
        description: 'The latest look of the guard.',
      },
    ),
  ),
  telltale: TelltaleSummary,
})

export type RolloutSummary = Static<typeof RolloutSummary>

export const Rollout = Type.Object({
  ...RolloutSummary.properties,
  reason: Nullable(Type.String()),
  metrics: Type.Array(PlannedMetric),
  alpha: Type.Number(),
  timeBox: Type.Integer(),
  whenUndecided: WhenUndecided,
  freshDraw: Type.Boolean({ description: 'Users are reassigned at the start.' }),
  onSliceHarm: OnSliceHarm,
  sliceAttribute: Nullable(Type.String()),
  narrowing: Nullable(RolloutNarrowing),
  shippedBy: Nullable(Id),
  draftedBy: Nullable(Id),
  approval: Nullable(
    Type.Object(Approvals.properties, {
      description: 'What the start of the draft takes where changes need approval; null elsewhere.',
    }),
  ),
  watched: Type.Number({ description: 'Observed time of this stage in milliseconds.' }),
  evidence: Type.Integer({ description: 'Incremented when evidence restarts.' }),
  accepted: Type.Array(Key, { description: 'Regressions that a member accepted.' }),
  splitWrong: Nullable(Type.Enum(['split-wrong', 'people-missing'])),
  proof: Nullable(
    Type.Object(RolloutProof.properties, { description: 'After a rollback: what has to be gone.' }),
  ),
  lastLook: Nullable(Type.Object({ at: Instant, isFresh: Type.Boolean() })),
  split: Nullable(Type.String({ description: 'The split, as events name it.' })),
  epochs: Nullable(
    Type.Object(
      { first: Type.Integer(), last: Type.Integer() },
      { description: 'Periods that count as evidence.' },
    ),
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
  slice: Nullable(SliceOfUsers),
  state: RolloutState,
  by: Nullable(Author),
  comment: Nullable(Type.String()),
  refused: Nullable(
    Type.String({ description: 'Too late and without effect: another decision came first.' }),
  ),
  findings: Type.Array(RolloutFinding),
})

const ofProject = '/api/v1/projects/:project/rollouts'
const ofFlag = '/api/v1/projects/:project/environments/:env/flags/:flag/rollouts'
const one = '/api/v1/projects/:project/rollouts/:rollout'
const Turn = Type.Integer({ minimum: 0, description: 'The turn that the action is based on.' })
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
        description: '`running-any`: guarded, including on hold and paused.',
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
  summary: 'Draft a guarded rollout of a variation. It has no effect until it starts.',
  permission: 'flags.change',
  idempotent: true,
  status: 201,
  body: Strict({
    ...draftMembers,
    proves: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description:
          'A rollout of this variation that was rolled back: what explained it is required to be gone, as it was measured.',
      }),
    ),
    template: Type.Optional(
      Type.Unsafe<string>({
        ...Key,
        description:
          'A rollout template: the plan of what is omitted here. Its shares are those of the users of both variations.',
      }),
    ),
  }),
  reply: Rollout,
  errors: [...ofDraft, 'flag-not-found'],
})

export const getRollout = call({
  method: 'GET',
  path: one,
  summary: 'Show a guarded rollout: its plan, its state and the latest look of the guard.',
  permission: 'project.view',
  reply: Rollout,
})

export const updateRollout = call({
  method: 'PATCH',
  path: one,
  summary: 'Change a rollout draft; omitted members stay unchanged.',
  permission: 'flags.change',
  body: Strict({ ...draftMembers, treatment: Type.Optional(Key), turn: Turn }),
  reply: Rollout,
  errors: ofDraft,
})

export const deleteRollout = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a rollout draft.',
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
    'Show the weights that a flag serves now and the saved ones: a running rollout replaces them with those of its stage.',
  permission: 'project.view',
  reply: Type.Object({
    enabled: Type.Boolean(),
    version: Type.Integer(),
    places: Type.Array(
      Type.Object({
        place: Type.String({ description: 'The id of a rule, or `fallthrough`.' }),
        by: Nullable(
          Type.String({ description: 'The attribute that the split buckets on; null without a split.' }),
        ),
        saved: Shares,
        served: Shares,
        rollout: Nullable(
          Type.Object(
            {
              id: Id,
              state: RolloutState,
              control: Key,
              treatment: Key,
              stage: Type.Integer({ description: 'From 0.' }),
              stages: Type.Integer(),
            },
            { description: 'The rollout that guards it.' },
          ),
        ),
      }),
    ),
  }),
})

export const listRolloutDecisions = call({
  method: 'GET',
  path: '/api/v1/projects/:project/rollouts/:rollout/decisions',
  summary: 'List the decisions about a rollout with their reasons, newest first.',
  permission: 'project.view',
  query: Strict(pageQuery),
  reply: Page(RolloutDecision),
})

export const getRolloutHistory = call({
  method: 'GET',
  path: '/api/v1/projects/:project/rollouts/:rollout/history',
  summary: 'Show the findings of the guard over time, thinned for charts.',
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
    'Show the explanation stored when a rollout was rolled back. For a running one, use the impact of its flag.',
  permission: 'project.view',
  reply: Type.Object({
    items: Type.Array(Type.Object({ at: Instant, found: GapEvidence }), {
      description: 'One per regressed metric; empty until a minute after the rollback.',
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
    errors: ['wrong-state', 'version-conflict', 'budget-spent'],
  })

export const startRollout = call({
  method: 'POST',
  path: '/api/v1/projects/:project/rollouts/:rollout/start',
  summary:
    'Start a rollout: the first stage gets the treatment, and the guard starts. Where changes need approval, the draft must have it; starting it counts as an approval by another member who may approve.',
  permission: 'flags.change',
  idempotent: true,
  body: Acting,
  reply: Rollout,
  errors: ['wrong-state', 'version-conflict', 'invalid-rollout', 'guard-running', 'unit-not-measured'],
})

export const approveRolloutStart = call({
  method: 'POST',
  path: '/api/v1/projects/:project/rollouts/:rollout/approve-start',
  summary:
    'Approve the draft of a rollout where changes need approval. The approval lapses when the draft changes. Not possible for its author.',
  permission: 'changes.approve',
  idempotent: true,
  body: Acting,
  reply: Rollout,
  errors: ['wrong-state', 'version-conflict'],
})

export const pauseRollout = call({
  method: 'POST',
  path: '/api/v1/projects/:project/rollouts/:rollout/pause',
  summary: 'Pause a rollout at its current stage. The guard still rolls back.',
  permission: 'rollouts.stop',
  idempotent: true,
  body: Acting,
  reply: Rollout,
  errors: ['wrong-state', 'version-conflict'],
})

export const resumeRollout = acts('resume', 'Resume a paused rollout.')
export const advanceRollout = acts(
  'advance',
  'Advance to the next stage now, accepting regressions. Only while the guard has data of both arms.',
)
export const approveRollout = acts(
  'approve',
  'Approve the next stage of a rollout. Not possible for the member who started it.',
)
export const finishRollout = acts(
  'finish',
  'Complete a rollout early with its final weight, accepting regressions.',
)
export const cancelRollout = acts('cancel', 'Cancel a rollout and keep its current weights.')
export const restartEvidence = acts(
  'restart-evidence',
  'Restart the evidence: same users, earlier data no longer counts.',
)

export const restoreSlice = call({
  method: 'POST',
  path: '/api/v1/projects/:project/rollouts/:rollout/restore-slice',
  summary: 'Let an excluded slice back now. It is not excluded again in this rollout.',
  permission: 'flags.change',
  idempotent: true,
  body: Strict({ turn: Turn, exclusion: Id, comment: Type.Optional(Reason) }),
  reply: Rollout,
  errors: ['wrong-state', 'version-conflict'],
})

export const rollBackRollout = call({
  method: 'POST',
  path: '/api/v1/projects/:project/rollouts/:rollout/roll-back',
  summary: 'Roll back now: no user keeps the treatment. Possible until the rollout ends.',
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
  approveRolloutStart,
  startRollout,
  pauseRollout,
  resumeRollout,
  advanceRollout,
  approveRollout,
  finishRollout,
  rollBackRollout,
  cancelRollout,
  restartEvidence,
  restoreSlice,
}
