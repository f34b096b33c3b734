// What a flag does in one environment.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Attribute, ConditionGroup } from './conditions.ts'
import { Key, Strict } from './parameters.ts'

const VariationKey = Key

/** Whole numbers that sum to 100 000. */
export const Weight = Type.Integer({ minimum: 0, maximum: limits.weightTotal })

/** One variation to everyone, or a weighted choice bucketed on one attribute of the context. */
export const ServeDraft = Type.Union([
  Strict({ variation: VariationKey }),
  Strict({
    split: Type.Array(Strict({ variation: VariationKey, weight: Weight }), {
      minItems: 1,
      maxItems: limits.variationsPerFlag,
    }),
    /** Default: `targetingKey`. `anonymousId` keeps a browser's value through sign-in. */
    by: Type.Optional(Attribute),
  }),
])

export const RuleDraft = Strict({
  /** Given by the server to a new rule; kept by the client afterwards. */
  id: Type.Optional(Type.String({ format: 'uuid' })),
  description: Type.Optional(Type.String({ maxLength: limits.nameLength })),
  when: ConditionGroup,
  serve: ServeDraft,
})

export const Prerequisite = Strict({ flag: Key, variation: VariationKey })

/** What a client saves. */
export const FlagConfigDraft = Strict({
  enabled: Type.Boolean(),
  offVariation: VariationKey,
  prerequisites: Type.Array(Prerequisite, { maxItems: limits.prerequisitesPerFlag }),
  rules: Type.Array(RuleDraft, { maxItems: limits.rulesPerFlag }),
  fallthrough: ServeDraft,
})

export type FlagConfigDraft = Static<typeof FlagConfigDraft>

/**
 * A saved choice. `ranges` are the positions (of 100 000) that each variation holds: they outlive a change of weights,
 * so that growing a variation takes no one out of it. `epoch` counts the changes of the weights.
 */
export const Split = Type.Object({
  id: Type.String(),
  epoch: Type.Integer({ minimum: 1 }),
  by: Attribute,
  arms: Type.Array(
    Type.Object({
      variation: VariationKey,
      weight: Weight,
      ranges: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
    }),
  ),
})

export type Split = Static<typeof Split>

export const Serve = Type.Union([Type.Object({ variation: VariationKey }), Type.Object({ split: Split })])

export type Serve = Static<typeof Serve>

export const Rule = Type.Object({
  id: Type.String({ format: 'uuid' }),
  description: Type.String(),
  when: ConditionGroup,
  serve: Serve,
})

export const FlagConfig = Type.Object({
  enabled: Type.Boolean(),
  offVariation: VariationKey,
  prerequisites: Type.Array(Prerequisite),
  rules: Type.Array(Rule),
  fallthrough: Serve,
  salt: Type.String(),
  version: Type.Integer({ minimum: 1 }),
})
