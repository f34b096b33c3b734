// A feature of Unleash as the variations of one flag: `disabled`, and each of its variants or `enabled`. Without
// variants it is a boolean flag.

import type { UnleashFeature, UnleashStrategy, UnleashVariant } from '../../contract/unleash.ts'
import { createKeyGiver } from '../../evaluation/flagsmith/name-keys.ts'
import { type RuleParts, serveSplit } from '../build-rules.ts'
import type { ImportedVariation, ValueType } from '../imported.ts'
import { onOff } from '../name-variations.ts'
import type { Notes } from '../notes.ts'
import { textOf } from '../plain-members.ts'
import { all, any, isIn, none, spellings, type Term } from '../terms.ts'
import { attributeOf } from './constraints.ts'
import { unitOf } from './strategies.ts'

export interface FeatureVariations {
  valueType: ValueType
  variations: ImportedVariation[]
  off: string
  /** What an enabled feature serves where it has no variants. */
  on: string
  keyOf(variant: string): string
}

export function variationsOf(feature: UnleashFeature): FeatureVariations {
  const found = new Map<string, UnleashVariant>()
  const lists = [feature.variants, ...(feature.strategies ?? []).map(({ variants }) => variants)]
  for (const variant of lists.flatMap((list) => list ?? [])) {
    if (!found.has(variant.name)) found.set(variant.name, variant)
  }
  if (found.size === 0) {
    return { valueType: 'boolean', variations: [...onOff], off: 'off', on: 'on', keyOf: () => 'on' }
  }
  const valueType = typeOf([...found.values()])
  const give = createKeyGiver('variant', ['disabled', 'enabled'])
  const keys = new Map([...found.keys()].map((name) => [name, give(name)]))
  const keyOf = (name: string) => keys.get(name) ?? 'enabled'
  const empty = valueType === 'json' ? null : valueType === 'number' ? 0 : ''
  const plain = hasPlainStrategies(feature) ? [{ key: 'enabled', name: 'Enabled', value: empty }] : []
  const variations = [
    { key: 'disabled', name: 'Disabled', value: empty },
    ...plain,
    ...[...found.values()].map((variant) => ({
      key: keyOf(variant.name),
      name: textOf(variant.name, 'Variant'),
      value: valueOfVariant(variant, valueType),
    })),
  ]
  return { valueType, variations, off: 'disabled', on: 'enabled', keyOf }
}

/** Whether an enabled feature may have no variant. */
function hasPlainStrategies({ variants, strategies }: UnleashFeature): boolean {
  const hasOwn = variants?.some(({ weight }) => weight > 0) === true
  if (hasOwn) return false
  const all = strategies ?? []
  return all.length === 0 || all.some(({ variants: its }) => !its?.some(({ weight }) => weight > 0))
}

function typeOf(variants: readonly UnleashVariant[]): ValueType {
  const kinds = new Set(variants.map(({ payload }) => payload?.type ?? 'string'))
  const isNumber = variants.every(({ payload }) => isNumeric(payload))
  if (kinds.size === 1 && kinds.has('number') && isNumber) return 'number'
  return [...kinds].every((kind) => kind === 'string' || kind === 'csv') ? 'string' : 'json'
}

const isNumeric = (payload: UnleashVariant['payload']) =>
  payload !== null && payload !== undefined && payload.value !== '' && Number.isFinite(Number(payload.value))

/** A variant without a payload has its name as value. */
function valueOfVariant({ name, payload }: UnleashVariant, valueType: ValueType): unknown {
  if (payload === null || payload === undefined) return name
  if (valueType === 'number' || (payload.type === 'number' && isNumeric(payload)))
    return Number(payload.value)
  if (payload.type !== 'json') return String(payload.value)
  try {
    return JSON.parse(String(payload.value))
  } catch {
    return payload.value
  }
}

/** What a strategy serves to the users it enables: variants by weight, after those with an override. */
export function servedParts(
  when: Term,
  strategy: Pick<UnleashStrategy, 'variants' | 'title' | 'parameters'>,
  { feature, its, notes }: { feature: UnleashFeature; its: FeatureVariations; notes: Notes },
): RuleParts[] {
  const own = strategy.variants ?? []
  const variants = own.length > 0 ? own : (feature.variants ?? [])
  const { title: description } = strategy
  const [first] = variants
  const sticky = own.length > 0 ? first?.stickiness || strategy.parameters?.stickiness : first?.stickiness
  const unit = unitOf(typeof sticky === 'string' ? sticky : undefined)
  const serve = serveSplit(
    variants.map(({ name, weight }) => ({ variation: its.keyOf(name), weight })),
    unit,
  )
  if (serve === undefined) return [{ when, serve: { variation: its.on }, description }]
  const overridden = variants.map((variant): RuleParts => {
    const named = (variant.overrides ?? []).map(({ contextName, values }) =>
      isIn(attributeOf(contextName), values.flatMap(spellings)),
    )
    return { when: all([when, any(named)]), serve: { variation: its.keyOf(variant.name) }, description }
  })
  if ('variation' in serve) return [...overridden, { when, serve, description }]
  notes.add('percentage', `variants by ${unit}`)
  notes.add('missing-id', `variants by ${unit}`)
  // A split needs its attribute; users without it get the first variant instead of a random one.
  const hasUnit: Term = { attribute: unit, operator: 'is-set' }
  const fallback = variants.find(({ weight }) => weight > 0)
  const without = all([when, none([hasUnit])])
  const rest = fallback && { when: without, serve: { variation: its.keyOf(fallback.name) }, description }
  return [...overridden, ...(rest ? [rest] : []), { when, serve, description }]
}
