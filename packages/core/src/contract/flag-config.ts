// What a flag does in one environment, in four forms:
//
// - `FlagConfigDraft`: what a change saves. Splits are weights; the server assigns the rest.
// - `GivenConfig`: what a client may send: a draft, or a configuration as the API returned it.
// - `ConfigPatch`: some parts of a draft, for changes that are applied later.
// - `FlagConfig`: what is saved, evaluated and sent to server SDKs. Splits hold bucket ranges.

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
    /** Default: `targetingKey`. `anonymousId` keeps a browser's variation across sign-in. */
    by: Type.Optional(Attribute),
  }),
])

export const RuleDraft = Strict({
  /** Assigned by the server to a new rule; clients keep it. */
  id: Type.Optional(Type.String({ format: 'uuid' })),
  description: Type.Optional(Type.String({ maxLength: limits.nameLength })),
  when: ConditionGroup,
  serve: ServeDraft,
})

export const Prerequisite = Strict({ flag: Key, variation: VariationKey })

export type Prerequisite = Static<typeof Prerequisite>

export const FlagConfigDraft = Strict({
  enabled: Type.Boolean(),
  offVariation: VariationKey,
  prerequisites: Type.Array(Prerequisite, { maxItems: limits.prerequisitesPerFlag }),
  rules: Type.Array(RuleDraft, { maxItems: limits.rulesPerFlag }),
  fallthrough: ServeDraft,
})

export type FlagConfigDraft = Static<typeof FlagConfigDraft>

const GivenServe = Type.Union([
  ...ServeDraft.anyOf,
  // The server manages the other members of a saved split; they come from the saved configuration.
  Type.Object({
    split: Type.Object({
      by: Attribute,
      arms: Type.Array(Type.Object({ variation: VariationKey, weight: Weight }), {
        minItems: 1,
        maxItems: limits.variationsPerFlag,
      }),
    }),
  }),
])

const GivenRule = Strict({ ...RuleDraft.properties, serve: GivenServe })

export const GivenConfig = Strict({
  ...FlagConfigDraft.properties,
  rules: Type.Array(GivenRule, { maxItems: limits.rulesPerFlag }),
  fallthrough: GivenServe,
})

export type GivenConfig = Static<typeof GivenConfig>

/** A part of a configuration, applied to the one that is saved at that time. */
export type ConfigPatch = Partial<FlagConfigDraft>

/** The same, in the form that a client may send. */
export const GivenPatch = Type.Partial(GivenConfig, { additionalProperties: false, minProperties: 1 })

const Position = Type.Integer({ minimum: 0, maximum: limits.weightTotal })

/** From the first position (inclusive) to the second (exclusive). */
export const PositionRange = Type.Tuple([Position, Position])

export const Arm = Type.Object({
  variation: VariationKey,
  weight: Weight,
  /** The positions it holds: ascending, disjoint and not adjacent. Unused with Flagsmith's bucketing. */
  ranges: Type.Array(PositionRange),
  /**
   * Every position it holds or has held, in the order of assignment: the latest are released first, and released
   * ones are reclaimed before new ones. A descending pair was filled from its upper end.
   */
  claims: Type.Optional(Type.Array(PositionRange)),
  /** The variant id at Flagsmith, kept by an import: variants are tried in the order of their ids. */
  optionId: Type.Optional(Type.Integer({ minimum: 0 })),
  /** The percentage at Flagsmith, kept by an import until the weight changes if it is not a whole weight. */
  allocation: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
})

export type Arm = Static<typeof Arm>

/** A holdout that covers a flag: its users get the off variation, unless an override names them. */
export const HoldoutShare = Type.Object({
  key: Key,
  salt: Type.String(),
  /** Of 100 000 positions, from the first. */
  share: Weight,
})

export type HoldoutShare = Static<typeof HoldoutShare>

/** The share of a layer that an experiment holds: the split serves only its users. */
export const LayerShare = Type.Object({
  /** The key of the layer. */
  key: Key,
  by: Attribute,
  /** The layer's own, so that its positions are independent of every split's. */
  salt: Type.String(),
  ranges: Type.Array(PositionRange, { minItems: 1, maxItems: limits.rangesPerSplit }),
  /** What all others get: the control of the experiment. */
  otherwise: VariationKey,
})

export type LayerShare = Static<typeof LayerShare>

/**
 * A saved split. `ranges` are the positions (of 100,000) that each variation holds. They persist across weight
 * changes, so that increasing a variation's weight removes no user from it. `epoch` counts the weight changes.
 */
export const Split = Type.Object({
  id: Type.String(),
  epoch: Type.Integer({ minimum: 1 }),
  by: Attribute,
  arms: Type.Array(Arm, { minItems: 1, maxItems: limits.variationsPerFlag }),
  salt: Type.Optional(
    Type.String({
      description:
        'Set by a rollout that reassigns users: hashed into the buckets of this split instead of the seed of the flag.',
    }),
  ),
  /** While an experiment in a layer runs on it. */
  layer: Type.Optional(LayerShare),
  /** Buckets as Flagsmith does, with the imported ids. Without it, Telltale's hash and `ranges` decide. */
  bucketing: Type.Optional(
    Type.Object({
      kind: Type.Literal('flagsmith'),
      /** The environment key at Flagsmith: part of every identity key. */
      environmentKey: Type.String(),
      /** The id of the feature state, as text. */
      stateKey: Type.String(),
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
})

export type Rule = Static<typeof Rule>
export type FlagConfig = Static<typeof FlagConfig>
