// Compiles a flag into the function that evaluates it. The code follows the order of the evaluation steps.

import type { Prerequisite } from '../contract/flag-config.ts'
import type { Evaluation, FlagStep, JsonValue, MatchStep } from '../contract/trace.ts'
import { readerOf, unitFrom } from './context.ts'
import { compileHeldOut } from './holdout.ts'
import { compileGroup } from './match.ts'
import type { CompiledFlag, Decide, FlagDefinition, Matcher } from './rule-set.ts'
import { type Answers, compileServe, failure, type Serving } from './serve.ts'
import { show } from './trace.ts'
import { Unusable } from './unusable.ts'

/** Never throws: a flag that cannot be compiled evaluates to the error code GENERAL. Its values are frozen. */
export function compileFlag(definition: FlagDefinition): CompiledFlag {
  const { key } = definition
  try {
    return { key, definition, decide: compileDecide(definition), fault: undefined }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    return { key, definition, decide: fail(fault), fault }
  }
}

function fail(message: string): Decide {
  return (_context, _ruleSet, steps) => {
    steps?.push({ kind: 'failed', message })
    return failure
  }
}

interface CompiledRule {
  id: string
  matches: Matcher
  serve: Serving
}

function compileDecide(definition: FlagDefinition): Decide {
  const { key, config } = definition
  const answers = answersOf(definition)
  const off = answers(config.offVariation, { reason: 'DISABLED' })
  if (!config.enabled) {
    return (_context, _ruleSet, steps) => {
      steps?.push({ kind: 'enabled', enabled: false })
      return off
    }
  }
  const blockedBy = compilePrerequisites(key, config.prerequisites, (flag) =>
    answers(config.offVariation, { reason: 'DISABLED', prerequisite: flag }),
  )
  const overriddenBy = compileOverrides(definition, answers)
  const heldOutBy = compileHoldouts(definition, answers)
  const { salt } = config
  const rules = config.rules.map(({ id, when, serve }): CompiledRule => {
    const options = { salt, answers, reason: 'TARGETING_MATCH' as const, ruleId: id }
    return { id, matches: compileGroup(when), serve: compileServe(serve, options) }
  })
  const reason = rules.length === 0 ? 'STATIC' : 'DEFAULT'
  const fallthrough = compileServe(config.fallthrough, { salt, answers, reason })

  return (context, ruleSet, steps) => {
    steps?.push({ kind: 'enabled', enabled: true })

    const settled =
      blockedBy?.(context, ruleSet, steps) ??
      overriddenBy?.(context, ruleSet, steps) ??
      heldOutBy?.(context, ruleSet, steps)
    if (settled !== undefined) return settled

    for (const rule of rules) {
      const inner: MatchStep[] | undefined = steps && []
      const matched = rule.matches(context, ruleSet, inner)
      if (inner !== undefined) steps?.push({ kind: 'rule', rule: rule.id, matched, of: inner })
      if (matched) return rule.serve(context, steps)
    }
    return fallthrough(context, steps)
  }
}

function answersOf({ key, variations }: FlagDefinition): Answers {
  const values = new Map(variations.map((each) => [each.key, freezeDeep(each.value)]))
  return (variation, more) => {
    if (!values.has(variation)) throw new Unusable(`The flag "${key}" has no variation "${variation}".`)
    const answer = { ...failure, errorCode: undefined, value: values.get(variation), variation, ...more }
    return Object.freeze(answer)
  }
}

/** Frozen: an application that modified a returned value would modify it for all callers. */
function freezeDeep(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(freezeDeep)
  return Object.freeze(value)
}

/** Returns the result of an evaluation, or undefined to continue with the next step. */
type Settle = (...args: Parameters<Decide>) => Evaluation | undefined

/** A prerequisite is met when it is on, its own prerequisites are met, and it serves exactly the variation. */
function compilePrerequisites(
  key: string,
  prerequisites: readonly Prerequisite[],
  blocked: (flag: string) => Evaluation,
): Settle | undefined {
  if (prerequisites.length === 0) return undefined
  const wanted = prerequisites.map((each) => ({ ...each, answer: blocked(each.flag) }))

  return (context, ruleSet, steps) => {
    const isFollowed = !ruleSet.unfollowed.has(key)
    for (const { flag, variation, answer } of wanted) {
      const requested = isFollowed ? ruleSet.flags.get(flag) : undefined
      const inner: FlagStep[] | undefined = steps && []
      const result = requested?.decide(context, ruleSet, inner)
      const met = result !== undefined && result.reason !== 'DISABLED' && result.variation === variation
      if (inner !== undefined) {
        const reason = met
          ? 'met'
          : !isFollowed
            ? 'not-followed'
            : requested === undefined
              ? 'missing'
              : 'other-variation'
        const trace = result && { trace: { flag, result, steps: inner } }
        steps?.push({ kind: 'prerequisite', flag, variation, met, reason, ...trace })
      }
      if (!met) return answer
    }
    return undefined
  }
}

/** Overrides to a deleted variation are ignored. */
function compileOverrides({ overrides, variations }: FlagDefinition, answers: Answers): Settle | undefined {
  if (overrides === undefined) return undefined
  const overridden = new Map(
    variations.map(({ key }) => [key, answers(key, { reason: 'TARGETING_MATCH', overridden: true })]),
  )
  const read = readerOf('targetingKey')

  return (context, _ruleSet, steps) => {
    if (overrides.size === 0) return undefined
    const targetingKey = read(context)
    const unit = unitFrom(targetingKey)
    const variation = unit === undefined ? undefined : overrides.get(unit)
    steps?.push({ kind: 'override', targetingKey: show(targetingKey), variation })
    return variation === undefined ? undefined : overridden.get(variation)
  }
}

/** A context without a targeting key is never held out. */
function compileHoldouts({ holdouts = [], config }: FlagDefinition, answers: Answers): Settle | undefined {
  if (holdouts.length === 0) return undefined
  const all = holdouts.map((holdout) => ({ key: holdout.key, find: compileHeldOut(holdout) }))
  const heldOut = answers(config.offVariation, { reason: 'HOLDOUT' })
  const read = readerOf('targetingKey')

  return (context, _ruleSet, steps) => {
    const value = read(context)
    const unit = unitFrom(value)
    if (unit === undefined) return undefined
    for (const { key, find } of all) {
      const { position, held } = find(unit)
      steps?.push({ kind: 'holdout', holdout: key, unit: show(value), position, held })
      if (held) return heldOut
    }
    return undefined
  }
}
