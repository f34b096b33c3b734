// Derives afterwards which arm a user was in from the value that telemetry reports: evaluates the flag as it was
// configured at that time, and assigns an arm only when the split serves the reported value. Attributes missing from
// telemetry must not bias the result: when a rule above the split may serve one of its arms, all users who may match
// that rule get no arm, whichever arm they were bucketed into, so the remaining users are as balanced as the split.

import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import type { Serve } from '../contract/flag-config.ts'
import type { Evaluation } from '../contract/trace.ts'
import { armOf } from './arm.ts'
import { type Context, pathOf, readPath } from './context.ts'
import { evaluate } from './evaluate.ts'
import type { FlagDefinition, RuleSet } from './rule-set.ts'

interface SeenVariation {
  /** As of the time when the value was seen. */
  ruleSet: RuleSet
  flag: string
  /** The known attributes of the subject. */
  context: Context
  /** All variations with the seen value; several may share a value. */
  variations: readonly string[]
}

interface ClaimedArm {
  split: string
  epoch: number
  by: string
  /** Not yet hashed. */
  unit: string
  variation: string
}

/**
 * Why there is no arm: no split served the value, an unknown attribute decides, the subject has no unit, or the split
 * serves it another variation.
 */
export type Unclaimed = 'no-split' | 'undecided' | 'no-unit' | 'other-variation'

export type DerivedArm = { arm: ClaimedArm } | { without: Unclaimed }

export function deriveArm({ ruleSet, flag, context, variations }: SeenVariation): DerivedArm {
  const definition = ruleSet.flags.get(flag)?.definition
  if (definition === undefined || !definition.config.enabled) return { without: 'no-split' }
  if (!definition.config.prerequisites.every(({ flag: other }) => isCertain(ruleSet, other, context))) {
    return { without: 'undecided' }
  }
  const answer = evaluate(ruleSet, flag, context)
  if (isDoubtful(ruleSet, { definition, context, answer })) return { without: 'undecided' }
  if (answer.split === undefined) return { without: 'no-split' }

  const arm = armOf(answer, context)
  if (arm === undefined) return { without: 'no-unit' }
  if (!variations.includes(arm.variation)) return { without: 'other-variation' }
  return { arm: { ...arm, by: answer.split.by } }
}

interface Answered {
  definition: FlagDefinition
  context: Context
  answer: Evaluation
}

/** Whether another rule may have served the user, depending on attributes that are not known. */
function isDoubtful(ruleSet: RuleSet, { definition, context, answer }: Answered): boolean {
  const { rules, fallthrough } = definition.config
  if (answer.overridden) return false

  const matched = rules.findIndex(({ id }) => id === answer.ruleId)
  const served = rules[matched]?.serve ?? fallthrough
  const passed = matched === -1 ? rules : rules.slice(0, matched + 1)
  const unknown = passed.filter(({ when }) => !isKnown(ruleSet, when, context))
  if (unknown.some(({ id }) => id === answer.ruleId)) return true
  const arms = variationsOf(served)
  return unknown.some(({ serve }) => variationsOf(serve).some((each) => arms.includes(each)))
}

function variationsOf(serve: Serve): readonly string[] {
  if (!('split' in serve)) return [serve.variation]
  const { arms, layer } = serve.split
  return [...arms.map(({ variation }) => variation), ...(layer === undefined ? [] : [layer.otherwise])]
}

/** Whether everything that the flag's evaluation depends on is known. */
function isCertain(ruleSet: RuleSet, flag: string, context: Context): boolean {
  const config = ruleSet.flags.get(flag)?.definition.config
  // The evaluation does not follow cycles either.
  if (config === undefined || !config.enabled || ruleSet.unfollowed.has(flag)) return true
  const serves = [...config.rules.map(({ serve }) => serve), config.fallthrough]
  return (
    config.rules.every(({ when }) => isKnown(ruleSet, when, context)) &&
    serves.every((serve) => unitsOf(serve).every((attribute) => isSet(context, attribute))) &&
    config.prerequisites.every((each) => isCertain(ruleSet, each.flag, context))
  )
}

function unitsOf(serve: Serve): readonly string[] {
  if (!('split' in serve)) return []
  const { by, layer } = serve.split
  return layer === undefined ? [by] : [by, layer.by]
}

function isKnown(ruleSet: RuleSet, group: ConditionGroup, context: Context): boolean {
  return group.of.every((each) =>
    'of' in each ? isKnown(ruleSet, each, context) : isConditionKnown(ruleSet, each, context),
  )
}

function isConditionKnown(ruleSet: RuleSet, condition: Condition, context: Context): boolean {
  if ('segment' in condition) {
    const segment = ruleSet.segments.get(condition.segment)
    return segment === undefined || isKnown(ruleSet, segment.definition.when, context)
  }
  const { attribute, operator } = condition
  // Flagsmith's paths (`$.identity.identifier`) refer to the identity and its environment.
  const isPath = operator === 'flagsmith' && (attribute === '' || attribute.startsWith('$.'))
  return isSet(context, isPath ? 'targetingKey' : attribute)
}

function isSet(context: Context, attribute: string): boolean {
  return readPath(context, attribute, pathOf(attribute) ?? [attribute]) !== undefined
}
