// The guard's finding about one metric at one look.

import { type Static, Type } from 'typebox'
import { BothArms, openInterval } from './both-arms.ts'
import { MetricQuality } from './comparison-quality.ts'
import { Key, Nullable } from './parameters.ts'

export const MeasuredIn = Type.Enum(['ms', 'score', 'share', 'per-session', 'value'], {
  description: 'Format of the values; `unit` is shown after values of custom metrics.',
})

export const RolloutFinding = Type.Object({
  metric: Key,
  state: Type.Enum(['collecting', 'watching', 'healthy', 'regressed', 'gone']),
  missing: Nullable(
    Type.String({ description: 'Why there is no number, or no verdict yet, such as `too-few-units`.' }),
  ),
  units: Type.Object(BothArms.properties, {
    description: 'Users with a measurement of the metric, among all users so far.',
  }),
  values: Nullable(BothArms),
  harm: openInterval('How much worse the treatment is: 0.05 is 5% worse. Each end is always valid.'),
  limit: Type.Number(),
  margin: Nullable(Type.Number({ description: 'The limit for the next stage, on the same scale.' })),
  events: Nullable(Type.Object({ all: Type.Number(), treatment: Type.Number(), expected: Type.Number() })),
  rateBelow: Nullable(Type.Number()),
  since: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Set if the regression began late: `harm` is measured since the start of this day (UTC).',
    }),
  ),
  missingPeople: Nullable(
    Type.Object(
      { arm: Type.Enum(['treatment', 'control']), share: Type.Number({ minimum: 0, maximum: 1 }) },
      {
        description:
          'Users of this arm without telemetry, as a share of those expected. `harm` is widened by what they could hide.',
      },
    ),
  ),
  quality: Nullable(MetricQuality),
  saved: Nullable(
    Type.Number({
      description:
        'With history of users: the share of users that it saves. Null where it does not help, or was not known at the start.',
    }),
  ),
})

export type RolloutFinding = Static<typeof RolloutFinding>

/** Distinct users exposed to each arm so far. A metric is measured only on those with the events it needs. */
export const UsersSoFar = Type.Object(BothArms.properties, {
  description: 'Users so far: different users that were exposed to each arm since the evidence began.',
})

/** The telltale of a rollout: the worst of all its metrics. */
export const TelltaleSummary = Type.Object({
  users: Nullable(UsersSoFar),
  override: Nullable(
    Type.Enum(['none', 'waiting', 'fouled', 'down', 'fluttering'], {
      description: 'A reason that takes precedence over the worst metric.',
    }),
  ),
  worst: Nullable(
    Type.Object({
      ...RolloutFinding.properties,
      name: Type.String(),
      better: Type.Enum(['lower', 'higher']),
      measuredIn: MeasuredIn,
      unit: Type.String(),
    }),
  ),
})

export type TelltaleSummary = Static<typeof TelltaleSummary>
