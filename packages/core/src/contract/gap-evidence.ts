// What stands behind the gap between two arms, as far as the data show it: where it is, never why.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { BothArms } from './both-arms.ts'
import { Count } from './measured.ts'
import { Id, Instant, Key, Nullable } from './parameters.ts'
import { ProfiledFrame } from './profiles.ts'

export const sliceFields = ['browser', 'device', 'country', 'version'] as const

export const GapExplanation = Type.Object({
  kind: Type.Enum(['issue', 'failing-request', 'slow-request', 'function', 'slice'], {
    description:
      'Its share is one of: extra units with an error; with a failed request; extra time of requests; of scripts; of the metric itself.',
  }),
  share: Type.Object(
    { lower: Type.Number(), estimate: Type.Number(), upper: Type.Number() },
    {
      description:
        'Of all that is too much of its kind in the treatment, from 0 to 1. All intervals hold together at any time with 95 %.',
    },
  ),
  values: Type.Object(BothArms.properties, { description: 'In each arm.' }),
  elsewhere: Nullable(
    Type.Object(BothArms.properties, { description: 'Of a part of the people: the same among all others.' }),
  ),
  measuredIn: Type.Enum(
    ['units', 'ms-per-session', 'ms-per-profile', 'slow-share', 'share', 'per-session', 'value'],
    {
      description:
        '`units`: the share of units that met it. `slow-share`: the share of values above what three of four stay below in the control.',
    },
  ),
  issue: Nullable(
    Type.Object({
      group: Type.String(),
      type: Type.String(),
      message: Type.String(),
      culprit: Type.String(),
    }),
  ),
  request: Nullable(Type.Object({ method: Type.String(), host: Type.String(), endpoint: Type.String() })),
  frame: Nullable(ProfiledFrame),
  page: Nullable(Type.String({ description: 'Of a function: where it takes most of its time.' })),
  slice: Nullable(
    Type.Object({
      field: Type.Enum([...sliceFields]),
      value: Type.String({ description: 'Empty: unknown.' }),
    }),
  ),
  replays: Type.Array(
    Type.Object({
      session: Id,
      at: Instant,
      offset: Type.Number({ minimum: 0, description: 'Milliseconds since the session began.' }),
    }),
    {
      maxItems: limits.evidenceReplays,
      description: 'Recorded sessions of the treatment in which it was as usual, not as bad as it gets.',
    },
  ),
})
export type GapExplanation = Static<typeof GapExplanation>

export const GapEvidence = Type.Object({
  metric: Key,
  from: Instant,
  to: Instant,
  missing: Nullable(
    Type.Enum(['part', 'all'], { description: 'Events of that time that retention has removed.' }),
  ),
  /** Candidates: the more there are, the surer each has to be. */
  lookedAt: Type.Object({ issues: Count, requests: Count, functions: Count, slices: Count }),
  tooFew: Type.Integer({ minimum: 0, description: 'Parts of the people with too few of them to be judged.' }),
  explanations: Type.Array(GapExplanation, {
    maxItems: limits.evidenceShown,
    description: 'The largest share first; none: nothing stands out.',
  }),
})
export type GapEvidence = Static<typeof GapEvidence>
