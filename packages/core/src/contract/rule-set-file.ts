// The rule set of an environment as text: sent to server SDKs, in full or as a delta, and kept on disk.

import { type Static, Type } from 'typebox'
import { ConditionGroup } from './conditions.ts'
import { FlagConfig, HoldoutShare } from './flag-config.ts'
import { FlagsmithFeature, FlagsmithSegment } from './flagsmith.ts'
import type { JsonValue } from './trace.ts'

const flag = {
  key: Type.String(),
  /** Version of the flag's configuration in this environment. */
  version: Type.Number(),
  valueType: Type.Enum(['boolean', 'string', 'number', 'json']),
  clientVisible: Type.Boolean(),
  variations: Type.Array(Type.Object({ key: Type.String(), value: Type.Unsafe<JsonValue>(Type.Unknown()) })),
  config: FlagConfig,
  flagsmith: Type.Optional(FlagsmithFeature),
  /** Running holdouts that cover it. */
  holdouts: Type.Optional(Type.Array(HoldoutShare)),
}

/** Variations by targeting key. */
const Overrides = Type.Record(Type.String(), Type.String())

const RuleSetFlag = Type.Object({ ...flag, overrides: Overrides })
const RuleSetSegment = Type.Object({
  key: Type.String(),
  when: ConditionGroup,
  flagsmith: Type.Optional(FlagsmithSegment),
})

export const RuleSetFile = Type.Object({
  version: Type.String(),
  /** The key of the environment. */
  environment: Type.String(),
  flags: Type.Array(RuleSetFlag),
  segments: Type.Array(RuleSetSegment),
})
export type RuleSetFile = Static<typeof RuleSetFile>

/** The changes from one version to another. */
export const RuleSetDelta = Type.Object({
  version: Type.String(),
  environment: Type.String(),
  /** The version that it applies to. */
  since: Type.String(),
  /** New or changed. Overrides are kept unless given; if given, they replace all earlier ones. */
  flags: Type.Array(Type.Object({ ...flag, overrides: Type.Optional(Overrides) })),
  removedFlags: Type.Array(Type.String()),
  segments: Type.Array(RuleSetSegment),
  removedSegments: Type.Array(Type.String()),
  /** By flag and targeting key; null removes the override. */
  overrides: Type.Record(Type.String(), Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))),
})
export type RuleSetDelta = Static<typeof RuleSetDelta>

export type FlagText = Omit<Static<typeof RuleSetFlag>, 'overrides'>
export type SegmentText = Static<typeof RuleSetSegment>
