import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import { compileRuleSet } from './compile.ts'
import { evaluate, explain } from './evaluate.ts'
import { assignRanges } from './ranges.ts'
import type { FlagDefinition, RuleSetDefinition } from './rule-set.ts'

const names = ['targetingKey', 'a', 'b', 'c.d', '__proto__', 'constructor', 'toString']
const texts = ['', 'x', '5', '1.2.3', '2026-01-01T00:00:00Z', '\ud800', 'ü', '__proto__']

const attribute = fc.constantFrom(...names)
const text = fc.constantFrom(...texts)
const scalar = fc.oneof(text, fc.constantFrom(0, 5, -1, 1.5), fc.boolean())

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ attribute, operator: fc.constantFrom('equals', 'not-equals'), value: scalar }),
  fc.record({
    attribute,
    operator: fc.constantFrom('in', 'not-in'),
    values: fc.array(scalar, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    attribute,
    operator: fc.constantFrom('contains', 'not-contains', 'starts-with', 'ends-with'),
    value: text,
  }),
  fc.record({
    attribute,
    operator: fc.constantFrom('matches', 'not-matches'),
    value: fc.constantFrom('^x', '\\d+', '(a|b)*c', '[^x]'),
  }),
  fc.record({
    attribute,
    operator: fc.constantFrom('greater', 'greater-or-equal', 'less', 'less-or-equal'),
    value: fc.constantFrom(0, 5, '2026-01-01T00:00:00Z'),
  }),
  fc.record({
    attribute,
    operator: fc.constantFrom('semver-equals', 'semver-greater', 'semver-less-or-equal'),
    value: fc.constant('1.2.3'),
  }),
  fc.record({ attribute, operator: fc.constant('modulo'), divisor: fc.constant(3), remainder: fc.nat(2) }),
  fc.record({ attribute, operator: fc.constantFrom('is-set', 'is-not-set') }),
  fc.record({
    attribute,
    operator: fc.constant('percentage'),
    weight: fc.nat(100_000),
    seed: fc.constant('s'),
  }),
  fc.record({
    operator: fc.constantFrom('in-segment', 'not-in-segment'),
    segment: fc.constantFrom('staff', 'missing'),
  }),
)

const { group } = fc.letrec<{ group: ConditionGroup }>((tie) => ({
  group: fc.record({
    match: fc.constantFrom('all', 'any', 'none'),
    of: fc.array(fc.oneof({ maxDepth: 3 }, condition, tie('group')), { maxLength: 4 }),
  }),
}))

const serve = fc.oneof(
  fc.record({ variation: fc.constantFrom('on', 'off') }),
  fc.tuple(fc.nat(100_000), attribute).map(([weight, by]) => ({
    split: {
      id: 's',
      epoch: 1,
      by,
      arms: assignRanges(undefined, [
        { variation: 'on', weight },
        { variation: 'off', weight: 100_000 - weight },
      ]),
    },
  })),
)

const flagOf = (key: string, others: string[]): fc.Arbitrary<FlagDefinition> =>
  fc.record({
    key: fc.constant(key),
    valueType: fc.constant('boolean'),
    variations: fc.constant([
      { key: 'on', value: true },
      { key: 'off', value: false },
    ]),
    clientVisible: fc.boolean(),
    overrides: fc.constantFrom(undefined, new Map([['x', 'off']]), new Map([['5', 'gone']])),
    config: fc.record({
      enabled: fc.constantFrom(true, true, true, false),
      offVariation: fc.constant('off'),
      prerequisites: fc.array(
        fc.record({ flag: fc.constantFrom(...others, 'missing'), variation: fc.constantFrom('on', 'off') }),
        { maxLength: others.length > 0 ? 1 : 0 },
      ),
      rules: fc.array(fc.record({ id: fc.uuid(), description: fc.constant(''), when: group, serve }), {
        maxLength: 4,
      }),
      fallthrough: serve,
      salt: fc.constant(key),
    }),
  })

