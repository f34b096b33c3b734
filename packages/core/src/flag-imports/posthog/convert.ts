// Converts flags and cohorts of PostHog. Its project is one environment. A flag is on for users of any of its
// conditions; with variants, it has one of them.

import type { FlagConfigDraft } from '../../contract/flag-config.ts'
import type {
  PostHogCondition,
  PostHogDocument,
  PostHogFlag,
  PostHogProperty,
} from '../../contract/posthog.ts'
import { createKeyGiver } from '../../evaluation/flagsmith/name-keys.ts'
import { buildRules, type RuleParts, serveSplit } from '../build-rules.ts'
import { finishImport } from '../finish.ts'
import type { Conversion, ImportedFlag, ImportedVariation } from '../imported.ts'
import { onOff } from '../name-variations.ts'
import { createReport, NotCarried, type Notes, type Report, tryCarry } from '../notes.ts'
import { textOf } from '../plain-members.ts'
import { all, isNotSet, isSet, share, type Term, toWeight } from '../terms.ts'
import { type Cohorts, createCohorts } from './cohorts.ts'
import { propertyTerm } from './properties.ts'

interface Named {
  key: string
  flag: PostHogFlag
  variations: ImportedVariation[]
  /** The variation of a variant. */
  keyOf(variant: string): string
}

interface Scope {
  report: Report
  cohorts: Cohorts
  flags: ReadonlyMap<string, Named>
  groupTypes: Readonly<Record<string, string>>
  matchingVersion: number
}

export function convertPostHog(document: PostHogDocument): Conversion {
  const report = createReport()
  const matchingVersion = document.property_matching_version ?? 1
  const cohorts = createCohorts({ cohorts: document.cohorts ?? {}, matchingVersion, report })
  const giveKey = createKeyGiver('flag')
  const current = document.flags.filter(({ deleted }) => deleted !== true)
  const flags = new Map(current.map((flag) => [flag.key, nameFlag(flag, giveKey(flag.key))]))
  const scope = { report, cohorts, flags, groupTypes: document.group_type_mapping ?? {}, matchingVersion }
  const imported = [...flags.values()].flatMap((named) => convertFlag(named, scope) ?? [])
  return finishImport({ from: undefined, flags: imported, segments: cohorts.segments, report })
}

function variantsOf({ filters }: PostHogFlag) {
  return filters?.multivariate?.variants ?? []
}

/** Without variants a boolean flag; otherwise text, empty when it is off. */
function nameFlag(flag: PostHogFlag, key: string): Named {
  const variants = variantsOf(flag)
  if (variants.length === 0) return { key, flag, variations: [...onOff], keyOf: () => 'on' }
  const give = createKeyGiver('variant', ['off', 'on'])
  const keys = new Map(variants.map((variant) => [variant.key, give(variant.key)]))
  const keyOf = (variant: string) => keys.get(variant) ?? 'on'
  const total = variants.reduce((sum, variant) => sum + variant.rollout_percentage, 0)
  const rest = total < 100 ? [{ key: 'on', name: 'Without a variant', value: 'true' }] : []
  const variations = [
    { key: 'off', name: 'Off', value: '' },
    ...variants.map((variant) => ({
      key: keyOf(variant.key),
      name: textOf(variant.name, variant.key),
      value: variant.key,
    })),
    ...rest,
  ]
  return { key, flag, variations: [...new Map(variations.map((each) => [each.key, each])).values()], keyOf }
}

function convertFlag(named: Named, scope: Scope): ImportedFlag | undefined {
  const { key, flag, variations } = named
  const notes = scope.report.of({ flag: flag.key })
  if (key !== flag.key) notes.add('renamed', `${flag.key} is ${key}`)
  noteMissing(flag, notes)
  const config = tryCarry(notes, 'Flag', () => convertConfig(named, { ...scope, notes }))
  if (config === undefined) return undefined
  return {
    source: flag.key,
    key,
    name: textOf(flag.name, flag.key),
    description: '',
    valueType: variantsOf(flag).length === 0 ? 'boolean' : 'string',
    variations,
    tags: [],
    clientVisible: undefined,
    config,
  }
}

function noteMissing(
  { filters, ensure_experience_continuity: isContinued }: PostHogFlag,
  notes: Notes,
): void {
  const payloads = Object.keys(filters?.payloads ?? {})
  if (payloads.length > 0) notes.add('payload', payloads.join(', '))
  if (filters?.holdout) notes.add('holdout', JSON.stringify(filters.holdout))
  if ((filters?.super_groups ?? []).length > 0) notes.add('early-access', 'super_groups')
  if (isContinued === true) notes.add('percentage', 'persisted across sign-in there')
}

interface Place extends Scope {
  notes: Notes
}

