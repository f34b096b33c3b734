import { describe, expect, test } from 'vitest'
import { armOf, unitOf } from './arm.ts'
import { compileRuleSet, replaceInRuleSet } from './compile.ts'
import { evaluate, explain } from './evaluate.ts'
import { assignRanges } from './ranges.ts'
import type { FlagDefinition } from './rule-set.ts'

function flag(key: string, config: Partial<FlagDefinition['config']> = {}): FlagDefinition {
  return {
    key,
    valueType: 'boolean',
    variations: [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
    clientVisible: true,
    config: {
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [],
      fallthrough: { variation: 'on' },
      salt: key,
      ...config,
    },
  }
}

const rule = (when: FlagDefinition['config']['rules'][number]['when'], id = 'r1') => ({
  id,
  description: '',
  when,
  serve: { variation: 'off' },
})

describe('a change of a rule set', () => {
  const before = compileRuleSet({
    flags: [flag('a'), flag('b', { prerequisites: [{ flag: 'a', variation: 'on' }] })],
    segments: [],
  })

  test('compiles only the changed flag, and dependent flags see the change', () => {
    const after = replaceInRuleSet(before, { flags: [flag('a', { enabled: false })] })

    expect(after.flags.get('b')).toBe(before.flags.get('b'))
    expect(evaluate(after, 'b', {})).toMatchObject({ reason: 'DISABLED', prerequisite: 'a' })
    expect(evaluate(before, 'b', {})).toMatchObject({ reason: 'STATIC' })
  })

  test('a removed flag is not found, and is no longer a prerequisite', () => {
    const after = replaceInRuleSet(before, { removedFlags: ['a'] })
    expect(evaluate(after, 'a', {}).errorCode).toBe('FLAG_NOT_FOUND')
    expect(evaluate(after, 'b', {}).prerequisite).toBe('a')
  })

  test('a changed segment affects the flags that reference it', () => {
    const inSegment = rule({ match: 'all', of: [{ operator: 'in-segment', segment: 's' }] })
    const first = compileRuleSet({
      flags: [flag('a', { rules: [inSegment] })],
      segments: [{ key: 's', when: { match: 'all', of: [] } }],
    })
    const second = replaceInRuleSet(first, { segments: [{ key: 's', when: { match: 'any', of: [] } }] })

    expect(evaluate(first, 'a', {}).variation).toBe('off')
    expect(evaluate(second, 'a', {}).variation).toBe('on')
  })

  test('overrides are kept by reference: a new one needs no compilation', () => {
    const overrides = new Map<string, string>()
    const ruleSet = compileRuleSet({ flags: [{ ...flag('a'), overrides }], segments: [] })
    expect(evaluate(ruleSet, 'a', { targetingKey: 'u' }).reason).toBe('STATIC')

    overrides.set('u', 'off')
    expect(evaluate(ruleSet, 'a', { targetingKey: 'u' })).toMatchObject({
      variation: 'off',
      overridden: true,
    })
  })
})

describe('unresolvable prerequisites are not met', () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, index) =>
      flag(`f${index}`, {
        prerequisites: index + 1 < length ? [{ flag: `f${index + 1}`, variation: 'on' }] : [],
      }),
    )

  test('20 levels are followed, 21 are not', () => {
    const ruleSet = compileRuleSet({ flags: chain(22), segments: [] })
    expect(evaluate(ruleSet, 'f1', {}).reason).toBe('STATIC')
    expect(evaluate(ruleSet, 'f0', {})).toMatchObject({ reason: 'DISABLED', prerequisite: 'f1' })
    expect(explain(ruleSet, 'f0', {}).steps).toContainEqual({
      kind: 'prerequisite',
      flag: 'f1',
      variation: 'on',
      met: false,
      reason: 'not-followed',
    })
  })

  test('flags with shared prerequisites on every level evaluate in linear time', () => {
    const level = (depth: number, side: string) =>
      flag(`${side}${depth}`, {
        prerequisites:
          depth === 0
            ? []
            : [
                { flag: `a${depth - 1}`, variation: 'on' },
                { flag: `b${depth - 1}`, variation: 'on' },
              ],
      })
    const flags = Array.from({ length: 21 }, (_, depth) => [level(depth, 'a'), level(depth, 'b')]).flat()
    const ruleSet = compileRuleSet({ flags, segments: [] })
    expect(evaluate(ruleSet, 'a8', {}).reason).toBe('STATIC')
    expect(evaluate(ruleSet, 'a20', {}).reason).toBe('DISABLED')
  })

  test('5,000 flags in one chain compile', () => {
    expect(compileRuleSet({ flags: chain(5_000), segments: [] }).unfollowed.size).toBe(4_979)
  })
})

