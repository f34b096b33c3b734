// Rollout templates: named plans of guarded rollouts, without what depends on a flag or an environment.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Instant, Key, Name, Nothing, Strict, Version } from './parameters.ts'
import { Alpha, FreshDraw, Metrics, RolloutStage, TimeBox, WhenUndecided } from './rollout-plan.ts'

const Description = Type.String({ maxLength: limits.descriptionLength })

const Stages = Type.Array(
  Strict({
    ...RolloutStage.properties,
    weight: Type.Integer({
      minimum: 1,
      maximum: limits.weightTotal,
      description: 'Share of the users of both variations, in units of 0.001%.',
    }),
  }),
  { minItems: 1, maxItems: limits.rolloutStages, description: 'Each larger than the previous one.' },
)

const draft = {
  key: Key,
  name: Name,
  description: Type.Optional(Description),
  stages: Stages,
  metrics: Metrics,
  alpha: Type.Optional(Alpha),
  timeBox: Type.Optional(TimeBox),
  whenUndecided: Type.Optional(WhenUndecided),
  freshDraw: Type.Optional(FreshDraw),
}

export const RolloutTemplate = Type.Object({
  key: Key,
  name: Type.String(),
  description: Type.String(),
  stages: Stages,
  metrics: Metrics,
  alpha: Alpha,
  timeBox: TimeBox,
  whenUndecided: WhenUndecided,
  freshDraw: FreshDraw,
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
})

export type RolloutTemplate = Static<typeof RolloutTemplate>

const all = '/api/v1/projects/:project/rollout-templates'
const one = '/api/v1/projects/:project/rollout-templates/:template'

export const listRolloutTemplates = call({
  method: 'GET',
  path: all,
  summary: 'List the rollout templates of a project, by key.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(RolloutTemplate) }),
})

export const getRolloutTemplate = call({
  method: 'GET',
  path: one,
  summary: 'Show a rollout template.',
  permission: 'project.view',
  versioned: true,
  reply: RolloutTemplate,
})

export const createRolloutTemplate = call({
  method: 'POST',
  path: all,
  summary: 'Create a rollout template.',
  permission: 'flags.change',
  idempotent: true,
  versioned: true,
  status: 201,
  body: Strict(draft),
  reply: RolloutTemplate,
  errors: ['already-exists', 'in-use', 'invalid-rollout'],
})

const { key: _key, ...members } = draft

export const updateRolloutTemplate = call({
  method: 'PATCH',
  path: one,
  summary:
    'Change a rollout template; omitted members stay unchanged. Rollouts drafted from it stay unchanged.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({
    ...members,
    name: Type.Optional(Name),
    stages: Type.Optional(Stages),
    metrics: Type.Optional(Metrics),
  }),
  reply: RolloutTemplate,
  errors: ['invalid-rollout'],
})

export const deleteRolloutTemplate = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a rollout template. Rollouts that were drafted from it stay.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
})

export const rolloutTemplateCalls = {
  listRolloutTemplates,
  getRolloutTemplate,
  createRolloutTemplate,
  updateRolloutTemplate,
  deleteRolloutTemplate,
}
