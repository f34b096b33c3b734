// The entries of a document with every default filled in, and the reverse: what an export writes leaves defaults out.

import { isSame } from '../changes/same.ts'
import type { CodeConfig, CodeFlag, CodeSegment } from '../contract/code-document.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { booleanVariations, firstConfigOf } from './first-config.ts'

type Serve = FlagConfigDraft['fallthrough']
type Rule = FlagConfigDraft['rules'][number]

export interface FlagContent {
  name: string
  description: string
  valueType: CodeFlag['valueType']
  variations: { key: string; name: string; value: unknown }[]
  valueSchema: object | null
  tags: string[]
  /** E-mail addresses. */
  owners: string[]
  /** Keys of teams. */
  ownerTeams: string[]
  permanent: boolean
  removeBy: string | null
  clientVisible: boolean
  environments: Record<string, FlagConfigDraft>
}

export interface SegmentContent {
  name: string
  description: string
  when: CodeSegment['when']
}

export function completeFlag(flag: CodeFlag): FlagContent {
  const variations = flag.variations ?? (flag.valueType === 'boolean' ? booleanVariations : [])
  const keys = variations.map(({ key }) => key)
  const environments = Object.entries(flag.environments ?? {})
  return {
    name: flag.name,
    description: flag.description ?? '',
    valueType: flag.valueType,
    variations: variations.map(({ key, name, value }) => ({ key, name: name ?? key, value })),
    valueSchema: flag.valueSchema ?? null,
    tags: flag.tags ?? [],
    owners: [...(flag.owners ?? (flag.owner === undefined ? [] : [flag.owner]))].sort(),
    ownerTeams: [...(flag.ownerTeams ?? [])].sort(),
    permanent: flag.permanent ?? false,
    removeBy: flag.removeBy ?? null,
    clientVisible: flag.clientVisible ?? false,
    environments: Object.fromEntries(
      environments.map(([env, config]) => [env, completeConfig(config, keys)]),
    ),
  }
}

function completeConfig(config: CodeConfig, variations: readonly string[]): FlagConfigDraft {
  const usual = firstConfigOf(variations)
  return {
    enabled: config.enabled ?? usual.enabled,
    offVariation: config.offVariation ?? usual.offVariation,
    prerequisites: config.prerequisites ?? usual.prerequisites,
    rules: (config.rules ?? []).map(({ id, description = '', when, serve }) => ({
      ...(id === undefined ? {} : { id }),
      description,
      when,
      serve: completeServe(serve),
    })),
    fallthrough: completeServe(config.fallthrough ?? usual.fallthrough),
  }
}

function completeServe(serve: Serve): Serve {
  return 'split' in serve ? { split: serve.split, by: serve.by ?? 'targetingKey' } : serve
}

export function completeSegment({ name, description = '', when }: CodeSegment): SegmentContent {
  return { name, description, when }
}

export function compactFlag(flag: FlagContent): CodeFlag {
  const keys = flag.variations.map(({ key }) => key)
  const isUsual = flag.valueType === 'boolean' && isSame(flag.variations, booleanVariations)
  const environments = sortedEntries(flag.environments)
  return {
    name: flag.name,
    ...(flag.description !== '' && { description: flag.description }),
    valueType: flag.valueType,
    ...(!isUsual && { variations: flag.variations.map(compactVariation) }),
    ...(flag.valueSchema !== null && { valueSchema: { ...flag.valueSchema } }),
    ...(flag.tags.length > 0 && { tags: flag.tags }),
    ...(flag.owners.length > 0 && { owners: flag.owners }),
    ...(flag.ownerTeams.length > 0 && { ownerTeams: flag.ownerTeams }),
    ...(flag.permanent && { permanent: true }),
    ...(flag.removeBy !== null && { removeBy: flag.removeBy }),
    ...(flag.clientVisible && { clientVisible: true }),
    ...(environments.length > 0 && {
      environments: Object.fromEntries(
        environments.map(([env, config]) => [env, compactConfig(config, keys)]),
      ),
    }),
  }
}

function compactVariation({ key, name, value }: FlagContent['variations'][number]) {
  return name === key ? { key, value } : { key, name, value }
}

function compactConfig(config: FlagConfigDraft, variations: readonly string[]): CodeConfig {
  const usual = firstConfigOf(variations)
  return {
    enabled: config.enabled,
    ...(config.offVariation !== usual.offVariation && { offVariation: config.offVariation }),
    ...(config.prerequisites.length > 0 && { prerequisites: config.prerequisites }),
    ...(config.rules.length > 0 && { rules: config.rules.map(compactRule) }),
    ...(!isSame(config.fallthrough, usual.fallthrough) && { fallthrough: compactServe(config.fallthrough) }),
  }
}

/** Without the id of its server: an application finds the rule again by what it says. */
function compactRule({ description, when, serve }: Rule): Rule {
  return { ...(description && { description }), when, serve: compactServe(serve) }
}

function compactServe(serve: Serve): Serve {
  return 'split' in serve && serve.by === 'targetingKey' ? { split: serve.split } : serve
}

export function compactSegment({ name, description, when }: SegmentContent): CodeSegment {
  return { name, ...(description !== '' && { description }), when }
}

/** By code point, so that an export does not depend on the language of a server. */
export function sortedEntries<Value>(entries: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}