describe('results', () => {
  test('are shared and frozen, including values', () => {
    const value = { deep: { list: [1] } }
    const json: FlagDefinition = {
      ...flag('a'),
      variations: [
        { key: 'on', value },
        { key: 'off', value: null },
      ],
    }
    const ruleSet = compileRuleSet({ flags: [json], segments: [] })
    const result = evaluate(ruleSet, 'a', {})

    expect(evaluate(ruleSet, 'a', { other: 1 })).toBe(result)
    expect(Object.isFrozen(result)).toBe(true)
    expect(Object.isFrozen(value.deep.list)).toBe(true)
  })

  test('include their arm on request', () => {
    const arms = assignRanges(undefined, [{ variation: 'on', weight: 100_000 }])
    const split = { id: 's', epoch: 3, by: 'account.id', arms }
    const ruleSet = compileRuleSet({
      flags: [flag('drawn', { fallthrough: { split } }), flag('fixed')],
      segments: [],
    })
    const context = { account: { id: 42 } }

    expect(armOf(evaluate(ruleSet, 'drawn', context), context)).toEqual({
      split: 's',
      epoch: 3,
      variation: 'on',
      unit: '42',
    })
    expect(armOf(evaluate(ruleSet, 'drawn', {}), {})).toBeUndefined()
    expect(armOf(evaluate(ruleSet, 'fixed', context), context)).toBeUndefined()
    expect(unitOf('text', 'account.id')).toBeUndefined()
  })

  test('a flag that cannot be compiled returns GENERAL and does not affect others', () => {
    const broken = rule({ match: 'all', of: [{ attribute: 'a', operator: 'matches', value: '(' }] })
    const gap = {
      id: 's',
      epoch: 1,
      by: 'targetingKey',
      arms: [{ variation: 'on', weight: 100_000, ranges: [] }],
    }
    const ruleSet = compileRuleSet({
      flags: [flag('a', { rules: [broken] }), flag('b'), flag('c', { fallthrough: { split: gap } })],
      segments: [{ key: 's', when: { match: 'all', of: [{ operator: 'in-segment', segment: 's' }] } }],
    })
    expect(evaluate(ruleSet, 'a', {}).errorCode).toBe('GENERAL')
    expect(ruleSet.flags.get('a')?.fault).toContain('Invalid expression')
    expect(evaluate(ruleSet, 'b', {}).reason).toBe('STATIC')
    expect(evaluate(ruleSet, 'c', {}).errorCode).toBe('GENERAL')
    expect(ruleSet.segments.get('s')?.fault).toContain('segment')
  })
})

describe('a trace', () => {
  test('contains every step up to the deciding one', () => {
    const arms = assignRanges(undefined, [
      { variation: 'on', weight: 50_000 },
      { variation: 'off', weight: 50_000 },
    ])
    const half = { split: { id: 's', epoch: 1, by: 'targetingKey', arms } }
    const when = {
      match: 'all' as const,
      of: [
        { attribute: 'plan', operator: 'equals' as const, value: 'pro' },
        { attribute: 'age', operator: 'greater' as const, value: 18 },
        { attribute: 'never', operator: 'is-set' as const },
      ],
    }
    const ruleSet = compileRuleSet({
      flags: [flag('checkout', { rules: [rule(when)], fallthrough: half })],
      segments: [],
    })
    const trace = explain(ruleSet, 'checkout', { targetingKey: 'user-1', plan: 'pro', age: 17 })

    expect(trace.steps).toEqual([
      { kind: 'enabled', enabled: true },
      {
        kind: 'rule',
        rule: 'r1',
        matched: false,
        of: [
          {
            kind: 'group',
            match: 'all',
            matched: false,
            of: [
              {
                kind: 'condition',
                attribute: 'plan',
                operator: 'equals',
                expected: 'pro',
                actual: 'pro',
                matched: true,
              },
              {
                kind: 'condition',
                attribute: 'age',
                operator: 'greater',
                expected: 18,
                actual: 17,
                matched: false,
              },
            ],
          },
        ],
      },
      {
        kind: 'split',
        split: 's',
        by: 'targetingKey',
        unit: 'user-1',
        position: 17_502,
        variation: 'on',
        ranges: [[0, 50_000]],
      },
    ])
  })

  test('contains the trace of each prerequisite', () => {
    const ruleSet = compileRuleSet({
      flags: [flag('a'), flag('b', { prerequisites: [{ flag: 'a', variation: 'off' }] })],
      segments: [],
    })
    expect(explain(ruleSet, 'b', {}).steps[1]).toMatchObject({
      kind: 'prerequisite',
      met: false,
      reason: 'other-variation',
      trace: { flag: 'a', steps: [{ kind: 'enabled' }, { kind: 'variation', variation: 'on' }] },
    })
  })

  test('truncates the values of a context', () => {
    const when = { match: 'all' as const, of: [{ attribute: 'a', operator: 'equals' as const, value: 'x' }] }
    const ruleSet = compileRuleSet({ flags: [flag('f', { rules: [rule(when)] })], segments: [] })
    const cyclic: Record<string, unknown> = {}
    cyclic.a = cyclic
    const actualOf = (context: unknown) => JSON.stringify(explain(ruleSet, 'f', context).steps[1])

    expect(actualOf({ a: `${'y'.repeat(199)}😀${'z'.repeat(5_000)}` }).length).toBeLessThan(400)
    expect(actualOf(cyclic)).toContain('"structure"')
    expect(actualOf({ a: [1, 2] })).toContain('"list of 2"')
  })
})
