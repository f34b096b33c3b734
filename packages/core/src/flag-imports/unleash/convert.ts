// Converts features and segments of Unleash for one environment. Strategies become rules in their order: the first
// that enables a user decides, and without one the feature is off.

import type { FlagConfigDraft } from '../../contract/flag-config.ts'
import type { UnleashDocument, UnleashFeature, UnleashStrategy } from '../../contract/unleash.ts'
import { createKeyGiver } from '../../evaluation/flagsmith/name-keys.ts'
import { limits } from '../../limits.ts'
import { buildRules, type RuleParts } from '../build-rules.ts'
import { finishImport } from '../finish.ts'
import type { Conversion, ImportedFlag, ImportedSegment } from '../imported.ts'
import { createReport, NotCarried, type Notes, type Report, tryCarry } from '../notes.ts'
import { textOf } from '../plain-members.ts'
import { all, groupOf, type Term } from '../terms.ts'
import { allConstraints } from './constraints.ts'
import { strategyTerm } from './strategies.ts'
import { type FeatureVariations, servedParts, variationsOf } from './variants.ts'

interface Named {
  key: string
  feature: UnleashFeature
  its: FeatureVariations
}

interface Scope {
  report: Report
  features: ReadonlyMap<string, Named>
  segmentKeys: ReadonlyMap<number, string>
}

export function convertUnleash(
  { features, segments }: UnleashDocument,
  from?: string | undefined,
): Conversion {
  const report = createReport()
  const giveSegment = createKeyGiver('segment')
  const segmentKeys = new Map<number, string>()
  const imported = (segments ?? []).flatMap(({ id, name, constraints }): ImportedSegment[] => {
    const source = textOf(name, `segment-${id}`)
    const key = giveSegment(source)
    segmentKeys.set(id, key)
    const notes = report.of({ segment: source })
    const when = tryCarry(notes, 'Segment', () => {
      // An export names segments without their constraints.
      if (!constraints) throw new NotCarried('segment', source)
      return groupOf(allConstraints(constraints, notes))
    })
    return when === undefined ? [] : [{ source, key, name: source, when }]
  })
  const giveFlag = createKeyGiver('feature')
  const named = new Map<string, Named>()
  for (const feature of features) {
    if (named.has(feature.name)) continue
    named.set(feature.name, { key: giveFlag(feature.name), feature, its: variationsOf(feature) })
  }
  const scope = { report, features: named, segmentKeys }
  const flags = [...named.values()].map((each) => convertFeature(each, scope))
  return finishImport({ from, flags, segments: imported, report })
}

function convertFeature({ key, feature, its }: Named, scope: Scope): ImportedFlag {
  const notes = scope.report.of({ flag: feature.name })
  if (key !== feature.name) notes.add('renamed', `${feature.name} is ${key}`)
  return {
    source: feature.name,
    key,
    name: textOf(feature.name, key),
    description: (feature.description ?? '').slice(0, limits.descriptionLength),
    valueType: its.valueType,
    variations: its.variations,
    tags: [],
    clientVisible: undefined,
    config: convertConfig({ feature, its, notes }, scope),
  }
}

interface Place {
  feature: UnleashFeature
  its: FeatureVariations
  notes: Notes
}

function convertConfig(place: Place, scope: Scope): FlagConfigDraft {
  const { feature, its, notes } = place
  const prerequisites = tryCarry(notes, 'Dependency', () =>
    (feature.dependencies ?? []).flatMap((each) => prerequisiteOf(each, scope) ?? []),
  )
  const strategies = feature.strategies ?? []
  const parts: RuleParts[] =
    strategies.length === 0
      ? servedParts(true, {}, place)
      : strategies.flatMap((strategy, index) => {
          if (strategy.disabled === true) return []
          const what = `Strategy ${index + 1}`
          return tryCarry(notes, what, () => strategyParts(strategy, place, scope)) ?? []
        })
  return {
    enabled: feature.enabled && prerequisites !== undefined,
    offVariation: its.off,
    prerequisites: prerequisites ?? [],
    ...buildRules(parts, { variation: its.off }),
  }
}

function strategyParts(strategy: UnleashStrategy, place: Place, { segmentKeys }: Scope): RuleParts[] {
  const { feature, notes } = place
  const segments = (strategy.segments ?? []).map((id): Term => {
    const segment = segmentKeys.get(id)
    return segment === undefined ? false : { operator: 'in-segment', segment }
  })
  const constraints = allConstraints(strategy.constraints ?? [], notes)
  const when = all([...segments, constraints, strategyTerm(strategy, feature.name, notes)])
  return when === false ? [] : servedParts(when, strategy, place)
}

type Dependency = NonNullable<UnleashFeature['dependencies']>[number]
type Prerequisite = FlagConfigDraft['prerequisites'][number]

/** Undefined where it always holds. Throws `NotCarried` where one variation of the parent does not express it. */
function prerequisiteOf(dependency: Dependency, { features }: Scope): Prerequisite | undefined {
  const parent = features.get(dependency.feature)
  const isWanted = dependency.enabled !== false
  if (parent === undefined) throw new NotCarried('dependency', `${dependency.feature} is missing`)
  const { key, feature, its } = parent
  if ((feature.dependencies ?? []).length > 0) {
    throw new NotCarried('dependency', `${dependency.feature} depends on others`)
  }
  if (!isWanted) return feature.enabled ? { flag: key, variation: its.off } : undefined
  const wanted = (dependency.variants ?? []).map((variant) => its.keyOf(variant))
  const served = its.variations.filter(({ key: variation }) => variation !== its.off)
  const possible = wanted.length > 0 ? wanted : served.map(({ key: variation }) => variation)
  const [only] = possible
  if (only === undefined || possible.length > 1) {
    throw new NotCarried('dependency', `${dependency.feature} with several variants`)
  }
  return { flag: key, variation: only }
}