function convertConfig(named: Named, place: Place): FlagConfigDraft {
  const { flag } = named
  const conditions = flag.filters?.groups ?? []
  const shared = sharedDependencies(conditions)
  const prerequisites = tryCarry(place.notes, 'Dependency', () =>
    shared.flatMap((property) => prerequisiteOf(property, place) ?? []),
  )
  const parts = conditions.flatMap((condition, index) => {
    const properties = (condition.properties ?? []).filter((property) => !isShared(property, shared))
    const what = `Condition ${index + 1}`
    const build = () => conditionParts({ ...condition, properties }, named, place)
    return tryCarry(place.notes, what, build) ?? []
  })
  return {
    enabled: flag.active && prerequisites !== undefined,
    offVariation: 'off',
    prerequisites: prerequisites ?? [],
    ...buildRules(parts, { variation: 'off' }),
  }
}

const idOf = ({ key, value }: PostHogProperty) => JSON.stringify([key, value])

function isShared(property: PostHogProperty, shared: readonly PostHogProperty[]): boolean {
  return property.type === 'flag' && shared.some((each) => idOf(each) === idOf(property))
}

/** Flags that every condition depends on are prerequisites. */
function sharedDependencies(conditions: readonly PostHogCondition[]): PostHogProperty[] {
  const [first, ...others] = conditions
  return (first?.properties ?? []).filter(
    (property) =>
      property.type === 'flag' &&
      others.every(({ properties }) => (properties ?? []).some((other) => isShared(other, [property]))),
  )
}

/** Undefined where it always holds. */
function prerequisiteOf(
  { key, value }: PostHogProperty,
  { flags }: Scope,
): FlagConfigDraft['prerequisites'][number] | undefined {
  const parent = flags.get(String(key))
  if (parent === undefined) throw new NotCarried('dependency', `${key} is missing`)
  if (value === false) return parent.flag.active ? { flag: parent.key, variation: 'off' } : undefined
  if (typeof value === 'string' && variantsOf(parent.flag).some((variant) => variant.key === value)) {
    return { flag: parent.key, variation: parent.keyOf(value) }
  }
  if (value !== true || parent.variations.length > 2) {
    throw new NotCarried('dependency', `${key} = ${JSON.stringify(value)}`)
  }
  const on = parent.variations.find((variation) => variation.key !== 'off')
  return { flag: parent.key, variation: on?.key ?? 'on' }
}

function conditionParts(condition: PostHogCondition, named: Named, place: Place): RuleParts[] {
  const { flag } = named
  const { groupTypes, matchingVersion, notes, cohorts } = place
  const index = condition.aggregation_group_type_index ?? flag.filters?.aggregation_group_type_index
  const group = typeof index === 'number' ? groupTypes[String(index)] : undefined
  if (typeof index === 'number' && group === undefined)
    throw new NotCarried('malformed', `group type ${index}`)
  const prefix = group === undefined ? '' : `${group}.`
  const unit =
    group !== undefined
      ? `${group}.key`
      : flag.bucketing_identifier === 'device_id'
        ? '$device_id'
        : 'targetingKey'
  const scope = { notes, prefix, matchingVersion, inCohort: cohorts.inCohort }
  const properties = all([
    ...(group === undefined ? [] : [isSet(unit)]),
    ...(condition.properties ?? []).map((property) => propertyTerm(property, scope)),
  ])
  const percent = condition.rollout_percentage ?? 100
  const included = percent >= 100 ? true : share(unit, toWeight(percent / 100), flag.key)
  if (included !== true && included !== false) notes.add('percentage', `${percent}% by ${unit}`)
  const served = servedParts(all([properties, included]), { condition, unit, notes, named })
  const isLast = flag.filters?.early_exit === true && included !== true
  return isLast ? [...served, { when: properties, serve: { variation: 'off' } }] : served
}

interface Served {
  condition: PostHogCondition
  unit: string
  notes: Notes
  named: Named
}

function servedParts(when: Term, { condition, unit, notes, named }: Served): RuleParts[] {
  if (when === false) return []
  const variants = variantsOf(named.flag)
  const { variant } = condition
  if (variants.length === 0) return [{ when, serve: { variation: 'on' } }]
  if (variant && variants.some(({ key }) => key === variant)) {
    return [{ when, serve: { variation: named.keyOf(variant) } }]
  }
  const total = variants.reduce((sum, each) => sum + each.rollout_percentage, 0)
  const arms = variants.map((each) => ({ variation: named.keyOf(each.key), weight: each.rollout_percentage }))
  const rest = total < 100 ? [{ variation: 'on', weight: 100 - total }] : []
  const serve = serveSplit([...arms, ...rest], unit)
  if (serve === undefined || 'variation' in serve) {
    return [{ when, serve: serve ?? { variation: 'on' } }]
  }
  notes.add('percentage', `variants by ${unit}`)
  const without = { when: all([when, isNotSet(unit)]), serve: { variation: 'off' } }
  return unit === 'targetingKey' ? [{ when, serve }] : [without, { when, serve }]
}
