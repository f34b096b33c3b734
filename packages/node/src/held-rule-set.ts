// The rule set in memory. A change compiles only what it contains; a full rule set is converted into the change that
// leads to it.

import type { FlagText, RuleSetDelta, RuleSetFile, SegmentText } from '@telltale/core/contract/rule-set-file'
import { compileRuleSet, replaceInRuleSet } from '@telltale/core/evaluation/compile'
import type { RuleSet } from '@telltale/core/evaluation/rule-set'

export interface HeldFlag {
  text: FlagText
  overrides: Map<string, string>
}

export interface HeldRuleSet {
  version: string
  /** The environment's key. */
  environment: string
  ruleSet: RuleSet
  /** Ordered by key. */
  flags: ReadonlyMap<string, HeldFlag>
  segments: ReadonlyMap<string, SegmentText>
}

/** Initial state; its version is not that of any rule set. */
export const nothingHeld: HeldRuleSet = {
  version: '',
  environment: '',
  ruleSet: compileRuleSet({ flags: [], segments: [] }),
  flags: new Map(),
  segments: new Map(),
}

export interface Taken {
  next: HeldRuleSet
  /** The keys of flags whose value may have changed. */
  changed: string[]
}

/** Undefined when the change starts from another version. */
export function takeDelta(held: HeldRuleSet, delta: RuleSetDelta): Taken | undefined {
  if (delta.since !== held.version) return undefined

  const hasNewRules =
    delta.flags.length + delta.removedFlags.length + delta.segments.length + delta.removedSegments.length > 0
  if (!hasNewRules) {
    enterOverrides(held.flags, delta)
    const { version, environment } = delta
    return { next: { ...held, version, environment }, changed: affectedBy(delta, held, held) }
  }
  const flags = new Map(held.flags)
  for (const key of delta.removedFlags) flags.delete(key)
  for (const { overrides, ...text } of delta.flags) {
    const kept = held.flags.get(text.key)?.overrides ?? new Map<string, string>()
    flags.set(text.key, { text, overrides: overrides ? new Map(Object.entries(overrides)) : kept })
  }
  enterOverrides(flags, delta)
  const segments = new Map(held.segments)
  for (const key of delta.removedSegments) segments.delete(key)
  for (const segment of delta.segments) segments.set(segment.key, segment)

  const ruleSet = replaceInRuleSet(held.ruleSet, {
    flags: delta.flags.flatMap(({ key }) => definitionOf(flags.get(key)) ?? []),
    segments: delta.segments,
    removedFlags: delta.removedFlags,
    removedSegments: delta.removedSegments,
  })
  const { version, environment } = delta
  const hasNew = delta.flags.some(({ key }) => !held.flags.has(key))
  const next = { version, environment, ruleSet, flags: hasNew ? inOrder(flags) : flags, segments }
  return { next, changed: affectedBy(delta, held, next) }
}

/** Overrides in place: an override requires no compilation. */
function enterOverrides(flags: ReadonlyMap<string, HeldFlag>, delta: RuleSetDelta): void {
  for (const [key, changes] of Object.entries(delta.overrides)) {
    const overrides = flags.get(key)?.overrides
    for (const [targetingKey, variation] of Object.entries(changes)) {
      if (variation === null) overrides?.delete(targetingKey)
      else overrides?.set(targetingKey, variation)
    }
  }
}

export function takeWhole(held: HeldRuleSet, file: RuleSetFile): Taken {
  const taken = takeDelta(held, deltaTo(held, file))
  if (taken === undefined) throw new Error('A rule set does not lead on from the one that is held.')
  return taken
}

export function toFile({ version, environment, flags, segments }: HeldRuleSet): RuleSetFile {
  return {
    version,
    environment,
    flags: [...flags.values()].map(({ text, overrides }) => ({
      ...text,
      overrides: Object.fromEntries(overrides),
    })),
    segments: [...segments.values()],
  }
}

function deltaTo(held: HeldRuleSet, file: RuleSetFile): RuleSetDelta {
  const flags = new Set(file.flags.map(({ key }) => key))
  const segments = new Set(file.segments.map(({ key }) => key))
  return {
    version: file.version,
    environment: file.environment,
    since: held.version,
    flags: file.flags.flatMap(({ overrides, ...text }) => {
      const known = held.flags.get(text.key)
      const isSameText = known !== undefined && isSame(known.text, text)
      if (known === undefined || !hasSameOverrides(known.overrides, overrides)) return { ...text, overrides }
      return isSameText ? [] : text
    }),
    removedFlags: [...held.flags.keys()].filter((key) => !flags.has(key)),
    segments: file.segments.filter((segment) => !isSame(held.segments.get(segment.key), segment)),
    removedSegments: [...held.segments.keys()].filter((key) => !segments.has(key)),
    overrides: {},
  }
}

function hasSameOverrides(known: ReadonlyMap<string, string>, given: Record<string, string>): boolean {
  const entries = Object.entries(given)
  return entries.length === known.size && entries.every(([key, variation]) => known.get(key) === variation)
}

/** The server's serialization is deterministic. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function definitionOf(flag: HeldFlag | undefined) {
  if (flag === undefined) return undefined
  const { version: _version, ...text } = flag.text
  return { ...text, overrides: flag.overrides }
}

function inOrder(flags: Map<string, HeldFlag>): Map<string, HeldFlag> {
  return new Map([...flags].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function affectedBy(delta: RuleSetDelta, before: HeldRuleSet, after: HeldRuleSet): string[] {
  if (delta.segments.length + delta.removedSegments.length > 0) {
    return [...new Set([...before.flags.keys(), ...after.flags.keys()])]
  }
  const affected = new Set([
    ...delta.flags.map(({ key }) => key),
    ...delta.removedFlags.filter((key) => before.flags.has(key)),
    ...Object.keys(delta.overrides),
  ])
  // Includes flags that depend on them, directly or indirectly.
  for (let size = -1; size < affected.size; ) {
    size = affected.size
    for (const [key, { text }] of after.flags) {
      if (text.config.prerequisites.some(({ flag }) => affected.has(flag))) affected.add(key)
    }
  }
  return [...affected]
}
