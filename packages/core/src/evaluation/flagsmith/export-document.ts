// Exports an environment for local evaluation by Flagsmith's clients. A flag that Flagsmith cannot express (native
// bucketing, a prerequisite, a date) is left out and listed, because clients would otherwise evaluate it differently.

import type { Rule, Serve, Split } from '../../contract/flag-config.ts'
import type { DocumentSegment, FeatureState } from '../../contract/flagsmith.ts'
import type { FlagDefinition, SegmentDefinition } from '../rule-set.ts'
import { documentRules, type FindSegment } from './document-conditions.ts'
import { type DocumentIds, documentIds } from './document-ids.ts'
import { restOf, servedBy } from './flag-entry.ts'
import { uuidOf } from './wire-ids.ts'

export interface Exported {
  flags: readonly FlagDefinition[]
  segments: readonly SegmentDefinition[]
}

interface ExportedDocument {
  states: FeatureState[]
  segments: DocumentSegment[]
  /** Keys of the flags that were left out. */
  leftOut: string[]
  /** Keys of exported flags whose holdouts clients with local evaluation do not know. */
  withoutHoldout: string[]
  ids: DocumentIds
}

export function exportDocument({ flags, segments }: Exported): ExportedDocument {
  const byKey = new Map(segments.map((segment) => [segment.key, segment]))
  const findSegment: FindSegment = (key) => byKey.get(key)?.when
  const ids = documentIds({ flags, segments })
  const exported = new Map<string, DocumentSegment & { feature_states: FeatureState[] }>()
  for (const { key, when, flagsmith } of segments) {
    const id = flagsmith?.id ?? ids.segment(key)
    const rules = documentRules(when, { findSegment, segmentId: id })
    if (rules) exported.set(key, { id, name: flagsmith?.name ?? key, rules, feature_states: [] })
  }
  const states: FeatureState[] = []
  const added: DocumentSegment[] = []
  const leftOut: string[] = []
  for (const flag of flags) {
    const placed = placesOf(flag, { exported, findSegment, ids })
    if (placed === undefined) {
      leftOut.push(flag.key)
      continue
    }
    states.push(placed.base)
    for (const { segment, state } of placed.overrides) {
      if (typeof segment !== 'string') added.push({ ...segment, feature_states: [state] })
      else exported.get(segment)?.feature_states.push(state)
    }
  }
  // Left out, they would fall back to their defaults for all users, not only for those held out.
  const missing = new Set(leftOut)
  const withoutHoldout = flags.flatMap(({ key, holdouts = [] }) =>
    holdouts.length > 0 && !missing.has(key) ? [key] : [],
  )
  return { states, segments: [...exported.values(), ...added], leftOut, withoutHoldout, ids }
}

/** The overrides of one identity, by flag key. */
export function exportOverrides(
  flags: ReadonlyMap<string, FlagDefinition>,
  ids: DocumentIds,
  variations: Iterable<readonly [flag: string, variation: string]>,
): FeatureState[] {
  return [...variations].flatMap(([key, variation]) => {
    const flag = flags.get(key)
    const isUsed = flag?.config.enabled && flag.variations.some((each) => each.key === variation)
    const state = flag && isUsed ? stateOf(flag, { serve: { variation }, place: 'identity' }, ids) : undefined
    return state ? [state] : []
  })
}

interface Scope {
  exported: ReadonlyMap<string, DocumentSegment>
  findSegment: FindSegment
  ids: DocumentIds
}

interface Override {
  /** The key of an existing segment, or a segment generated for the rule. */
  segment: string | DocumentSegment
  state: FeatureState
}

function placesOf(
  flag: FlagDefinition,
  scope: Scope,
): { base: FeatureState; overrides: Override[] } | undefined {
  const { config } = flag
  if (!config.enabled) {
    const state = stateOf(flag, { serve: { variation: config.offVariation }, place: 'off' }, scope.ids)
    return (
      state && { base: flag.valueType === 'boolean' ? state : { ...state, enabled: false }, overrides: [] }
    )
  }
  const base = stateOf(flag, { serve: config.fallthrough, place: 'fallthrough' }, scope.ids)
  if (base === undefined || config.prerequisites.length > 0) return undefined
  const overrides: Override[] = []
  const taken = new Set<string>()
  for (const [priority, rule] of config.rules.entries()) {
    const named = namedSegment(rule)
    // A second rule for the same segment is unreachable.
    if (named !== undefined && taken.has(named)) continue
    const state = stateOf(flag, { serve: rule.serve, place: rule.id }, scope.ids)
    const segment = segmentOf(flag, rule, scope)
    if (state === undefined || segment === undefined) return undefined
    if (typeof segment === 'string') taken.add(segment)
    overrides.push({ segment, state: { ...state, feature_segment: { priority } } })
  }
  return { base, overrides }
}

