// What the guard found about one metric at one look.

import { type Static, Type } from 'typebox'
import { Key, Nullable } from './parameters.ts'

export const BothArms = Type.Object({ treatment: Type.Number(), control: Type.Number() })
/** Null where it has no end. */
const End = Nullable(Type.Number())

/** An estimate between two ends that may be open; null before there is one. */
export const openInterval = (description: string) =>
  Nullable(Type.Object({ lower: End, estimate: End, upper: End }, { description }))

export const MeasuredIn = Type.Enum(['ms', 'score', 'share', 'per-session', 'value'], {
  description: 'How values are read; `unit` stands behind those of own metrics.',
})

export const RolloutFinding = Type.Object({
  metric: Key,
  state: Type.Enum(['collecting', 'watching', 'healthy', 'regressed', 'gone']),
  missing: Nullable(
    Type.String({ description: 'Why there is no number, or no verdict yet, such as `too-few-units`.' }),
  ),
  units: BothArms,
  values: Nullable(BothArms),
  harm: openInterval('How much worse the treatment is: 0.05 is 5 % worse. Each end holds at any time.'),
  limit: Type.Number(),
  margin: Nullable(
    Type.Number({ description: 'Below it lies what may go on to the next stage, on the same axis.' }),
  ),
  events: Nullable(Type.Object({ all: Type.Number(), treatment: Type.Number(), expected: Type.Number() })),
  rateBelow: Nullable(Type.Number()),
})

export type RolloutFinding = Static<typeof RolloutFinding>

/** What the telltale of a rollout shows: of all its metrics the worst. */
export const ToldRollout = Type.Object({
  override: Nullable(
    Type.Enum(['none', 'waiting', 'fouled', 'down', 'fluttering'], {
      description: 'What outranks the numbers of the worst metric.',
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

export type ToldRollout = Static<typeof ToldRollout>
