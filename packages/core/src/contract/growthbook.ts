// Documents of GrowthBook: what its SDKs read (`GET /api/features/{key}`), for one environment, and what its API lists
// (`GET /api/v1/features`). Members not listed here are ignored.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { OptionalOrNull } from './parameters.ts'

const Text = Type.String({ maxLength: limits.importedTextLength })
const maxItems = limits.importedFlagParts
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Range = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })
const Condition = Type.Record(Type.String(), Type.Unknown())

const Filter = Type.Object({
  seed: Text,
  attribute: OptionalOrNull(Text),
  ranges: Type.Array(Range, { maxItems }),
})

const Rule = Type.Object({
  id: OptionalOrNull(Text),
  condition: OptionalOrNull(Condition),
  parentConditions: OptionalOrNull(
    Type.Array(
      Type.Object({ id: Text, condition: OptionalOrNull(Condition), gate: OptionalOrNull(Type.Boolean()) }),
      {
        maxItems,
      },
    ),
  ),
  filters: OptionalOrNull(Type.Array(Filter, { maxItems })),
  namespace: OptionalOrNull(Type.Array(Type.Unknown(), { maxItems: 3 })),
  force: Type.Optional(Type.Unknown()),
  coverage: OptionalOrNull(Share),
  range: OptionalOrNull(Range),
  seed: OptionalOrNull(Text),
  key: OptionalOrNull(Text),
  name: OptionalOrNull(Text),
  hashAttribute: OptionalOrNull(Text),
  variations: OptionalOrNull(Type.Array(Type.Unknown(), { maxItems: limits.variationsPerFlag })),
  contextualVariations: OptionalOrNull(Type.Array(Type.Unknown(), { maxItems: limits.variationsPerFlag })),
  weights: OptionalOrNull(Type.Array(Type.Number(), { maxItems: limits.variationsPerFlag })),
  ranges: OptionalOrNull(Type.Array(Range, { maxItems: limits.variationsPerFlag })),
  meta: OptionalOrNull(
    Type.Array(Type.Object({ passthrough: OptionalOrNull(Type.Boolean()) }), {
      maxItems: limits.variationsPerFlag,
    }),
  ),
})

const Feature = Type.Object({
  defaultValue: Type.Optional(Type.Unknown()),
  rules: OptionalOrNull(Type.Array(Rule, { maxItems })),
})

export const GrowthBookDocument = Type.Object({
  features: Type.Record(Type.String(), Feature, { maxProperties: limits.flagsPerProject }),
  savedGroups: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { maxProperties: limits.segmentsPerProject }),
  ),
})

/** The API has a feature of each environment as the text of a JSON document. */
export const GrowthBookApiDocument = Type.Object({
  features: Type.Array(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: limits.importedTextLength }),
      archived: OptionalOrNull(Type.Boolean()),
      environments: Type.Record(
        Type.String(),
        Type.Object({
          enabled: Type.Boolean(),
          definition: OptionalOrNull(Type.String({ maxLength: limits.importSize })),
        }),
        { maxProperties: limits.importedEnvironments },
      ),
    }),
    { maxItems: limits.flagsPerProject },
  ),
})

export type GrowthBookApiDocument = Static<typeof GrowthBookApiDocument>
export type GrowthBookDocument = Static<typeof GrowthBookDocument>
export type GrowthBookFeature = Static<typeof Feature>
export type GrowthBookRule = Static<typeof Rule>