/** The segment when the rule only references one; otherwise a generated segment with the rule's conditions. */
function segmentOf(
  { key }: FlagDefinition,
  rule: Rule,
  { exported, findSegment, ids }: Scope,
): Override['segment'] | undefined {
  const named = namedSegment(rule)
  if (named !== undefined && exported.has(named)) return named

  const place = `${key} ${rule.id}`
  const id = ids.segment(place)
  const rules = documentRules(rule.when, { findSegment, segmentId: id })
  return rules && { id, name: rule.description || place, rules }
}

function namedSegment({ when }: Rule): string | undefined {
  const [only, ...others] = when.of
  const isPlain = others.length === 0 && when.match !== 'none'
  return isPlain && only && 'segment' in only && only.operator === 'in-segment' ? only.segment : undefined
}

function stateOf(
  flag: FlagDefinition,
  { serve, place }: { serve: Serve; place: string },
  ids: DocumentIds,
): FeatureState | undefined {
  const split = 'split' in serve ? serve.split : undefined
  const control = split === undefined ? ('variation' in serve ? serve.variation : undefined) : restOf(split)
  const variants = split === undefined ? [] : variantsOf(flag, { split, place, ids })
  if (control === undefined || variants === undefined) return undefined
  const { enabled, value } = servedBy(flag, control)
  const isMultivariate = [flag.config.fallthrough, ...flag.config.rules.map((rule) => rule.serve)].some(
    (each) => 'split' in each,
  )
  return {
    feature: {
      id: ids.flag(flag),
      name: flag.flagsmith?.name ?? flag.key,
      type: flag.flagsmith?.type ?? (isMultivariate ? 'MULTIVARIATE' : 'STANDARD'),
    },
    enabled,
    feature_state_value: value,
    ...keyOfState(split, `${flag.key} ${place}`, ids),
    feature_segment: null,
    multivariate_feature_state_values: variants,
  }
}

/** The key that its percentages hash, as imported. */
function keyOfState(
  split: Split | undefined,
  place: string,
  ids: DocumentIds,
): Pick<FeatureState, 'django_id' | 'featurestate_uuid'> {
  const key = split?.bucketing?.stateKey
  const uuid = uuidOf('state', place)
  if (key === undefined) return { django_id: ids.state(place), featurestate_uuid: uuid }
  return /^\d+$/.test(key)
    ? { django_id: Number(key), featurestate_uuid: uuid }
    : { django_id: null, featurestate_uuid: key }
}

/**
 * Only splits with Flagsmith's bucketing and unit, outside of layers, can be exported, and only if all variations are enabled
 * or none.
 */
function variantsOf(
  flag: FlagDefinition,
  { split, place, ids }: { split: Split; place: string; ids: DocumentIds },
): FeatureState['multivariate_feature_state_values'] | undefined {
  const { arms, bucketing, by, layer } = split
  const isSame = new Set(arms.map(({ variation }) => servedBy(flag, variation).enabled)).size === 1
  if (bucketing === undefined || by !== 'targetingKey' || !isSame || layer !== undefined) return undefined
  return arms.flatMap(({ variation, weight, optionId, allocation }) => {
    if (optionId === undefined) return []
    const { value } = servedBy(flag, variation)
    const { id = null, key = null } = flag.flagsmith?.variants[variation] ?? {}
    return [
      {
        id: optionId,
        mv_fs_value_uuid: uuidOf('variant', `${flag.key} ${place} ${variation}`),
        percentage_allocation: allocation ?? weight / 1_000,
        multivariate_feature_option: {
          id: id ?? ids.option(`${flag.key} ${variation}`),
          value,
          key,
        },
      },
    ]
  })
}
