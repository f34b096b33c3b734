// Converts features and saved groups of GrowthBook for one environment. Features that are off there are not in its
// document, so every flag is on.

import type { FlagConfigDraft } from '../../contract/flag-config.ts'
import type { GrowthBookDocument, GrowthBookFeature } from '../../contract/growthbook.ts'
import { compileRuleSet } from '../../evaluation/compile.ts'
import { createKeyGiver } from '../../evaluation/flagsmith/name-keys.ts'
import { compileGroup } from '../../evaluation/match.ts'
import { buildRules } from '../build-rules.ts'
import { finishImport } from '../finish.ts'
import type { Conversion, ImportedFlag } from '../imported.ts'
import { type NamedVariations, nameVariations } from '../name-variations.ts'
import { createReport, NotCarried, type Report, tryCarry } from '../notes.ts'
import { textOf } from '../plain-members.ts'
import { groupOf } from '../terms.ts'
import { conditionTerm } from './conditions.ts'
import { ruleParts } from './rules.ts'
import { createSavedGroups, type SavedGroups } from './saved-groups.ts'

interface Named {
  source: string
  key: string
  feature: GrowthBookFeature
  named: NamedVariations
}

interface Scope {
  report: Report
  groups: SavedGroups
  features: ReadonlyMap<string, Named>
}

export function convertGrowthBook(
  { features, savedGroups }: GrowthBookDocument,
  from?: string | undefined,
): Conversion {
  const report = createReport()
  const groups = createSavedGroups(savedGroups ?? {}, report)
  const giveKey = createKeyGiver('feature')
  const all = Object.entries(features).map(([source, feature]): Named => {
    return { source, key: giveKey(source), feature, named: nameVariations(valuesOf(feature)) }
  })
  const scope = { report, groups, features: new Map(all.map((each) => [each.source, each])) }
  const flags = all.map((each) => convertFeature(each, scope))
  return finishImport({ from, flags, segments: groups.segments, report })
}

function valuesOf({ defaultValue = null, rules }: GrowthBookFeature): unknown[] {
  const served = (rules ?? []).flatMap((rule) => {
    if ('force' in rule) return [rule.force ?? null]
    return rule.variations ?? []
  })
  return [defaultValue, ...served]
}

function convertFeature({ source, key, feature, named }: Named, scope: Scope): ImportedFlag {
  const notes = scope.report.of({ flag: source })
  if (key !== source) notes.add('renamed', `${source} is ${key}`)
  const rules = feature.rules ?? []
  const place = { feature: source, named, notes, groups: scope.groups }
  const parts = rules.flatMap(
    (rule, index) => tryCarry(notes, `Rule ${index + 1}`, () => ruleParts(rule, place)) ?? [],
  )
  const prerequisites = tryCarry(notes, 'Prerequisite', () => prerequisitesOf(feature, scope))
  const fallback = { variation: named.keyOf(feature.defaultValue ?? null) }
  const offVariation = named.valueType === 'boolean' ? 'off' : fallback.variation
  if ((prerequisites ?? []).length > 0) notes.add('blocked-value', offVariation)
  const config: FlagConfigDraft = {
    enabled: prerequisites !== undefined,
    offVariation,
    prerequisites: prerequisites ?? [],
    ...buildRules(parts, fallback),
  }
  const { valueType, variations } = named
  const name = textOf(source, key)
  return {
    source,
    key,
    name,
    description: '',
    valueType,
    variations,
    tags: [],
    clientVisible: undefined,
    config,
  }
}

/** Gates before all other rules are prerequisites of the flag, if one value of the parent passes. */
function prerequisitesOf({ rules }: GrowthBookFeature, scope: Scope): FlagConfigDraft['prerequisites'] {
  const all = rules ?? []
  const isGate = (rule: (typeof all)[number]) =>
    (rule.parentConditions ?? []).some(({ gate }) => gate === true)
  const firstOther = all.findIndex((rule) => !isGate(rule) || 'force' in rule || Boolean(rule.variations))
  const late = all.findLastIndex(isGate)
  if (firstOther !== -1 && late >= firstOther) throw new NotCarried('dependency', `rule ${late + 1}`)
  return all.flatMap(({ parentConditions }) =>
    (parentConditions ?? []).flatMap(({ id, condition }) => {
      const parent = scope.features.get(id)
      if (parent === undefined) throw new NotCarried('dependency', `${id} is missing`)
      const { variations } = parent.named
      const passing = variations.filter(({ value }) => passes(value, condition ?? {}, scope))
      if (passing.length === variations.length) return []
      const [only] = passing
      if (only === undefined || passing.length > 1)
        throw new NotCarried('dependency', `several values of ${id}`)
      return [{ flag: parent.key, variation: only.key }]
    }),
  )
}

/** Whether a value of the parent meets the condition, by the conditions that it becomes. */
function passes(value: unknown, condition: Readonly<Record<string, unknown>>, { groups }: Scope): boolean {
  const scope = { notes: { add: () => undefined }, inGroup: groups.inGroup }
  const matches = compileGroup(groupOf(conditionTerm(condition, scope)))
  return matches({ value }, compileRuleSet({ flags: [], segments: [] }), undefined)
}
