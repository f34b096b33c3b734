// Telltale as used by a server or a server-side client: by key, with value, variation and reason.

import type { Condition } from '@telltale/core/contract/conditions'
import type { Evaluation } from '@telltale/core/contract/trace'
import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import { assignRanges } from '@telltale/core/evaluation/ranges'
import type { FlagDefinition } from '@telltale/core/evaluation/rule-set'
import type { BenchCondition, BenchFlag, BenchServe } from './flags.ts'
import type { Peer } from './peer.ts'

export const telltale: Peer = {
  name: 'Telltale',
  prepare: (flags, contexts) => {
    const ruleSet = compileRuleSet({ flags: flags.map(toDefinition), segments: [] })
    const [first = ''] = flags.map(({ key }) => key)
    const keys = flags.map(({ key }) => key)
    return {
      valueOf: (flag, context) => evaluate(ruleSet, flag, contexts[context]).value,
      run: (all) => {
        let results = 0
        for (const context of contexts) {
          if (!all) {
            if (evaluate(ruleSet, first, context).reason !== 'ERROR') results++
            continue
          }
          const answers: Evaluation[] = []
          for (const key of keys) answers.push(evaluate(ruleSet, key, context))
          results += answers.length
        }
        return results
      },
    }
  },
}

function toDefinition({ key, variations, rules, fallthrough }: BenchFlag): FlagDefinition {
  const serve = (served: BenchServe, id: string) => {
    if (typeof served === 'string') return { variation: served }
    const next = Object.entries(served).map(([variation, weight]) => ({ variation, weight }))
    return { split: { id, epoch: 1, by: 'targetingKey', arms: assignRanges(undefined, next) } }
  }
  return {
    key,
    valueType: typeof variations[0]?.value === 'boolean' ? 'boolean' : 'string',
    variations,
    clientVisible: true,
    config: {
      enabled: true,
      offVariation: variations.at(-1)?.key ?? '',
      prerequisites: [],
      rules: rules.map(({ conditions, serve: served }, index) => ({
        id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
        description: '',
        when: { match: 'all', of: conditions.map(toCondition) },
        serve: serve(served, `${key}-${index}`),
      })),
      fallthrough: serve(fallthrough, key),
      salt: `salt-of-${key}`,
    },
  }
}

export function toCondition(condition: BenchCondition): Condition {
  const [only, ...others] = condition.operator === 'in' ? condition.values : []
  if (only === undefined || others.length > 0) return condition
  return { attribute: condition.attribute, operator: 'equals', value: only }
}
