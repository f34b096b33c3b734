// The environment document of Flagsmith, and its import. Flagsmith's servers provide it for local evaluation at `GET
// /api/v1/environment-document/`; members not listed here are ignored.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Key, Nullable, Strict } from './parameters.ts'

const FlagsmithId = Type.Integer({ minimum: 0 })
const Text = Type.String({ maxLength: limits.flagsmithTextLength })
const Value = Type.Union([Text, Type.Number(), Type.Boolean(), Type.Null()])

export const VariantValue = Type.Object({
  id: Type.Optional(Nullable(FlagsmithId)),
  mv_fs_value_uuid: Type.Optional(Nullable(Text)),
  percentage_allocation: Type.Number({ minimum: 0, maximum: 100 }),
  multivariate_feature_option: Type.Object({
    id: Type.Optional(Nullable(FlagsmithId)),
    value: Value,
    key: Type.Optional(Nullable(Text)),
  }),
})

export const FeatureState = Type.Object({
  feature: Type.Object({
    id: Type.Integer({ minimum: 1 }),
    name: Type.String({ minLength: 1, maxLength: limits.flagsmithTextLength }),
    type: Type.Optional(Text),
  }),
  enabled: Type.Boolean(),
  feature_state_value: Type.Optional(Value),
  django_id: Type.Optional(Nullable(FlagsmithId)),
  featurestate_uuid: Type.Optional(Nullable(Text)),
  feature_segment: Type.Optional(Nullable(Type.Object({ priority: Type.Optional(Nullable(Type.Number())) }))),
  multivariate_feature_state_values: Type.Optional(
    Type.Array(VariantValue, { maxItems: limits.variationsPerFlag }),
  ),
})

const SegmentRule = Type.Cyclic(
  {
    Rule: Type.Object({
      type: Type.Enum(['ALL', 'ANY', 'NONE']),
      rules: Type.Optional(Type.Array(Type.Ref('Rule'), { maxItems: limits.conditionsPerSegment })),
      conditions: Type.Optional(
        Type.Array(
          Type.Object({
            operator: Text,
            property_: Type.Optional(Nullable(Text)),
            value: Type.Optional(Nullable(Text)),
          }),
          { maxItems: limits.conditionsPerSegment },
        ),
      ),
    }),
  },
  'Rule',
)

export interface DocumentRule {
  type: 'ALL' | 'ANY' | 'NONE'
  rules?: DocumentRule[]
  conditions?: { operator: string; property_?: string | null; value?: string | null }[]
}

const DocumentSegment = Type.Object({
  id: FlagsmithId,
  name: Type.String({ minLength: 1, maxLength: limits.flagsmithTextLength }),
  rules: Type.Unsafe<DocumentRule[]>(Type.Array(SegmentRule, { maxItems: limits.conditionsPerSegment })),
  feature_states: Type.Optional(Type.Array(FeatureState, { maxItems: limits.flagsPerProject })),
})

const Flag = Type.Optional(Nullable(Type.Boolean()))

export const FlagsmithDocument = Type.Object({
  id: Type.Optional(Nullable(FlagsmithId)),
  api_key: Type.String({ minLength: 1, maxLength: limits.flagsmithKeyLength, pattern: '^[\\x21-\\x7e]+$' }),
  name: Type.Optional(Nullable(Text)),
  hide_disabled_flags: Flag,
  hide_sensitive_data: Flag,
  allow_client_traits: Flag,
  project: Type.Object({
    id: Type.Optional(Nullable(FlagsmithId)),
    name: Type.Optional(Nullable(Text)),
    hide_disabled_flags: Flag,
    server_key_only_feature_ids: Type.Optional(Type.Array(FlagsmithId)),
    organisation: Type.Optional(Nullable(Type.Object({ persist_trait_data: Flag }))),
    segments: Type.Optional(Type.Array(DocumentSegment, { maxItems: limits.segmentsPerProject })),
  }),
  feature_states: Type.Array(FeatureState, { maxItems: limits.flagsPerProject }),
  identity_overrides: Type.Optional(
    Type.Array(
      Type.Object({
        identifier: Type.String({ minLength: 1, maxLength: limits.targetingKeyLength }),
        identity_features: Type.Array(FeatureState, { maxItems: limits.flagsPerProject }),
      }),
      { maxItems: limits.overridesPerEnvironment },
    ),
  ),
})

export type FlagsmithDocument = Static<typeof FlagsmithDocument>
export type FeatureState = Static<typeof FeatureState>
export type VariantValue = Static<typeof VariantValue>
export type DocumentSegment = Static<typeof DocumentSegment>

/** The feature data that an import keeps beside the flag, for responses to Flagsmith's clients. */
export const FlagsmithFeature = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  type: Type.String(),
  /** Variations that represent a disabled feature, whatever its value. */
  disabled: Type.Array(Key),
  /** The value of a feature without one. */
  empty: Type.Union([Type.Literal(''), Type.Null()]),
  /** The Flagsmith variant of each variation. */
  variants: Type.Record(
    Type.String(),
    Type.Object({ id: Nullable(FlagsmithId), key: Nullable(Type.String()) }),
  ),
})

export type FlagsmithFeature = Static<typeof FlagsmithFeature>

/** The segment data that an import keeps. */
export const FlagsmithSegment = Type.Object({ id: FlagsmithId, name: Type.String() })

export type FlagsmithSegment = Static<typeof FlagsmithSegment>

/** The environment data that an import keeps, including its settings. */
export const FlagsmithEnvironment = Type.Object({
  apiKey: Type.String(),
  id: Nullable(FlagsmithId),
  name: Type.String(),
  projectId: Nullable(FlagsmithId),
  projectName: Type.String(),
  hidesDisabled: Type.Boolean(),
  hidesSensitive: Type.Boolean(),
  takesClientTraits: Type.Boolean(),
  keepsTraits: Type.Boolean(),
})

export type FlagsmithEnvironment = Static<typeof FlagsmithEnvironment>

export const importFlagsmithEnvironment = call({
  method: 'POST',
  path: '/api/v1/import/flagsmith-environment',
  summary:
    'Import a Flagsmith environment from its environment document, with its key, ids and bucketing. A document with the same key replaces the earlier import, all or nothing.',
  permission: 'signed-in',
  large: limits.importSize,
  query: Strict({
    project: Type.Optional(
      Type.String({
        ...Key,
        description: 'Target project. Default: the name in the document; created if missing.',
      }),
    ),
    env: Type.Optional(
      Type.String({
        ...Key,
        description: 'Default: the environment name in the document; created if missing.',
      }),
    ),
    parseJson: Type.Optional(
      Type.Boolean({
        description:
          'Import features whose values are all JSON objects or lists in text form as JSON flags, also over OFREP; Flagsmith clients still get text. Kept by later imports. Default: false.',
      }),
    ),
  }),
  body: FlagsmithDocument,
  reply: Type.Object({
    project: Key,
    env: Key,
    clientKey: Type.String({ description: 'The key in the document: clients keep using it.' }),
    replaced: Type.Boolean({ description: 'Imported before.' }),
    flags: Count,
    segments: Count,
    overrides: Count,
    notes: Type.Array(Type.String(), { description: 'Differences from the original, as sentences.' }),
  }),
  errors: ['forbidden', 'not-found', 'already-exists', 'in-use', 'managed'],
})

export const flagsmithCalls = { importFlagsmithEnvironment }
