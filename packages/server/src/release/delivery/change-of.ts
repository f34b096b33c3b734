// The flags affected by a change of a rule set: the changed ones and those that depend on them.

import type { RuleSet } from '@telltale/core/evaluation/rule-set'
import type { RuleSetChange, ServedRuleSet } from './build-rule-set.ts'
import type { RuleSetStep } from './rule-set-steps.ts'

/** The change to announce for one step. */
export function changeOf(previous: ServedRuleSet, next: ServedRuleSet, step: RuleSetStep): RuleSetChange {
  const { version, ruleSet } = next
  if (step.segments.length > 0) return { version, flags: undefined, visible: undefined }

  const touched = [...step.flags, ...step.tables, ...step.overrides.map(({ flag }) => flag)]
  const flags = withDependants(new Set(touched), ruleSet)
  const isVisible = (key: string) =>
    next.flags.get(key)?.clientVisible === true || previous.flags.get(key)?.clientVisible === true
  return { version, flags, visible: new Set([...flags].filter(isVisible)) }
}

/** Includes flags that depend on them, directly or indirectly. */
function withDependants(changed: ReadonlySet<string>, ruleSet: RuleSet): Set<string> {
  const affected = new Set(changed)
  for (let before = -1; before < affected.size; ) {
    before = affected.size
    for (const [key, { definition }] of ruleSet.flags) {
      if (definition.config.prerequisites.some(({ flag }) => affected.has(flag))) affected.add(key)
    }
  }
  return affected
}
