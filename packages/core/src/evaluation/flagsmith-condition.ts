// Evaluates an imported Flagsmith condition with Flagsmith's own semantics.

import type { Condition } from '../contract/conditions.ts'
import { readerOf, unitFrom } from './context.ts'
import { identityKeyOf } from './flagsmith-bucket.ts'
import type { EvaluationContext } from './flagsmith-evaluation-context.ts'
import { matchesCondition } from './flagsmith-match-condition.ts'
import { readProperty } from './flagsmith-read-property.ts'
import type { Matcher } from './rule-set.ts'
import { show } from './trace.ts'

export type FlagsmithCondition = Extract<Condition, { operator: 'flagsmith' }>

const readTargetingKey = readerOf('targetingKey')

/** Never matches without a targeting key. */
export function compileFlagsmithCondition(condition: FlagsmithCondition): Matcher {
  const { attribute: property, compare: operator, value, environment, segmentId } = condition
  const requested = { property, operator, value }
  const seed = String(segmentId)

  return (traits, _ruleSet, steps) => {
    const identifier = unitFrom(readTargetingKey(traits))
    const context: EvaluationContext = {
      environment,
      // With the key, because `$.identity.key` is a valid path and dashboards use it for percentages.
      identity:
        identifier === undefined
          ? undefined
          : { identifier, key: identityKeyOf(environment.key, identifier), traits },
    }
    const matched = identifier !== undefined && matchesCondition(context, requested, seed)
    if (steps !== undefined) {
      const found = property === '' ? identifier : readProperty(context, property)
      steps.push({
        kind: 'condition',
        attribute: property === '' ? 'targetingKey' : property,
        operator,
        expected: show(value),
        actual: show(found ?? undefined),
        matched,
      })
    }
    return matched
  }
}
