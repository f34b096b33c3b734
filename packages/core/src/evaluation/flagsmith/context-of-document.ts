// Converts Flagsmith's environment document, which its servers provide for local evaluation, to an evaluation context.

import type {
  DocumentRule,
  DocumentSegment,
  FeatureState,
  FlagsmithDocument,
  VariantValue,
} from '../../contract/flagsmith.ts'
import type {
  EvaluationContext,
  FeatureContext,
  SegmentContext,
  SegmentRule,
} from '../flagsmith-evaluation-context.ts'

export type EnvironmentDocument = Pick<
  FlagsmithDocument,
  'api_key' | 'name' | 'feature_states' | 'identity_overrides'
> & { project: Pick<FlagsmithDocument['project'], 'segments'> }

type IdentityOverride = NonNullable<FlagsmithDocument['identity_overrides']>[number]

/** The segment name that Flagsmith reports for identity overrides. */
const overridesName = 'identity_overrides'

/** The context without an identity. Identity overrides are separate: `overridesOf` returns those of one identity. */
export function contextOfDocument(document: EnvironmentDocument): EvaluationContext {
  const { api_key: key, name, feature_states: states, project } = document
  const segments = (project.segments ?? []).toSorted((left, right) => left.id - right.id)
  return {
    environment: { key, name: name ?? '' },
    features: Object.fromEntries(states.map((state) => [state.feature.name, featureOf(state)])),
    segments: Object.fromEntries(segments.map((segment) => [`id:${segment.id}`, segmentOf(segment)])),
  }
}

/** Identity overrides as a segment that contains only this identity and has the highest priority. */
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
      value: operandOf(operator, value),
    })),
  }
}

/** A missing operand compares as the text `null`, except for operators that require a text. */
export function operandOf(operator: string, value: string | null | undefined): string {
  return value ?? (operatorsOfTexts.has(operator) ? '' : 'null')
}

const operatorsOfTexts = new Set(['REGEX', 'MODULO', 'IN', 'NOT_CONTAINS', 'IS_SET', 'IS_NOT_SET'])

function featureOf(state: FeatureState): FeatureContext {
  const {
    feature,
    enabled,
    feature_state_value: value = null,
    django_id: id,
    featurestate_uuid: uuid,
  } = state
  const priority = state.feature_segment?.priority ?? undefined
  return {
    key: id ? String(id) : (uuid ?? ''),
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
    priority: priorityOf(variant),
    ...(key === null || key === undefined ? {} : { key }),
  }
}

/** The smallest takes its percentage first. */
export function priorityOf({ id, mv_fs_value_uuid: uuid }: VariantValue): number {
  return id ?? numberOf(uuid ?? '')
}

/** A UUID as a number. The order is kept up to the precision of a double. */
function numberOf(uuid: string): number {
  const digits = uuid.replaceAll('-', '')
  return /^[0-9a-f]{32}$/i.test(digits) ? Number(BigInt(`0x${digits}`)) : Number.MAX_VALUE
}
