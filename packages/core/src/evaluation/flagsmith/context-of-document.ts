// From Flagsmith's environment document, which its servers hand out for evaluation elsewhere, to an evaluation context.

import type {
  EvaluationContext,
  FeatureContext,
  FlagsmithValue,
  SegmentContext,
  SegmentRule,
} from './evaluation-context.ts'

export interface EnvironmentDocument {
  api_key: string
  name?: string | undefined
  feature_states: readonly FeatureState[]
  project: { segments?: readonly DocumentSegment[] | undefined }
  identity_overrides?: readonly IdentityOverride[] | undefined
}

export interface FeatureState {
  feature: { id: number; name: string; type?: string }
  enabled: boolean
  feature_state_value?: FlagsmithValue | undefined
  django_id?: number | null | undefined
  featurestate_uuid?: string | undefined
  feature_segment?: { priority?: number | null | undefined } | null | undefined
  multivariate_feature_state_values?: readonly VariantValue[] | undefined
}

export interface VariantValue {
  id?: number | null | undefined
  mv_fs_value_uuid?: string | undefined
  percentage_allocation: number
  multivariate_feature_option: { value: FlagsmithValue; key?: string | null | undefined }
}

export interface DocumentSegment {
  id: number
  name: string
  rules: readonly DocumentRule[]
  feature_states?: readonly FeatureState[] | undefined
}

export interface DocumentRule {
  type: 'ALL' | 'ANY' | 'NONE'
  rules?: readonly DocumentRule[] | undefined
  conditions?:
    | readonly {
        operator: string
        property_?: string | null | undefined
        value?: string | null | undefined
      }[]
    | undefined
}

export interface IdentityOverride {
  identifier: string
  identity_features: readonly FeatureState[]
}

/** The name that answers give for what was set for one identity. */
const overridesName = 'identity_overrides'

/** Without an identity. What is set for single identities is kept apart: `overridesOf` gives it for one. */
export function contextOfDocument(document: EnvironmentDocument): EvaluationContext {
  const { api_key: key, name = '', feature_states: states, project } = document
  const segments = (project.segments ?? []).toSorted((left, right) => left.id - right.id)
  return {
    environment: { key, name },
    features: Object.fromEntries(states.map((state) => [state.feature.name, featureOf(state)])),
    segments: Object.fromEntries(segments.map((segment) => [`id:${segment.id}`, segmentOf(segment)])),
  }
}

/** As a segment that only the identity is in, stronger than every other. */
export function overridesOf({ identifier, identity_features: states }: IdentityOverride): SegmentContext {
  return {
    key: '',
    name: overridesName,
    rules: [
      {
        type: 'ALL',
        conditions: [{ property: '$.identity.identifier', operator: 'IN', value: [identifier] }],
      },
    ],
    overrides: states.map((state) => ({ ...featureOf(state), priority: Number.NEGATIVE_INFINITY })),
  }
}

function segmentOf({ id, name, rules, feature_states: states = [] }: DocumentSegment): SegmentContext {
  return {
    key: String(id),
    name,
    rules: rules.map(ruleOf),
    overrides: states.map(featureOf),
    metadata: { id },
  }
}

function ruleOf({ type, rules = [], conditions = [] }: DocumentRule): SegmentRule {
  return {
    type,
    rules: rules.map(ruleOf),
    conditions: conditions.map(({ operator, property_, value }) => ({
      operator,
      property: property_ ?? '',
      value: value ?? '',
    })),
  }
}

function featureOf(state: FeatureState): FeatureContext {
  const {
    feature,
    enabled,
    feature_state_value: value = null,
    django_id: id,
    featurestate_uuid: uuid = '',
  } = state
  const priority = state.feature_segment?.priority ?? undefined
  return {
    key: id ? String(id) : uuid,
    name: feature.name,
    enabled,
    value,
    variants: (state.multivariate_feature_state_values ?? []).map(variantOf),
    metadata: { id: feature.id },
    ...(priority === undefined ? {} : { priority }),
  }
}

function variantOf(variant: VariantValue) {
  const { value, key } = variant.multivariate_feature_option
  return {
    value,
    weight: variant.percentage_allocation,
    priority: variant.id ?? numberOf(variant.mv_fs_value_uuid ?? ''),
    ...(key === null || key === undefined ? {} : { key }),
  }
}

/** A UUID as the number it is. Its order is kept as far as a double tells numbers apart. */
function numberOf(uuid: string): number {
  const digits = uuid.replaceAll('-', '')
  return /^[0-9a-f]{32}$/i.test(digits) ? Number(BigInt(`0x${digits}`)) : Number.MAX_VALUE
}
