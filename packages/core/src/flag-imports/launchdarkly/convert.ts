// Converts flags and segments of LaunchDarkly. Targeting is carried exactly, except for what the notes name.

import type { FlagConfigDraft } from '../../contract/flag-config.ts'
import type {
  LaunchDarklyApiDocument,
  LaunchDarklyConfig,
  LaunchDarklyRollout,
  LaunchDarklySdkDocument,
} from '../../contract/launchdarkly.ts'
import { createKeyGiver } from '../../evaluation/flagsmith/name-keys.ts'
import { limits } from '../../limits.ts'
import { buildRules, type RuleParts, serveSplit } from '../build-rules.ts'
import { finishImport } from '../finish.ts'
import type { Conversion, ImportedFlag, ImportedSegment, ImportedVariation } from '../imported.ts'
import { nameVariations, onOff, typeOfValues } from '../name-variations.ts'
import { createReport, NotCarried, type Notes, type Report, tryCarry } from '../notes.ts'
import { tagsOf, textOf } from '../plain-members.ts'
import { all, groupOf, isIn, isNotSet, type Term } from '../terms.ts'
import { attributeOf, clauseTerm } from './clauses.ts'
import {
  type LaunchDarklyDefinitions,
  type LaunchDarklyFlag,
  readApiDocument,
  readSdkDocument,
} from './read-document.ts'
import { segmentTerm } from './segment-terms.ts'

export function convertLaunchDarkly(
  document: LaunchDarklyApiDocument | LaunchDarklySdkDocument,
  from: string | undefined,
): Conversion {
  const read = isApiDocument(document) ? readApiDocument(document, from) : readSdkDocument(document)
  return 'faults' in read ? read : convertDefinitions(read)
}

export function isApiDocument(
  document: LaunchDarklyApiDocument | LaunchDarklySdkDocument,
): document is LaunchDarklyApiDocument {
  return Array.isArray(document.flags?.items)
}

interface Scope {
  report: Report
  segmentKeys: ReadonlyMap<string, string>
  flags: ReadonlyMap<string, { key: string; variations: readonly ImportedVariation[] }>
}

function convertDefinitions({ from, flags, segments }: LaunchDarklyDefinitions): Conversion {
  const report = createReport()
  const giveSegment = createKeyGiver('segment')
  const segmentKeys = new Map([...segments.keys()].map((source) => [source, giveSegment(source)]))
  const imported = [...segments].flatMap(([source, segment]): ImportedSegment[] => {
    const notes = report.of({ segment: source })
    const scope = { key: source, segments, notes, path: [source] }
    const when = tryCarry(notes, 'Segment', () => groupOf(segmentTerm(segment, scope)))
    const name = textOf(segment.name, source)
    return when === undefined ? [] : [{ source, key: segmentKeys.get(source) ?? source, name, when }]
  })
  const giveFlag = createKeyGiver('flag')
  const current = flags.filter(({ key, archived }) => {
    if (archived) report.of({ flag: key }).add('archived', key)
    return !archived
  })
  const named = new Map(
    current.map((flag) => [flag.key, { key: giveFlag(flag.key), variations: nameAll(flag) }]),
  )
  const scope = { report, segmentKeys, flags: named }
  const all = current.flatMap((flag) => convertFlag(flag, scope) ?? [])
  return finishImport({ from, flags: all, segments: imported, report })
}

/** Variations in the order of the document: their names there, or their values. */
function nameAll({ variations }: LaunchDarklyFlag): ImportedVariation[] {
  const values = variations.map(({ value }) => value)
  if (typeOfValues(values) === 'boolean') {
    return values.map((value) => onOff[value === true ? 1 : 0] ?? { key: 'on', name: 'On', value: true })
  }
  const { variations: byValue, keyOf } = nameVariations(values)
  const give = createKeyGiver('variation')
  return variations.map(({ name, value }) => {
    const own = byValue.find(({ key }) => key === keyOf(value))
    const key = name ? give(name) : keyOf(value)
    return { key, name: textOf(name, own?.name ?? key), value }
  })
}

function convertFlag(flag: LaunchDarklyFlag, scope: Scope): ImportedFlag | undefined {
  const notes = scope.report.of({ flag: flag.key })
  const named = scope.flags.get(flag.key)
  if (named === undefined) return undefined
  if (named.key !== flag.key) notes.add('renamed', `${flag.key} is ${named.key}`)
  const valueType = typeOfValues(flag.variations.map(({ value }) => value))
  const place = { ...scope, notes, flag, variations: named.variations }
  const config = tryCarry(notes, 'Flag', () => convertConfig(flag.config, place))
  if (config === undefined) return undefined
  return {
    source: flag.key,
    key: named.key,
    name: textOf(flag.name, flag.key),
    description: flag.description.slice(0, limits.descriptionLength),
    valueType,
    variations: valueType === 'boolean' ? [...onOff] : distinct(named.variations),
    tags: tagsOf(flag.tags),
    clientVisible: flag.clientVisible,
    config,
  }
}

