// Validates a flag configuration before it is saved. Conditions are validated by compiling them, so every accepted
// configuration can be evaluated.

import type { ConditionGroup } from '../contract/conditions.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import type { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { type ConditionScope, checkConditions } from './check-conditions.ts'
import { findCircle, findUnfollowed, type PrerequisitesOf } from './prerequisites.ts'
import { programSizeOf } from './text.ts'

interface ConfigFault extends Fault {
  code: 'invalid-request' | 'invalid-rule' | 'invalid-weights' | 'prerequisite-cycle'
}

export interface CheckedFlag {
  key: string
  variations: readonly string[]
  prerequisites: readonly { flag: string; variation: string }[]
}

interface ConfigScope {
  /** The flag being configured; its saved prerequisites are ignored. */
  flag: CheckedFlag
  /** All active flags of the project, as configured in this environment. */
  flags: ReadonlyMap<string, CheckedFlag>
  /** The keys of the project's segments. */
  segments: ReadonlySet<string>
}

type RuleDraft = FlagConfigDraft['rules'][number]
type ServeDraft = FlagConfigDraft['fallthrough']

/** All faults; empty when the configuration can be saved. */
export function checkConfig(config: FlagConfigDraft, scope: ConfigScope): ConfigFault[] {
  return [
    ...checkVariation(config.offVariation, scope.flag, '/offVariation'),
    ...checkPrerequisites(config, scope),
    ...checkRuleIds(config.rules),
    ...checkRules(config.rules, scope),
    ...checkServe(config.fallthrough, scope.flag, '/fallthrough'),
  ]
}

/** Validates the conditions of a segment, which may not reference segments. */
export function checkSegment(when: ConditionGroup): ConfigFault[] {
  const costs = checkExpressions([when])
  return costs.length > 0 ? inRules(costs, '/when') : checkWhen(when, { segments: undefined }, '/when')
}

function checkRules(rules: readonly RuleDraft[], scope: ConfigScope): ConfigFault[] {
  const costs = checkExpressions(rules.map(({ when }) => when))
  // Compile only when the expressions are within the limits.
  if (costs.length > 0) return inRules(costs, '/rules')
  return rules.flatMap((rule, index) => checkRule(rule, scope, `/rules/${index}`))
}

function checkRule(rule: RuleDraft, { flag, segments }: ConfigScope, pointer: string): ConfigFault[] {
  return [
    ...checkWhen(rule.when, { segments }, `${pointer}/when`),
    ...checkServe(rule.serve, flag, `${pointer}/serve`).map(inRule),
  ]
}

/** Faults of the weights keep their code; all others get the code of a rule. */
function inRule(fault: ConfigFault): ConfigFault {
  return fault.code === 'invalid-weights' ? fault : { ...fault, code: 'invalid-rule' }
}

function checkWhen(when: ConditionGroup, scope: ConditionScope, pointer: string): ConfigFault[] {
  return inRules(checkConditions(when, scope), pointer)
}

function inRules(faults: readonly Fault[], pointer: string): ConfigFault[] {
  return faults.map((fault) => ({
    code: 'invalid-rule',
    pointer: `${pointer}${fault.pointer}`,
    message: fault.message,
  }))
}

function checkRuleIds(rules: readonly RuleDraft[]): ConfigFault[] {
  const seen = new Set<string>()
  return rules.flatMap(({ id }, index): ConfigFault[] => {
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id)
      return []
    }
    const message = 'Another rule already has this id.'
    return [{ code: 'invalid-request', pointer: `/rules/${index}/id`, message }]
  })
}

function checkServe(serve: ServeDraft, flag: CheckedFlag, pointer: string): ConfigFault[] {
  if ('variation' in serve) return checkVariation(serve.variation, flag, `${pointer}/variation`)

  const keys = serve.split.map(({ variation }) => variation)
  const faults = keys.flatMap((key, index) => {
    const at = `${pointer}/split/${index}/variation`
    if (keys.indexOf(key) === index) return checkVariation(key, flag, at)
    return [invalid(at, `The split names "${key}" twice.`)]
  })
  return [...faults, ...checkWeights(serve.split, `${pointer}/split`)]
}

