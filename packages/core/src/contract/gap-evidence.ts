// What contributes to the difference between two arms, as far as the data show: where it occurs, not why.

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
      'What the share is based on: extra units with an error, extra units with a failed request, extra request time, extra script time, or the metric itself.',
  }),
  share: Type.Object(
    { lower: Type.Number(), estimate: Type.Number(), upper: Type.Number() },
    {
      description:
        'Share of the excess of its kind in the treatment, from 0 to 1. Simultaneous always-valid 95% intervals.',
    },
  ),
  values: Type.Object(BothArms.properties, { description: 'In each arm.' }),
  elsewhere: Nullable(
    Type.Object(BothArms.properties, { description: 'For a segment: the same among all other users.' }),
  ),
  measuredIn: Type.Enum(
    ['units', 'ms-per-session', 'ms-per-profile', 'slow-share', 'share', 'per-session', 'value'],
    {
      description:
        '`units`: the share of affected units. `slow-share`: the share of values above the 75th percentile of the control.',
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
  page: Nullable(Type.String({ description: 'For a function: where it takes most of its time.' })),
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
      description: 'Typical recorded sessions of the treatment, not the worst ones.',
    },
  ),
  traces: Type.Optional(
    Type.Array(
      Type.Object({
        traceId: Type.String(),
        spanId: Nullable(
          Type.String({ description: 'In which it happened; null if the event has no span.' }),
        ),
        at: Instant,
      }),
      {
        maxItems: limits.evidenceReplays,
        description: 'Typical traces of the treatment. Explanations that were stored earlier have none.',
      },
    ),
  ),
})
export type GapExplanation = Static<typeof GapExplanation>

export const GapEvidence = Type.Object({
  metric: Key,
  from: Instant,
  to: Instant,
  missing: Nullable(
    Type.Enum(['part', 'all'], { description: 'Events of that period were deleted by retention.' }),
  ),
  /** Candidates tested: the more there are, the stronger the evidence each needs. */
  lookedAt: Type.Object({ issues: Count, requests: Count, functions: Count, slices: Count }),
  tooFew: Type.Integer({ minimum: 0, description: 'Segments with too few users.' }),
  explanations: Type.Array(GapExplanation, {
    maxItems: limits.evidenceShown,
    description: 'Largest share first; empty: no contributor found.',
  }),
})
export type GapEvidence = Static<typeof GapEvidence>