const ruleSets: fc.Arbitrary<RuleSetDefinition> = fc.record({
  flags: fc.tuple(
    flagOf('first', ['second', 'third']),
    flagOf('second', ['third']),
    flagOf('third', ['first']),
  ),
  segments: fc.tuple(
    fc.record({
      key: fc.constant('staff'),
      when: fc.record({ match: fc.constant('any'), of: fc.array(condition, { maxLength: 2 }) }),
    }),
  ),
})

function hostile(): Record<string, unknown> {
  const cyclic: Record<string, unknown> = { a: 'x' }
  cyclic.b = cyclic
  return cyclic
}

const throwing = Object.defineProperty({}, 'a', {
  enumerable: true,
  get: () => {
    throw new Error('no')
  },
})
const trapped = new Proxy(
  {},
  {
    get: () => {
      throw new Error('no')
    },
    getOwnPropertyDescriptor: () => {
      throw new Error('no')
    },
  },
)
const revoked = Proxy.revocable({}, {})
revoked.revoke()

const value = fc.oneof(
  scalar,
  fc.constantFrom<unknown>(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    -0,
    null,
    undefined,
    10n,
    Symbol('s'),
    () => 'x',
    new Date(0),
    new Date(Number.NaN),
    new Map(),
    hostile(),
    throwing,
    trapped,
    'x'.repeat(2_000_000),
    Array.from({ length: 5_000 }, () => 'x'),
  ),
  fc.array(scalar, { maxLength: 3 }),
  fc.anything({ maxDepth: 2 }),
)

const contexts: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(fc.oneof(attribute, fc.constantFrom('c', 'd')), value) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(throwing, trapped, hostile(), new Date(0)),
  },
  { weight: 1, arbitrary: fc.anything() },
)

test('for any rules and context, an evaluation returns a result that matches its trace', () => {
  fc.assert(
    fc.property(ruleSets, contexts, (definition, context) => {
      const ruleSet = compileRuleSet(definition)
      for (const { key } of definition.flags) {
        const result = evaluate(ruleSet, key, context)
        const trace = explain(ruleSet, key, context)

        expect(trace.result).toBe(result)
        expect(result.errorCode === undefined).toBe(result.reason !== 'ERROR')
        expect(result.variation === undefined).toBe(result.reason === 'ERROR')
        expect(JSON.stringify(trace.steps).length).toBeLessThan(200_000)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('an unreadable context returns GENERAL, and unused attributes are not read', () => {
  const asking = { match: 'all' as const, of: [{ attribute: 'a', operator: 'is-set' as const }] }
  const config = {
    enabled: true,
    offVariation: 'on',
    prerequisites: [],
    rules: [{ id: 'r', description: '', when: asking, serve: { variation: 'on' } }],
    fallthrough: { variation: 'on' },
    salt: 's',
  }
  const flag = { key: 'f', valueType: 'boolean' as const, variations: [{ key: 'on', value: true }] }
  const plain = { ...flag, key: 'plain', clientVisible: true, config: { ...config, rules: [] } }
  const ruleSet = compileRuleSet({ flags: [{ ...flag, clientVisible: true, config }, plain], segments: [] })

  for (const context of [throwing, trapped, revoked.proxy, { a: revoked.proxy }]) {
    expect(evaluate(ruleSet, 'f', context).errorCode).toBe('GENERAL')
    expect(explain(ruleSet, 'f', context).steps.at(-1)).toMatchObject({ kind: 'failed' })
  }
  expect(evaluate(ruleSet, 'plain', throwing).value).toBe(true)
})

test('inherited properties are ignored, even those of every object', () => {
  const definition = {
    match: 'all' as const,
    of: [{ attribute: 'polluted', operator: 'equals' as const, value: 'yes' }],
  }
  const ruleSet = compileRuleSet({
    flags: [],
    segments: [{ key: 's', when: definition }],
  })
  const segment = ruleSet.segments.get('s')
  const heir = Object.create({ polluted: 'yes' })
  expect(segment?.matches(heir, ruleSet, undefined)).toBe(false)
  expect(segment?.matches({ polluted: 'yes' }, ruleSet, undefined)).toBe(true)
})
