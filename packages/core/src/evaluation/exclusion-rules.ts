// Slices that a rollout excludes, as ordinary rules before the guarded place: every
// evaluator of the rule set excludes the same users. A probe stays in the split, chosen by a hash that is independent of it.

import type { ConditionGroup } from '../contract/conditions.ts'
import { limits } from '../limits.ts'

export interface ExclusionRule {
  /** A UUID. */
  id: string
  /** In the evaluation context. */
  attribute: string
  value: string
  /** Those of 100 000 who stay in the split; 0: no one. */
  probe: number
  /** The unit of the split, by which the probe is chosen. */
  by: string
}

interface Guarded {
  /** The id of a rule, or `fallthrough`. */
  place: string
  /** What excluded users get. */
  control: string
}

interface AnyRule {
  id?: string | undefined
  when: ConditionGroup
}

interface RuleOfExclusion {
  id: string
  description: string
  when: ConditionGroup
  serve: { variation: string }
}

/** The rules with the exclusions before the guarded place; without them if the place is gone. */
export function withExclusions<Of extends AnyRule>(
  rules: readonly Of[],
  exclusions: readonly ExclusionRule[],
  { place, control }: Guarded,
): (Of | RuleOfExclusion)[] {
  const within = (when: ConditionGroup | undefined) =>
    exclusions.map((exclusion) => ({
      id: exclusion.id,
      description: `Excluded: ${exclusion.attribute} is ${exclusion.value}`.slice(0, limits.nameLength),
      when: conditionsOf(exclusion, when),
      serve: { variation: control },
    }))
  if (place === 'fallthrough') return [...rules, ...within(undefined)]
  return rules.flatMap((rule) => (rule.id === place ? [...within(rule.when), rule] : [rule]))
}

/** In the slice, outside of the probe, and within the conditions of the guarded rule: others reach later rules. */
function conditionsOf(
  { id, attribute, value, probe, by }: ExclusionRule,
  within: ConditionGroup | undefined,
): ConditionGroup {
  const inProbe: ConditionGroup = {
    match: 'none',
    of: [{ attribute: by, operator: 'percentage', weight: probe, seed: id }],
  }
  return {
    match: 'all',
    of: [
      ...(within === undefined ? [] : [within]),
      { attribute, operator: 'equals', value },
      ...(probe > 0 ? [inProbe] : []),
    ],
  }
}
