// Tells afterwards which arm somebody was in who says what value they saw: evaluates as the flag stood then, and claims an
// arm only where the split gives just that. What telemetry does not carry decides nothing: a rule above the split that might
// serve one of its arms to this person leaves everybody it might serve without an arm, whatever they drew, so that what is
// left is as fair as the split.

import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import type { Serve } from '../contract/flag-config.ts'
import type { Evaluation } from '../contract/trace.ts'
import { armOf } from './arm.ts'
import { type Context, pathOf, readPath } from './context.ts'
import { evaluate } from './evaluate.ts'
import type { FlagDefinition, RuleSet } from './rule-set.ts'

export interface SeenVariation {
  /** As it was when the value was seen. */
  ruleSet: RuleSet
  flag: string
  /** What is known of the subject. */
  context: Context
  /** Those whose value was seen; several may have the same. */
  variations: readonly string[]
}

export interface ClaimedArm {
  split: string
  epoch: number
  by: string
  /** Not yet hashed. */
  unit: string
  variation: string
}

/** Why nobody is counted: no split served it, something unknown decides, the subject has no unit, or it gives another one. */
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

/** Whether the true answer may have come from another place than this one. */
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
  return 'split' in serve ? serve.split.arms.map(({ variation }) => variation) : [serve.variation]
}

/** Everything that the answer of the flag depends on is known. */
function isCertain(ruleSet: RuleSet, flag: string, context: Context): boolean {
  const config = ruleSet.flags.get(flag)?.definition.config
  // Circles are not followed when it is evaluated either.
  if (config === undefined || !config.enabled || ruleSet.unfollowed.has(flag)) return true
  const serves = [...config.rules.map(({ serve }) => serve), config.fallthrough]
  return (
    config.rules.every(({ when }) => isKnown(ruleSet, when, context)) &&
    serves.every((serve) => !('split' in serve) || isSet(context, serve.split.by)) &&
    config.prerequisites.every((each) => isCertain(ruleSet, each.flag, context))
  )
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
  // Flagsmith's paths (`$.identity.identifier`) are of the identity and its environment.
  const isPath = operator === 'flagsmith' && (attribute === '' || attribute.startsWith('$.'))
  return isSet(context, isPath ? 'targetingKey' : attribute)
}

function isSet(context: Context, attribute: string): boolean {
  return readPath(context, attribute, pathOf(attribute) ?? [attribute]) !== undefined
}
