// Documents of Unleash: what its server SDKs read (`GET /api/client/features`), for one environment, and what its console
// exports. Members not listed here are ignored.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { OptionalOrNull } from './parameters.ts'

const Text = Type.String({ maxLength: limits.importedTextLength })
const Name = Type.String({ minLength: 1, maxLength: limits.importedTextLength })
const maxItems = limits.importedFlagParts

const Constraint = Type.Object({
  contextName: Text,
  operator: Text,
  inverted: OptionalOrNull(Type.Boolean()),
  caseInsensitive: OptionalOrNull(Type.Boolean()),
  values: OptionalOrNull(Type.Array(Text, { maxItems: limits.importedListItems })),
  value: OptionalOrNull(Type.Union([Text, Type.Number()])),
})
const Constraints = OptionalOrNull(Type.Array(Constraint, { maxItems }))

const Variant = Type.Object({
  name: Name,
  weight: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  stickiness: OptionalOrNull(Text),
  payload: OptionalOrNull(Type.Object({ type: Text, value: Type.Union([Text, Type.Number()]) })),
  overrides: OptionalOrNull(
    Type.Array(
      Type.Object({ contextName: Text, values: Type.Array(Text, { maxItems: limits.importedListItems }) }),
      { maxItems },
    ),
  ),
})
const Variants = OptionalOrNull(Type.Array(Variant, { maxItems: limits.variationsPerFlag }))

const Strategy = Type.Object({
  name: Text,
  title: OptionalOrNull(Text),
  disabled: OptionalOrNull(Type.Boolean()),
  parameters: OptionalOrNull(Type.Record(Type.String(), Type.Unknown())),
  constraints: Constraints,
  segments: OptionalOrNull(Type.Array(Type.Integer(), { maxItems })),
  variants: Variants,
})

const Dependencies = OptionalOrNull(
  Type.Array(
    Type.Object({
      feature: Name,
      enabled: OptionalOrNull(Type.Boolean()),
      variants: OptionalOrNull(Type.Array(Text, { maxItems })),
    }),
    { maxItems },
  ),
)

const Feature = Type.Object({
  name: Name,
  description: OptionalOrNull(Text),
  enabled: Type.Boolean(),
  strategies: OptionalOrNull(Type.Array(Strategy, { maxItems })),
  variants: Variants,
  dependencies: Dependencies,
})

const Segment = Type.Object({ id: Type.Integer(), name: OptionalOrNull(Text), constraints: Constraints })

export const UnleashDocument = Type.Object({
  features: Type.Array(Feature, { maxItems: limits.flagsPerProject }),
  segments: OptionalOrNull(Type.Array(Segment, { maxItems: limits.segmentsPerProject })),
})

const parts = { maxItems: limits.flagsPerProject * 20 }

/** An export has features, strategies and environments in lists of their own. */
export const UnleashExport = Type.Object({
  features: Type.Array(Type.Object({ name: Name, description: OptionalOrNull(Text) }), {
    maxItems: limits.flagsPerProject,
  }),
  featureStrategies: Type.Array(
    Type.Object({
      ...Strategy.properties,
      featureName: Name,
      environment: OptionalOrNull(Text),
      sortOrder: OptionalOrNull(Type.Number()),
    }),
    parts,
  ),
  featureEnvironments: Type.Array(
    Type.Object({
      featureName: Name,
      environment: OptionalOrNull(Text),
      enabled: Type.Boolean(),
      variants: Variants,
    }),
    parts,
  ),
  segments: OptionalOrNull(Type.Array(Segment, { maxItems: limits.segmentsPerProject })),
  dependencies: OptionalOrNull(Type.Array(Type.Object({ feature: Name, dependencies: Dependencies }), parts)),
})

export type UnleashExport = Static<typeof UnleashExport>
export type UnleashDocument = Static<typeof UnleashDocument>
export type UnleashFeature = Static<typeof Feature>
export type UnleashStrategy = Static<typeof Strategy>
export type UnleashConstraint = Static<typeof Constraint>
export type UnleashVariant = Static<typeof Variant>
export type UnleashSegment = Static<typeof Segment>
