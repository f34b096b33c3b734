import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Condition } from '../contract/conditions.ts'
import type { Evaluation } from '../contract/trace.ts'
import { compileRuleSet } from './compile.ts'
import { evaluate, explain } from './evaluate.ts'
import { compileGroup } from './match.ts'
import type { FlagDefinition, RuleSetDefinition } from './rule-set.ts'

interface Cases {
  ruleSet: Omit<RuleSetDefinition, 'flags'> & {
    flags: (Omit<FlagDefinition, 'overrides'> & { overrides?: Record<string, string> })[]
  }
  cases: { name: string; flag: string; context: unknown; expected: Partial<Evaluation> }[]
  conditions: { condition: Condition; context: Record<string, unknown>; matched: boolean }[]
}

// Parsed instead of imported: only JSON.parse creates an own member named __proto__.
const file: Cases = JSON.parse(readFileSync(new URL('./cases.json', import.meta.url), 'utf8'))

const ruleSet = compileRuleSet({
  segments: file.ruleSet.segments,
  flags: file.ruleSet.flags.map(({ overrides, ...flag }) => ({
    ...flag,
    overrides: overrides && new Map(Object.entries(overrides)),
  })),
})
const nothing = compileRuleSet({ flags: [], segments: [] })

test.each(file.cases)('$flag: $name', ({ flag, context, expected }) => {
  const result = evaluate(ruleSet, flag, context)
  expect(result).toEqual({ overridden: false, ...expected })
  expect(explain(ruleSet, flag, context).result).toBe(result)
})

test.each(file.conditions)('$condition of $context', ({ condition, context, matched }) => {
  const ask = (match: 'all' | 'none') => compileGroup({ match, of: [condition] })(context, nothing, undefined)

  expect(ask('all')).toBe(matched)
  expect(ask('none')).toBe(!matched)
})
