// Rule sets are compiled once, then updated flag by flag: a change creates a rule set that shares the unchanged parts.

import { compileFlag } from './compile-flag.ts'
import { compileGroup } from './match.ts'
import { findUnfollowed } from './prerequisites.ts'
import type {
  CompiledFlag,
  CompiledSegment,
  FlagDefinition,
  RuleSet,
  RuleSetDefinition,
  SegmentDefinition,
} from './rule-set.ts'

/** Never throws: a flag or segment that cannot be compiled carries its fault and does not affect others. */
export function compileRuleSet({ flags, segments }: RuleSetDefinition): RuleSet {
  return replaceInRuleSet(emptyRuleSet, { flags, segments })
}

const emptyRuleSet: RuleSet = { flags: new Map(), segments: new Map(), unfollowed: new Set() }

export interface RuleSetChange {
  /** New or changed. */
  flags?: readonly FlagDefinition[]
  segments?: readonly SegmentDefinition[]
  removedFlags?: readonly string[]
  removedSegments?: readonly string[]
}

/** Compiles only the flags and segments of the change. */
export function replaceInRuleSet(ruleSet: RuleSet, change: RuleSetChange): RuleSet {
  const flags = replaced(ruleSet.flags, (change.flags ?? []).map(compileFlag), change.removedFlags)
  const segments = replaced(
    ruleSet.segments,
    (change.segments ?? []).map(compileSegment),
    change.removedSegments,
  )
  return { flags, segments, unfollowed: unfollowedIn(flags) }
}

function replaced<Item extends { key: string }>(
  items: ReadonlyMap<string, Item>,
  changed: readonly Item[],
  removed: readonly string[] = [],
): Map<string, Item> {
  const next = new Map(items)
  for (const key of removed) next.delete(key)
  for (const item of changed) next.set(item.key, item)
  return next
}

function unfollowedIn(flags: ReadonlyMap<string, CompiledFlag>): Set<string> {
  return findUnfollowed(flags.keys(), (key) =>
    flags.get(key)?.definition.config.prerequisites.map(({ flag }) => flag),
  )
}

function compileSegment(definition: SegmentDefinition): CompiledSegment {
  const { key, when } = definition
  try {
    return { key, definition, matches: compileGroup(when, { inSegment: true }), fault: undefined }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    return { key, definition, matches: () => false, fault }
  }
}
