// The ids of everything in an environment document: imported ids are kept, all others are allotted.

import type { Serve } from '../../contract/flag-config.ts'
import type { FlagDefinition, SegmentDefinition } from '../rule-set.ts'
import { allotIds, idOf } from './wire-ids.ts'

export interface DocumentIds {
  flag(flag: FlagDefinition): number
  /** The id of a segment by its key, or of a segment generated for a rule by the flag's key and the rule's id. */
  segment(name: string): number
  /** The id of a feature state, by the flag's key and its place (`off`, `fallthrough`, `identity` or a rule's id). */
  state(name: string): number
  /** The id of a variant, by the keys of the flag and the variation. */
  option(name: string): number
}

export function documentIds({
  flags,
  segments,
}: {
  flags: readonly FlagDefinition[]
  segments: readonly SegmentDefinition[]
}): DocumentIds {
  const features = flagIds(flags)
  const rules = flags.flatMap(({ key, config }) => config.rules.map(({ id }) => `${key} ${id}`))
  const ofSegments = allotIds(
    [...segments.filter(({ flagsmith }) => !flagsmith).map(({ key }) => key), ...rules],
    segments.flatMap(({ flagsmith }) => flagsmith?.id ?? []),
  )
  const ofStates = allotIds(
    flags.flatMap((flag) => placesOf(flag).map((place) => `${flag.key} ${place}`)),
    flags.flatMap(stateIdsOf),
  )
  const ofOptions = allotIds(
    flags.flatMap(({ key, variations }) => variations.map((variation) => `${key} ${variation.key}`)),
    flags.flatMap(({ flagsmith }) => Object.values(flagsmith?.variants ?? {}).flatMap(({ id }) => id ?? [])),
  )
  return {
    flag: (flag) => features.get(flag.key) ?? idOf(flag.key),
    segment: (name) => ofSegments.get(name) ?? idOf(name),
    state: (name) => ofStates.get(name) ?? idOf(name),
    option: (name) => ofOptions.get(name) ?? idOf(name),
  }
}

/** Ids by flag key. The same in the document and in answers over HTTP. */
export function flagIds(flags: Iterable<FlagDefinition>): Map<string, number> {
  const all = [...flags]
  const imported = all.flatMap(({ key, flagsmith }) => (flagsmith ? [[key, flagsmith.id] as const] : []))
  const allotted = allotIds(
    all.filter(({ flagsmith }) => !flagsmith).map(({ key }) => key),
    imported.map(([, id]) => id),
  )
  return new Map([...imported, ...allotted])
}

function placesOf({ config }: FlagDefinition): string[] {
  return ['off', 'fallthrough', 'identity', ...config.rules.map(({ id }) => id)]
}

/** The numeric state keys that imported splits hash. */
function stateIdsOf({ config }: FlagDefinition): number[] {
  const serves: Serve[] = [config.fallthrough, ...config.rules.map(({ serve }) => serve)]
  return serves.flatMap((serve) => {
    const key = 'split' in serve ? serve.split.bucketing?.stateKey : undefined
    return key !== undefined && /^\d+$/.test(key) ? [Number(key)] : []
  })
}
