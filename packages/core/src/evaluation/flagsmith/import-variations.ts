// Derives variations from a Flagsmith feature. Flagsmith serves a value and an enabled state per environment, segment
// or identity; a flag here has a fixed list of variations. Each distinct pair becomes one variation.

import type { FeatureState, FlagsmithFeature, VariantValue } from '../../contract/flagsmith.ts'
import type { JsonValue } from '../../contract/trace.ts'
import { limits } from '../../limits.ts'
import type { FlagsmithValue } from '../flagsmith-evaluation-context.ts'
import {
  compactKnown,
  compactVariant,
  holdsJson,
  isOfJson,
  parseStructure,
  withCompactJson,
} from './json-texts.ts'
import { createKeyGiver } from './name-keys.ts'

export interface ImportedVariation {
  key: string
  name: string
  /** An object or a list when JSON texts are parsed. */
  value: JsonValue
}

export interface ImportedVariations {
  valueType: 'boolean' | 'string' | 'number' | 'json'
  /** Omits variations that are no longer served in this or another environment. */
  used(): UsedVariations
  /** The variation of the state itself. */
  ofState(state: FeatureState): string
  /** The variation of one of the state's variants. */
  ofVariant(state: FeatureState, variant: VariantValue): string
}

interface UsedVariations {
  /** In order of first use; a boolean flag lists off, then on. */
  list: ImportedVariation[]
  /** Variations of a disabled feature, whatever its value. */
  disabled: string[]
  /** The value that Flagsmith's API returns for a feature without a value. */
  empty: '' | null
  /** Flagsmith's variants, by variation. */
  variants: FlagsmithFeature['variants']
}

/** What an earlier import, of this or another environment, created for a feature. */
export interface KnownVariations {
  valueType: ImportedVariations['valueType']
  variations: readonly { key: string; name: string; value: unknown }[]
  feature: FlagsmithFeature
  /** Keys of variations that are in use outside of this environment. Default: all. */
  needed?: ReadonlySet<string>
}

/** Takes all states of one feature. Existing variations are kept. */
export function importVariations(
  given: readonly FeatureState[],
  { known, parsesJson = false }: { known?: KnownVariations | undefined; parsesJson?: boolean } = {},
): ImportedVariations {
  const isJson = (parsesJson || isOfJson(known)) && holdsJson(given)
  const states = isJson ? given.map(withCompactJson) : given
  const isValued = known !== undefined && known.valueType !== 'boolean'
  if (isToggle(states) && !isValued) return toggle(states)
  const texts = valued(states, isJson && known ? compactKnown(known) : known)
  if (!isJson) return texts
  const used = () => {
    const { list, ...more } = texts.used()
    return { ...more, list: list.map((one) => ({ ...one, value: parseStructure(one.value) ?? one.value })) }
  }
  return {
    valueType: 'json',
    used,
    ofState: (state) => texts.ofState(withCompactJson(state)),
    ofVariant: (state, variant) => texts.ofVariant(state, compactVariant(variant)),
  }
}

const servedBy = ({ feature_state_value: value }: FeatureState): FlagsmithValue => value ?? null
const variantsOf = ({ multivariate_feature_state_values: variants = [] }: FeatureState) => variants

/** A feature without any value is a boolean flag. */
function isToggle(states: readonly FeatureState[]): boolean {
  const values = new Set(states.map(servedBy))
  const [value] = values
  return (
    values.size === 1 &&
    (value === null || value === '') &&
    states.every((state) => variantsOf(state).length === 0)
  )
}

function toggle(states: readonly FeatureState[]): ImportedVariations {
  const ofState = ({ enabled }: FeatureState) => (enabled ? 'on' : 'off')
  return {
    valueType: 'boolean',
    used: () => ({
      list: [
        { key: 'off', name: 'Off', value: false },
        { key: 'on', name: 'On', value: true },
      ],
      disabled: [],
      empty: states.some((state) => servedBy(state) === '') ? '' : null,
      variants: {},
    }),
    ofState,
    ofVariant: ofState,
  }
}

function valued(states: readonly FeatureState[], known?: KnownVariations): ImportedVariations {
  const { found, disabled, variants } = begin(known)
  const served = new Set<string>()
  const giveKey = createKeyGiver(
    'value',
    [...found.values()].map(({ key }) => key),
  )
  const add = (
    id: string,
    { enabled, value, name }: { enabled: boolean; value: FlagsmithValue; name: string },
  ) => {
    const known = found.get(id)
    if (known !== undefined) {
      served.add(known.key)
      return known.key
    }
    const key = giveKey(enabled ? name : `${name} off`)
    served.add(key)
    const shown = (enabled ? name : `${name}, off`).slice(0, limits.nameLength)
    found.set(id, { key, name: shown, value })
    if (!enabled) disabled.push(key)
    return key
  }
  const ofState = (state: FeatureState) => {
    const value = servedBy(state)
    const { enabled } = state
    return add(JSON.stringify([enabled, value]), { enabled, value, name: nameOf(value) })
  }
  const ofVariant = (state: FeatureState, variant: VariantValue) => {
    const { id, key: variantKey, value } = variant.multivariate_feature_option
    const { enabled } = state
    const key = add(JSON.stringify([enabled, value, id ?? null, variantKey ?? null]), {
      enabled,
      value,
      name: variantKey || nameOf(value),
    })
    variants[key] = { id: id ?? null, key: variantKey ?? null }
    return key
  }
  for (const state of states) {
    ofState(state)
    for (const variant of variantsOf(state)) ofVariant(state, variant)
  }
  const isKept = (key: string) => served.has(key) || known?.needed?.has(key) !== false
  const used = (): UsedVariations => ({
    list: [...found.values()].filter(({ key }) => isKept(key)),
    disabled: disabled.filter(isKept),
    empty: null,
    variants: Object.fromEntries(Object.entries(variants).filter(([key]) => isKept(key))),
  })
  return { valueType: typeOf([...found.values()]), used, ofState, ofVariant }
}

/** A boolean flag whose feature has a value now: on and off are kept, without a value. */
function begin(known: KnownVariations | undefined) {
  const found = new Map<string, ImportedVariation>()
  if (known === undefined) return { found, disabled: [], variants: {} }
  const { valueType, feature } = known
  const isToggle = valueType === 'boolean'
  const disabled = isToggle ? ['off'] : [...feature.disabled]
  for (const { key, name, value } of known.variations) {
    const kept = isToggle ? feature.empty : toValue(value)
    const option = feature.variants[key]
    const id = [!disabled.includes(key), kept, ...(option ? [option.id, option.key] : [])]
    found.set(JSON.stringify(id), { key, name, value: kept })
  }
  return { found, disabled, variants: { ...feature.variants } }
}

/** A variation's value may have been edited here since: types that Flagsmith lacks stay distinct. */
function toValue(value: unknown): FlagsmithValue {
  const isValue =
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isValue ? value : JSON.stringify(value)
}

function nameOf(value: FlagsmithValue): string {
  const text = value === null ? 'No value' : String(value).trim()
  return text === '' ? 'Empty' : text
}

function typeOf(list: readonly ImportedVariation[]): ImportedVariations['valueType'] {
  const types = new Set(list.map(({ value }) => typeof value))
  const [type] = types
  return types.size === 1 && (type === 'string' || type === 'number') ? type : 'json'
}
