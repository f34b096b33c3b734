// How a targeting change would affect the users of the last days, before it is saved.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { ConditionGroup } from './conditions.ts'
import { GivenConfig } from './flag-config.ts'
import { configErrors } from './flags.ts'
import { Count } from './measured.ts'
import { Instant, Key, Nullable, Strict, TargetingKey } from './parameters.ts'

const Variation = Nullable(Key)

const Move = Type.Object({
  from: Variation,
  to: Variation,
  people: Count,
  sessions: Count,
  exposed: Type.Integer({ minimum: 0, description: 'Of these, the users already exposed to the flag.' }),
})

export const FlagChanges = Type.Object({
  flag: Key,
  people: Type.Integer({ minimum: 0, description: 'Users who would get another variation.' }),
  sessions: Type.Integer({ minimum: 0, description: 'Their sessions.' }),
  sessionsWithErrors: Count,
  exposed: Type.Integer({
    minimum: 0,
    description: 'Of these, the users already exposed to the flag.',
  }),
  moves: Type.Array(Move, { description: 'From which variation to which; null where none is served.' }),
  devices: Type.Array(Type.Object({ device: Type.String(), people: Count }), {
    description: 'Users with sessions who would get another variation.',
  }),
  rules: Type.Array(Count, {
    description:
      'How many users each rule would serve, in the order of the rules. Empty for other flags, and while the flag is off.',
  }),
  examples: Type.Array(
    Type.Object({ targetingKey: TargetingKey, from: Variation, to: Variation, sessions: Count }),
    { description: `At most ${limits.blastRadiusExamples}, those with the most sessions first.` },
  ),
})

export type FlagChanges = Static<typeof FlagChanges>

export const previewBlastRadius = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/blast-radius',
  summary:
    'Evaluate the users of the last 7 days before and after a targeting change: who would get another variation. Saves nothing.',
  permission: 'project.view',
  body: Strict({
    change: Type.Union([
      Strict({ flag: Key, draft: GivenConfig }),
      Strict({ segment: Key, when: ConditionGroup }),
    ]),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.cursorLength,
        description: '`next` of the previous part. The caller adds the parts up.',
      }),
    ),
  }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    next: Nullable(Type.String({ description: 'For the next part; null after the last one.' })),
    total: Type.Integer({ minimum: 0, description: 'Estimated number of users in all parts together.' }),
    people: Type.Integer({
      minimum: 0,
      description: 'In this part: identities seen in the period and users with a session in it.',
    }),
    sessions: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Null while the telemetry store is unavailable: only identities count then.',
      }),
    ),
    flags: Type.Array(FlagChanges, {
      description: `The changed flag and those that require it, or the flags whose rules name the segment; at most ${limits.blastRadiusFlags}.`,
    }),
    masked: Type.Array(Type.String(), {
      description:
        'Sensitive traits of the environment that you cannot see: users were evaluated without them.',
    }),
    moreFlags: Type.Integer({ minimum: 0, description: 'Affected flags that were not evaluated.' }),
  }),
  errors: configErrors,
})

export const blastRadiusCalls = { previewBlastRadius }
