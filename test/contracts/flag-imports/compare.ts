// Evaluates imported definitions beside the SDK of the product they come from. Every difference must be one that the
// report of the import names, for a user that the note is about.

import type { FlagConfig, Serve } from '@telltale/core/contract/flag-config'
import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import type { FlagDefinition } from '@telltale/core/evaluation/rule-set'
import type { Conversion, ImportedDefinitions } from '@telltale/core/flag-imports/imported'
import { expect } from 'vitest'
import type { Oddity, SomeUser } from './users.ts'

export function definitionsOf(conversion: Conversion): ImportedDefinitions {
  if ('faults' in conversion) throw new Error(JSON.stringify(conversion.faults))
  return conversion
}

/** For which users a note allows a difference. Notes that are missing here allow none. */
const allowed: Record<string, readonly Oddity[] | 'everyone'> = {
  'numbers-as-text': ['numeric-text'],
  'odd-numbers': ['numeric-text', 'odd-number'],
  'numbers-in-text': ['number-in-text'],
  'partial-versions': ['partial-version'],
  'odd-dates': ['odd-date'],
  'current-time': ['no-time'],
  lists: ['list'],
  'missing-id': ['no-id'],
  'blocked-value': 'everyone',
  'no-off-value': 'everyone',
  'random-share': 'everyone',
  expression: 'everyone',
  operator: 'everyone',
  strategy: 'everyone',
  segment: 'everyone',
  dependency: 'everyone',
  holdout: 'everyone',
  'early-access': 'everyone',
  'relative-date': 'everyone',
  limits: 'everyone',
  malformed: 'everyone',
}

interface Comparison {
  definitions: ImportedDefinitions
  users: readonly SomeUser[]
  contextOf(user: SomeUser): Record<string, unknown>
  /** The value of a flag for a user; undefined where the SDK does not know. */
  theirs(flag: string, user: SomeUser): unknown
  /** In the form of theirs. */
  ours(value: unknown, variation: string): unknown
}

export interface Compared {
  /** By flag: users compared, and users with another value. */
  flags: Map<string, { compared: number; different: number; values: Set<string> }>
}

export function compareAll({ definitions, users, contextOf, theirs, ours }: Comparison): Compared {
  const ruleSet = compileRuleSet({
    flags: definitions.flags.map(definitionOf),
    segments: definitions.segments.map(({ key, when }) => ({ key, when })),
  })
  const faults = [...ruleSet.flags.values(), ...ruleSet.segments.values()].flatMap(({ key, fault }) =>
    fault === undefined ? [] : [`${key}: ${fault}`],
  )
  expect(faults).toEqual([])
  const codes = codesByFlag(definitions)
  const compared: Compared = { flags: new Map() }
  const unexplained: string[] = []
  const contexts = users.map(contextOf)
  for (const { source, key } of definitions.flags) {
    const its = codes.get(source) ?? new Set()
    const shares = { theirs: new Map<string, number>(), ours: new Map<string, number>() }
    const count = { compared: 0, different: 0, values: new Set<string>() }
    for (const [index, user] of users.entries()) {
      const given = theirs(source, user)
      if (given === undefined) continue
      const { value, variation } = evaluate(ruleSet, key, contexts[index])
      const [left, right] = [JSON.stringify(given), JSON.stringify(ours(value, variation ?? 'none'))]
      count.compared += 1
      count.values.add(left)
      add(shares.theirs, left)
      add(shares.ours, right)
      if (left === right) continue
      count.different += 1
      if (its.has('percentage') || isExplained(its, user)) continue
      unexplained.push(`${source}: ${left}, here ${right} for ${JSON.stringify(contexts[index])}`)
    }
    compared.flags.set(source, count)
    if (its.has('percentage')) checkShares(source, shares, users.length)
  }
  expect(unexplained.slice(0, 5)).toEqual([])
  return compared
}

function codesByFlag({ flags, segments, notes }: ImportedDefinitions): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>()
  const ofSegments = new Map<string, string[]>()
  for (const { flag, segment, code } of notes) {
    if (flag !== null) codes.set(flag, (codes.get(flag) ?? new Set()).add(code))
    if (segment !== null) ofSegments.set(segment, [...(ofSegments.get(segment) ?? []), code])
  }
  for (const { source, config } of flags) {
    const text = JSON.stringify(config.rules)
    for (const segment of segments) {
      if (!text.includes(`"segment":"${segment.key}"`)) continue
      const its = codes.get(source) ?? new Set()
      for (const code of ofSegments.get(segment.source) ?? []) its.add(code)
      codes.set(source, its)
    }
  }
  // Prerequisites bring their differences along.
  for (const { source, config } of flags) {
    for (const { flag } of config.prerequisites) {
      const parent = flags.find(({ key }) => key === flag)
      const its = codes.get(source) ?? new Set()
      for (const code of codes.get(parent?.source ?? '') ?? []) its.add(code)
      codes.set(source, its)
    }
  }
  return codes
}

function isExplained(codes: ReadonlySet<string>, { odd }: SomeUser): boolean {
  return [...codes].some((code) => {
    const users = allowed[code] ?? []
    return users === 'everyone' || users.some((oddity) => odd.has(oddity))
  })
}

function add(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

/** Within five standard errors of the difference of two shares of the same users. */
function checkShares(
  flag: string,
  { theirs, ours }: { theirs: Map<string, number>; ours: Map<string, number> },
  users: number,
): void {
  for (const value of new Set([...theirs.keys(), ...ours.keys()])) {
    const [left, right] = [(theirs.get(value) ?? 0) / users, (ours.get(value) ?? 0) / users]
    const mean = (left + right) / 2
    const error = Math.sqrt((2 * mean * (1 - mean)) / users)
    expect(Math.abs(left - right), `${flag} ${value}: ${left} and ${right}`).toBeLessThan(5 * error + 0.01)
  }
}

function definitionOf(flag: ImportedDefinitions['flags'][number]): FlagDefinition {
  const { key, valueType, variations, config } = flag
  const serve = (draft: (typeof config)['fallthrough']): Serve => {
    if ('variation' in draft) return draft
    let start = 0
    const arms = draft.split.map(({ variation, weight }) => {
      const ranges: [number, number][] = weight === 0 ? [] : [[start, start + weight]]
      start += weight
      return { variation, weight, ranges }
    })
    return { split: { id: key, epoch: 1, by: draft.by ?? 'targetingKey', arms } }
  }
  const saved: FlagConfig = {
    ...config,
    rules: config.rules.map((rule, index) => ({
      id: `${key}-${index}`,
      description: '',
      when: rule.when,
      serve: serve(rule.serve),
    })),
    fallthrough: serve(config.fallthrough),
    salt: key,
  }
  return {
    key,
    valueType,
    variations: variations.map(({ key: variation, value }) => ({
      key: variation,
      value: JSON.parse(JSON.stringify(value)),
    })),
    clientVisible: true,
    config: saved,
  }
}
