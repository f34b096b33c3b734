// How often a flag was evaluated in an environment, and what it served.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Instant, InstantParameter, Key, Nullable, Strict } from './parameters.ts'

export const EvaluationStep = Type.Enum(['minute', 'hour', 'day'], {
  description:
    'Minutes are kept for two days, hours for five weeks; older counts are at the start of their hour or day. Default: hour.',
})

const Count = Type.Integer({ minimum: 0 })

export const getFlagEvaluations = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/evaluations',
  summary: 'Show how often a flag was evaluated in an environment, by variation and reason.',
  permission: 'project.view',
  query: Strict({
    from: Type.Optional(InstantParameter),
    to: Type.Optional(InstantParameter),
    step: Type.Optional(EvaluationStep),
  }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    step: EvaluationStep,
    total: Count,
    /** The earliest ever, regardless of the queried range. */
    firstEvaluatedAt: Nullable(Instant),
    lastEvaluatedAt: Nullable(Instant),
    series: Type.Array(
      Type.Object({
        variation: Nullable(Key),
        reason: Type.String(),
        total: Count,
        points: Type.Array(Type.Object({ at: Instant, count: Count }), {
          description: 'Steps with evaluations; omitted steps are zero.',
        }),
      }),
      { description: `The most frequent first. At most ${limits.evaluationPoints} steps fit into a range.` },
    ),
  }),
})

export const evaluationCalls = { getFlagEvaluations }
