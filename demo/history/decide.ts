// What each flag serves to a user: evaluated by the product's own evaluator from the configurations in force at that
// time.

import type { Evaluation } from '@telltale/core/contract/trace'
import { armOf } from '@telltale/core/evaluation/arm'
import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import type { RuleSet, RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import { contextOf, type Person } from './people.ts'
import type { DecidedFlags } from './tape.ts'

/** A rule set and the time from which it was in force. */
export interface RuleSetSince {
  from: number
  definition: RuleSetDefinition
}

export interface Decision {
  flags: DecidedFlags
  evaluations: ReadonlyMap<string, Evaluation>
}

/** `ruleSets`: oldest first. */
export function createDecide(ruleSets: readonly RuleSetSince[]): (person: Person, at: number) => Decision {
  const compiled = ruleSets.map(({ from, definition }) => ({ from, ruleSet: compileRuleSet(definition) }))
  const empty = compileRuleSet({ flags: [], segments: [] })
  return (person, at) => decide(compiled.findLast(({ from }) => from <= at)?.ruleSet ?? empty, person)
}

function decide(ruleSet: RuleSet, person: Person): Decision {
  const context = contextOf(person)
  const evaluations = new Map(
    [...ruleSet.flags.values()]
      .filter(({ definition }) => definition.clientVisible)
      .map(({ key }) => [key, evaluate(ruleSet, key, context)]),
  )
  const flags: DecidedFlags = new Map(
    [...evaluations].flatMap(([flag, evaluation]) => {
      const { value, variation, split } = evaluation
      if (value === undefined || variation === undefined) return []
      const arm = armOf(evaluation, context)
      const drawn = arm && split ? { split: arm.split, epoch: arm.epoch, by: split.by, unit: arm.unit } : {}
      return [[flag, { value, read: { flag, variation, ...drawn } }] as const]
    }),
  )
  return { flags, evaluations }
}