function checkWeights(split: readonly { weight: number }[], pointer: string): ConfigFault[] {
  const total = split.reduce((sum, { weight }) => sum + weight, 0)
  const areWhole = split.every(({ weight }) => Number.isInteger(weight) && weight >= 0)
  if (areWhole && total === limits.weightTotal) return []
  const message = `Weights must be whole numbers that sum to ${limits.weightTotal}; these sum to ${total}.`
  return [{ code: 'invalid-weights', pointer, message }]
}

function checkVariation(key: string, flag: CheckedFlag, pointer: string): ConfigFault[] {
  if (flag.variations.includes(key)) return []
  return [invalid(pointer, `The flag "${flag.key}" has no variation "${key}".`)]
}

function invalid(pointer: string, message: string): ConfigFault {
  return { code: 'invalid-request', pointer, message }
}

function checkPrerequisites({ prerequisites }: FlagConfigDraft, { flag, flags }: ConfigScope): ConfigFault[] {
  const faults = prerequisites.flatMap((wanted, index): ConfigFault[] => {
    const pointer = `/prerequisites/${index}`
    // A reference to the flag itself is reported as a cycle below.
    const requested = wanted.flag === flag.key ? flag : flags.get(wanted.flag)
    if (requested === undefined)
      return [invalid(`${pointer}/flag`, `There is no active flag "${wanted.flag}".`)]
    const isRepeated = prerequisites.findIndex((each) => each.flag === wanted.flag) < index
    if (isRepeated) return [invalid(`${pointer}/flag`, `"${wanted.flag}" is already a prerequisite.`)]
    return checkVariation(wanted.variation, requested, `${pointer}/variation`)
  })

  const next = new Map([...flags, [flag.key, { ...flag, prerequisites }]])
  const prerequisitesOf: PrerequisitesOf = (key) => next.get(key)?.prerequisites.map((each) => each.flag)
  const circle = findCircle(flag.key, prerequisitesOf)
  if (circle !== undefined) {
    const message = `The prerequisites form a cycle: ${circle.join(' → ')}.`
    return [...faults, { code: 'prerequisite-cycle', pointer: '/prerequisites', message }]
  }
  return [...faults, ...checkReach(next, flags, prerequisitesOf)]
}

/** A new prerequisite can also make the chain too long for flags that depend on this one. */
function checkReach(
  next: ReadonlyMap<string, CheckedFlag>,
  flags: ReadonlyMap<string, CheckedFlag>,
  prerequisitesOf: PrerequisitesOf,
): ConfigFault[] {
  const unfollowed = findUnfollowed(next.keys(), prerequisitesOf)
  if (unfollowed.size === 0) return []
  const before = findUnfollowed(flags.keys(), (key) => flags.get(key)?.prerequisites.map((each) => each.flag))
  const [first] = [...unfollowed].filter((key) => !before.has(key))
  if (first === undefined) return []
  const bounds = `${limits.prerequisiteDepth} deep and ${limits.prerequisiteEvaluations} flags in all`
  return [invalid('/prerequisites', `The prerequisites of "${first}" go too deep; at most ${bounds}.`)]
}

// Bounds the total cost of all regular expressions of a configuration. Each is bounded where it is compiled, but
// hundreds of expressions just below that bound would still block a server for seconds.

/** At most one fault. Checks the total length before it compiles anything. */
function checkExpressions(groups: readonly ConditionGroup[]): Fault[] {
  const expressions = expressionsOf(groups)
  const length = expressions.reduce((sum, text) => sum + text.length, 0)
  if (length > limits.expressionsLength) {
    return [tooMuch(`${limits.expressionsLength} characters; these have ${length}`)]
  }
  const program = expressions.reduce((sum, text) => sum + programSizeOf(text), 0)
  if (program <= limits.expressionsProgram) return []
  return [tooMuch(`${limits.expressionsProgram} instructions; these have ${program}`)]
}

function tooMuch(bound: string): Fault {
  return { pointer: '', message: `All regular expressions together have at most ${bound}.` }
}

/** Iterative: the nesting depth is not validated yet at this point. */
function expressionsOf(groups: readonly ConditionGroup[]): string[] {
  const found: string[] = []
  const left = [...groups]
  for (let group = left.pop(); group !== undefined; group = left.pop()) {
    for (const part of group.of) {
      if ('match' in part) left.push(part)
      else if (part.operator === 'matches' || part.operator === 'not-matches') found.push(part.value)
    }
  }
  return found
}