/** Equal values without names are one variation here. */
function distinct(variations: readonly ImportedVariation[]): ImportedVariation[] {
  return [...new Map(variations.map((variation) => [variation.key, variation])).values()]
}

interface Place extends Scope {
  notes: Notes
  flag: LaunchDarklyFlag
  variations: readonly ImportedVariation[]
}

function convertConfig(config: LaunchDarklyConfig, place: Place): FlagConfigDraft {
  const { notes } = place
  const fallthrough = partsOf(config.fallthrough ?? {}, true, place)
  const last = fallthrough.at(-1)
  if (last === undefined) throw new NotCarried('malformed', 'no default')
  const parts = [
    ...targetParts(config, place),
    ...(config.rules ?? []).flatMap((rule, index) => {
      const built = tryCarry(notes, `Rule ${index + 1}`, () => {
        const when = all(rule.clauses.map((clause) => clauseTerm(clause, clauseScope(place))))
        return partsOf(rule, when, place).map((part) => ({ ...part, description: rule.description }))
      })
      return built ?? []
    }),
    ...fallthrough.slice(0, -1),
  ]
  const prerequisites = tryCarry(notes, 'Prerequisite', () =>
    (config.prerequisites ?? []).map((each) => prerequisiteOf(each, place)),
  )
  return {
    enabled: config.on && prerequisites !== undefined,
    offVariation: offVariationOf(config, place),
    prerequisites: prerequisites ?? [],
    ...buildRules(parts, last.serve),
  }
}

function clauseScope({ notes, segmentKeys }: Place) {
  const inSegment = (source: string): Term => {
    const segment = segmentKeys.get(source)
    return segment === undefined ? false : { operator: 'in-segment', segment }
  }
  return { notes, inSegment }
}

function offVariationOf({ offVariation, on }: LaunchDarklyConfig, { notes, variations }: Place): string {
  if (typeof offVariation === 'number') return variationAt(offVariation, variations)
  notes.add('no-off-value', on ? 'for failed prerequisites' : 'off')
  return variations.find(({ value }) => value === false)?.key ?? variationAt(0, variations)
}

function variationAt(index: number, variations: readonly ImportedVariation[]): string {
  const variation = variations[index]
  if (variation === undefined) throw new NotCarried('malformed', `variation ${index} does not exist`)
  return variation.key
}

function prerequisiteOf(
  { key, variation }: { key: string; variation: number },
  { flags }: Place,
): FlagConfigDraft['prerequisites'][number] {
  const flag = flags.get(key)
  const wanted = flag?.variations[variation]
  if (flag === undefined || wanted === undefined) throw new NotCarried('dependency', key)
  return { flag: flag.key, variation: wanted.key }
}

/** Individual targets are the first rules. */
function targetParts({ targets, contextTargets }: LaunchDarklyConfig, { variations }: Place): RuleParts[] {
  const ofUsers = targets ?? []
  const ordered = (contextTargets ?? []).length === 0 ? ofUsers : (contextTargets ?? [])
  return ordered.map((target) => {
    const isUser = !target.contextKind || target.contextKind === 'user'
    // With context targets, those of users only give the order.
    const found = isUser ? ofUsers.find(({ variation }) => variation === target.variation) : target
    const when = isIn(attributeOf('key', target.contextKind), found?.values ?? [])
    return { when, serve: { variation: variationAt(target.variation, variations) }, description: 'Targets' }
  })
}

/** What is served for a condition: with a rollout, users without its attribute get the first variation. */
function partsOf(
  serve: { variation?: number | null; rollout?: LaunchDarklyRollout | null },
  when: Term,
  { variations, notes, flag }: Place,
): RuleParts[] {
  const { variation, rollout } = serve
  if (typeof variation === 'number')
    return [{ when, serve: { variation: variationAt(variation, variations) } }]
  const [first] = rollout?.variations ?? []
  if (rollout === undefined || rollout === null || first === undefined) {
    throw new NotCarried('malformed', 'no variation')
  }
  const isExperiment = rollout.kind === 'experiment'
  const by = attributeOf((isExperiment ? undefined : rollout.bucketBy) || 'key', rollout.contextKind)
  const arms = withRest(rollout).map((arm) => ({
    variation: variationAt(arm.variation, variations),
    weight: arm.weight,
  }))
  const split = serveSplit(arms, by)
  if (split === undefined || 'variation' in split) {
    return [{ when, serve: split ?? { variation: variationAt(first.variation, variations) } }]
  }
  notes.add('percentage', `${flag.key} by ${by}`)
  const whole = { when, serve: split }
  if (by === 'targetingKey') return [whole]
  const without = {
    when: all([when, isNotSet(by)]),
    serve: { variation: variationAt(first.variation, variations) },
  }
  return [without, whole]
}

/** The last variation gets the rest. */
function withRest({ variations }: LaunchDarklyRollout): LaunchDarklyRollout['variations'] {
  const total = variations.reduce((sum, { weight }) => sum + weight, 0)
  const last = variations.length - 1
  return variations.map((arm, index) =>
    index === last ? { ...arm, weight: arm.weight + Math.max(0, limits.weightTotal - total) } : arm,
  )
}
