// Flagsmith has no JSON values: teams store JSON as text. An import can parse it, so that flags serve objects. A
// feature is parsed entirely or not at all: every value must be an object, a list or empty.

import type { FeatureState, VariantValue } from '../../contract/flagsmith.ts'
import type { JsonValue } from '../../contract/trace.ts'
import type { KnownVariations } from './import-variations.ts'

type Value = FeatureState['feature_state_value']

/** Undefined when the text is not a JSON object or list. */
export function parseStructure(value: unknown): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return undefined
  try {
    const parsed: JsonValue = JSON.parse(value)
    return parsed
  } catch {
    // Invalid JSON.
    return undefined
  }
}

export function holdsJson(states: readonly FeatureState[]): boolean {
  const values = states.flatMap((state) => [
    state.feature_state_value,
    ...(state.multivariate_feature_state_values ?? []).map(
      (variant) => variant.multivariate_feature_option.value,
    ),
  ])
  const filled = values.filter((value) => value !== undefined && value !== null && value !== '')
  return filled.length > 0 && filled.every((value) => parseStructure(value) !== undefined)
}

/** Whether an earlier import parsed it: nightly imports then keep parsing without the option. */
export function isOfJson(known: KnownVariations | undefined): boolean {
  return known?.variations.some(({ value }) => typeof value === 'object' && value !== null) ?? false
}

/** Differences in white space do not make a different value. */
const compact = <Given extends Value>(value: Given): Given | string => {
  const parsed = parseStructure(value)
  return parsed === undefined ? value : JSON.stringify(parsed)
}

export function withCompactJson(state: FeatureState): FeatureState {
  const { feature_state_value: value, multivariate_feature_state_values: variants } = state
  return {
    ...state,
    ...(value !== undefined && { feature_state_value: compact(value) }),
    ...(variants && { multivariate_feature_state_values: variants.map(compactVariant) }),
  }
}

export function compactVariant(variant: VariantValue): VariantValue {
  const option = variant.multivariate_feature_option
  return { ...variant, multivariate_feature_option: { ...option, value: compact(option.value) } }
}

export function compactKnown(known: KnownVariations): KnownVariations {
  const variations = known.variations.map((one) => ({
    ...one,
    value: typeof one.value === 'string' ? compact(one.value) : one.value,
  }))
  return { ...known, variations }
}
