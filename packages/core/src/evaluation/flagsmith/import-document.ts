// Imports an environment document of Flagsmith: segments, flags with their configuration in this environment, and
// overrides. All users keep their variation because splits hash the same ids; Flagsmith's API returns the same answers.

import type { ConditionGroup } from '../../contract/conditions.ts'
import type {
  FeatureState,
  FlagsmithDocument,
  FlagsmithFeature,
  VariantValue,
} from '../../contract/flagsmith.ts'
import type { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { identityKeyOf, percentageOf } from '../flagsmith-bucket.ts'
import { priorityOf } from './context-of-document.ts'
import { importConditions } from './import-conditions.ts'
import {
  type ImportedVariation,
  type ImportedVariations,
  importVariations,
  type KnownVariations,
} from './import-variations.ts'
import { createKeyGiver } from './name-keys.ts'

export interface ImportedSegment {
  id: number
  key: string
  name: string
  when: ConditionGroup
}

interface ImportedArm {
  variation: string
  /** Of 100 000. */
  weight: number
  /** Variants are evaluated in ascending order of this id; undefined for the remainder. */
  optionId?: number
  /** In percent, when it is not a whole weight. */
  allocation?: number
}

export type ImportedServe = { variation: string } | { arms: ImportedArm[]; stateKey: string }

export interface ImportedFlag {
  key: string
  name: string
  valueType: ImportedVariations['valueType']
  variations: ImportedVariation[]
  clientVisible: boolean
  feature: FlagsmithFeature
  enabled: boolean
  offVariation: string
  rules: { segment: string; serve: ImportedServe }[]
  fallthrough: ImportedServe
  /** Variations by targeting key. */
  overrides: Map<string, string>
}

export interface ImportedDocument {
  segments: ImportedSegment[]
  flags: ImportedFlag[]
  faults: Fault[]
}

interface Placed {
  state: FeatureState
  pointer: string
}

interface Feature {
  base: Placed
  bySegment: (Placed & { segment: ImportedSegment; priority: number })[]
  byIdentity: (Placed & { identifier: string })[]
}

/** What already exists in the project. */
export interface Known {
  /** Features of earlier imports, by Flagsmith's ids. */
  features: ReadonlyMap<number, KnownVariations & { key: string }>
  segments: ReadonlyMap<number, string>
  /** The keys of all flags and segments of the project. */
  flagKeys: readonly string[]
  segmentKeys: readonly string[]
}

export interface ImportOptions {
  /** Texts that contain JSON objects or lists become JSON flags. */
  parsesJson?: boolean
}

const nothing: Known = { features: new Map(), segments: new Map(), flagKeys: [], segmentKeys: [] }

/** When there are faults, the result must not be used. */
export function importDocument(
  document: FlagsmithDocument,
  known: Known = nothing,
  { parsesJson = false }: ImportOptions = {},
): ImportedDocument {
  const environment = { key: document.api_key, name: document.name ?? '' }
  const giveSegmentKey = createKeyGiver('segment', known.segmentKeys)
  const sources = (document.project.segments ?? []).toSorted((left, right) => left.id - right.id)
  const segments = sources.map((source): ImportedSegment => {
    const { id, name } = source
    return {
      id,
      key: known.segments.get(id) ?? giveSegmentKey(name),
      name: name.slice(0, limits.nameLength),
      when: importConditions(source, environment),
    }
  })
  const { features, faults } = gather(document, segments)
  const giveFlagKey = createKeyGiver('feature', known.flagKeys)
  const hidden = new Set(document.project.server_key_only_feature_ids)
  const flags = [...features.values()].map((feature) => {
    const { id, name } = feature.base.state.feature
    const before = known.features.get(id)
    return toFlag(feature, {
      key: before?.key ?? giveFlagKey(name),
      before,
      isHidden: hidden.has(id),
      apiKey: document.api_key,
      parsesJson,
    })
  })
  return { segments, flags, faults: [...faults, ...flags.flatMap(faultsOf)] }
}

/** All features with the places that serve them. A reference to a feature missing in the environment is a fault. */
function gather(document: FlagsmithDocument, segments: readonly ImportedSegment[]) {
  const features = new Map<number, Feature>()
  const names = new Map<string, number>()
  const faults: Fault[] = []
  for (const [index, state] of document.feature_states.entries()) {
    const { id, name } = state.feature
    const pointer = `/feature_states/${index}`
    // Browser clients normalize names to lower case with underscores, so names that differ only in that collide.
    const spelling = name.toLowerCase().replaceAll(' ', '_')
    if (features.has(id)) faults.push({ pointer: `${pointer}/feature/id`, message: `is duplicated: ${id}` })
    if (names.has(spelling))
      faults.push({ pointer: `${pointer}/feature/name`, message: `is duplicated: ${name}` })
    names.set(spelling, id)
    features.set(id, { base: { state, pointer }, bySegment: [], byIdentity: [] })
  }
  const find = ({ state, pointer }: Placed) => {
    const feature = features.get(state.feature.id)
    if (feature === undefined)
      faults.push({
        pointer: `${pointer}/feature/id`,
        message: `is not a feature of the environment: ${state.feature.id}`,
      })
    return feature
  }
  const byId = new Map(segments.map((segment) => [segment.id, segment]))
  for (const [index, { id, feature_states: states = [] }] of (document.project.segments ?? []).entries()) {
    for (const [place, state] of states.entries()) {
      const pointer = `/project/segments/${index}/feature_states/${place}`
      const segment = byId.get(id)
      const priority = state.feature_segment?.priority ?? Number.POSITIVE_INFINITY
      if (segment) find({ state, pointer })?.bySegment.push({ state, pointer, segment, priority })
    }
  }
  for (const [index, { identifier, identity_features: states }] of (
    document.identity_overrides ?? []
  ).entries()) {
    for (const [place, state] of states.entries()) {
      const pointer = `/identity_overrides/${index}/identity_features/${place}`
      find({ state, pointer })?.byIdentity.push({ state, pointer, identifier })
    }
  }
  return { features, faults }
}

interface FlagPlace {
  key: string
  before: KnownVariations | undefined
  isHidden: boolean
  apiKey: string
  parsesJson: boolean
}

function toFlag(
  { base, bySegment, byIdentity }: Feature,
  { key, before, isHidden, apiKey, parsesJson }: FlagPlace,
): ImportedFlag {
  const { state } = base
  const { id, name, type = 'STANDARD' } = state.feature
  const isDrawn = orderedVariants(state).length > 0
  // Switch the flag off only when nothing else is served anywhere: then the value is the same for all users.
  const isWhole = bySegment.length + byIdentity.length === 0 && !isDrawn
  const served: FeatureState = isWhole ? { ...state, enabled: true } : state
  const variations = importVariations(
    [served, ...[...bySegment, ...byIdentity].map((place) => place.state)],
    { known: before, parsesJson },
  )
  const { valueType } = variations
  // Highest priority first; among equals the segment with the smaller id.
  const rules = bySegment
    .toSorted((left, right) => order(left.priority, right.priority) || left.segment.id - right.segment.id)
    .map((place) => ({ segment: place.segment.key, serve: serveOf(place.state, variations) }))
  const fallthrough = serveOf(served, variations)
  const overrides = new Map(
    byIdentity.map((place) => [place.identifier, drawnBy(place, { apiKey, variations })] as const),
  )
  // Last, because only variations requested above count as used.
  const { list, disabled, empty, variants } = variations.used()
  return {
    key,
    name: name.slice(0, limits.nameLength),
    valueType,
    variations: list,
    clientVisible: !isHidden,
    feature: { id, name, type, disabled, empty, variants },
    enabled: !isWhole || state.enabled,
    offVariation: valueType === 'boolean' ? 'off' : variations.ofState(served),
    rules,
    fallthrough,
    overrides,
  }
}

const order = (left: number, right: number) => (left === right ? 0 : left < right ? -1 : 1)

function serveOf(state: FeatureState, variations: ImportedVariations): ImportedServe {
  const variants = orderedVariants(state)
  const control = variations.ofState(state)
  if (variants.length === 0) return { variation: control }
  const weights = weightsOf(variants.map(({ percentage_allocation: allocation }) => allocation))
  const arms = variants.map((variant, index): ImportedArm => {
    const { percentage_allocation: allocation } = variant
    const weight = weights[index] ?? 0
    return {
      variation: variations.ofVariant(state, variant),
      weight,
      optionId: variant.id ?? index,
      ...((weight / limits.weightTotal) * 100 === allocation ? {} : { allocation }),
    }
  })
  const left = limits.weightTotal - arms.reduce((sum, { weight }) => sum + weight, 0)
  return { arms: [...arms, { variation: control, weight: Math.max(0, left) }], stateKey: stateKeyOf(state) }
}

/** Whole weights that add up to the rounded sum of the percentages (largest remainder method). */
function weightsOf(allocations: readonly number[]): number[] {
  const exact = allocations.map((allocation) => (allocation * limits.weightTotal) / 100)
  const weights = exact.map(Math.floor)
  const left = Math.round(sumOf(exact)) - sumOf(weights)
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index)
  for (const { index } of byRemainder.slice(0, left)) weights[index] = (weights[index] ?? 0) + 1
  return weights
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** In the order in which they take their percentages. */
function orderedVariants({ multivariate_feature_state_values: variants = [] }: FeatureState): VariantValue[] {
  return variants.toSorted((left, right) => priorityOf(left) - priorityOf(right))
}

function stateKeyOf({ django_id: id, featurestate_uuid: uuid }: FeatureState): string {
  return id ? String(id) : (uuid ?? '')
}

/** An override is a single variation: one with variants is resolved for its identity. */
function drawnBy(
  { state, identifier }: { state: FeatureState; identifier: string },
  { apiKey, variations }: { apiKey: string; variations: ImportedVariations },
): string {
  const percentage = percentageOf(stateKeyOf(state), identityKeyOf(apiKey, identifier))
  let end = 0
  const drawn = orderedVariants(state).find(({ percentage_allocation: share }) => {
    end += share
    return percentage < end
  })
  return drawn === undefined ? variations.ofState(state) : variations.ofVariant(state, drawn)
}

function faultsOf(flag: ImportedFlag): Fault[] {
  const { feature, variations, rules } = flag
  const bounds = [
    { count: variations.length, most: limits.variationsPerFlag, what: 'variations' },
    { count: rules.length, most: limits.rulesPerFlag, what: 'segment overrides' },
  ]
  const tooMany = bounds
    .filter(({ count, most }) => count > most)
    .map(({ count, most, what }) => `needs ${count} ${what}, and a flag has at most ${most}`)
  const serves = [flag.fallthrough, ...rules.map(({ serve }) => serve)]
  const isOverfull = serves.some(
    (serve) => 'arms' in serve && sumOf(serve.arms.map(({ weight }) => weight)) > limits.weightTotal,
  )
  return [...tooMany, ...(isOverfull ? ['has variants of more than 100 percent'] : [])].map((message) => ({
    pointer: '/feature_states',
    message: `${feature.name}: ${message}`,
  }))
}
