import { describe, expect, test } from 'vitest'
import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { type CheckedFlag, checkConfig, checkSegment } from './check-config.ts'

const known = (key: string, ...prerequisites: string[]): CheckedFlag => ({
  key,
  variations: ['on', 'off'],
  prerequisites: prerequisites.map((flag) => ({ flag, variation: 'on' })),
})

const others = [known('b', 'c'), known('c', 'd'), known('d'), known('back', 'a')]

function check(change: Partial<FlagConfigDraft>, flags: CheckedFlag[] = others) {
  const config: FlagConfigDraft = {
    enabled: true,
    offVariation: 'off',
    prerequisites: [],
    rules: [],
    fallthrough: { variation: 'on' },
    ...change,
  }
  return checkConfig(config, {
    flag: known('a'),
    flags: new Map(flags.map((flag) => [flag.key, flag])),
    segments: new Set(['staff']),
  })
}

const ruleWith = (...of: ConditionGroup['of']) => ({
  rules: [{ when: { match: 'all' as const, of }, serve: { variation: 'on' } }],
})

test('a valid configuration has no faults', () => {
  const fine = check({
    ...ruleWith({ operator: 'in-segment', segment: 'staff' }, { attribute: 'a', operator: 'is-set' }),
    prerequisites: [{ flag: 'b', variation: 'off' }],
    fallthrough: {
      split: [
        { variation: 'on', weight: 1 },
        { variation: 'off', weight: 99_999 },
      ],
    },
  })
  expect(fine).toEqual([])
})

test('too many regular expressions are rejected together before compilation', () => {
  const expressions = (count: number, value: (index: number) => string): ConditionGroup['of'] =>
    Array.from({ length: count }, (_, index) => ({
      attribute: 'a',
      operator: 'matches' as const,
      value: value(index),
    }))
  const long = check(ruleWith(...expressions(50, (index) => `${'(?:\\pL|\\pN)'.repeat(40)}${index}`)))
  expect(long.map(({ code, pointer }) => [code, pointer])).toEqual([['invalid-rule', '/rules']])
  expect(long[0]?.message).toContain('5000 characters')

  const large = expressions(50, (index) => `.*a.{200}${index}`)
  expect(check(ruleWith(...large)).map(({ pointer }) => pointer)).toEqual(['/rules'])
  expect(check(ruleWith(...large))[0]?.message).toContain('4000 instructions')
  expect(checkSegment({ match: 'any', of: large }).map(({ pointer }) => pointer)).toEqual(['/when'])
  expect(check(ruleWith(...expressions(50, (index) => `^user-${index}@example\\.com$`)))).toEqual([])
})

test('every fault is listed with its location', () => {
  const id = '00000000-0000-7000-8000-000000000001'
  const when = { match: 'all' as const, of: [] }
  const faults = check({
    offVariation: 'gone',
    rules: [
      { id, when, serve: { variation: 'gone' } },
      { id, when, serve: { split: [{ variation: 'on', weight: 99_999 }] } },
    ],
    fallthrough: {
      split: [
        { variation: 'on', weight: 50_000 },
        { variation: 'on', weight: 50_000 },
      ],
    },
  })
  expect(faults.map(({ code, pointer }) => [code, pointer])).toEqual([
    ['invalid-request', '/offVariation'],
    ['invalid-request', '/rules/1/id'],
    ['invalid-rule', '/rules/0/serve/variation'],
    ['invalid-weights', '/rules/1/serve/split'],
    ['invalid-request', '/fallthrough/split/1/variation'],
  ])
})

describe('operands', () => {
  const refused: [pointer: string, condition: Condition][] = [
    ['/value', { attribute: 'a', operator: 'matches', value: '(' }],
    ['/value', { attribute: 'a', operator: 'not-matches', value: '(?=x)' }],
    ['/value', { attribute: 'a', operator: 'greater', value: 'yesterday' }],
    ['/value', { attribute: 'a', operator: 'less', value: '2026-02-30T00:00:00Z' }],
    ['/value', { attribute: 'a', operator: 'semver-less', value: 'v1.0' }],
    ['/remainder', { attribute: 'a', operator: 'modulo', divisor: 3, remainder: 3 }],
    ['/segment', { operator: 'in-segment', segment: 'gone' }],
  ]
  test.each(refused)('%s of %o', (...[pointer, condition]) => {
    expect(check(ruleWith({ match: 'any', of: [condition] }))).toMatchObject([
      { code: 'invalid-rule', pointer: `/rules/0/when/of/0/of/0${pointer}` },
    ])
  })
})

describe('bounds', () => {
  const nest = (depth: number): ConditionGroup => ({ match: 'all', of: depth === 1 ? [] : [nest(depth - 1)] })
  const isSet: Condition = { attribute: 'a', operator: 'is-set' }

  test('groups are nested at most five deep', () => {
    expect(checkSegment(nest(5))).toEqual([])
    expect(checkSegment(nest(6))).toMatchObject([{ code: 'invalid-rule', pointer: '/when' }])
    expect(checkSegment(nest(5_000))).toHaveLength(1)
  })

  test('at most fifty conditions in total', () => {
    const half = (size: number): ConditionGroup => ({ match: 'any', of: Array(size).fill(isSet) })
    expect(check(ruleWith(half(24), half(24)))).toEqual([])
    expect(check(ruleWith(half(24), half(25)))).toMatchObject([{ pointer: '/rules/0/when' }])
  })

  test('a segment references no other segment', () => {
    const when: ConditionGroup = { match: 'all', of: [{ operator: 'in-segment', segment: 'staff' }] }
    expect(checkSegment(when)).toMatchObject([{ code: 'invalid-rule', pointer: '/when/of/0/segment' }])
  })
})

describe('prerequisites', () => {
  const on = (...flags: string[]) => ({ prerequisites: flags.map((flag) => ({ flag, variation: 'on' })) })

  test('a cycle is listed completely', () => {
    expect(check(on('b', 'back'))).toEqual([
      {
        code: 'prerequisite-cycle',
        pointer: '/prerequisites',
        message: 'The prerequisites form a cycle: a → back → a.',
      },
    ])
    expect(check(on('a'))).toMatchObject([
      { code: 'prerequisite-cycle', message: expect.stringContaining('a → a') },
    ])
  })

  test('flags and their variations exist and are listed once', () => {
    const faults = check({
      prerequisites: [
        { flag: 'gone', variation: 'on' },
        { flag: 'd', variation: 'purple' },
        { flag: 'd', variation: 'on' },
      ],
    })
    expect(faults.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['invalid-request', '/prerequisites/0/flag'],
      ['invalid-request', '/prerequisites/1/variation'],
      ['invalid-request', '/prerequisites/2/flag'],
    ])
  })

  test('prerequisites are at most twenty deep, including dependent flags', () => {
    const chain = Array.from({ length: 20 }, (_, index) =>
      index === 19 ? known('f19') : known(`f${index}`, `f${index + 1}`),
    )
    expect(check(on('f0'), chain)).toEqual([])
    expect(check(on('f0'), [...chain, known('above', 'a')])).toMatchObject([
      { pointer: '/prerequisites', message: expect.stringContaining('"above"') },
    ])
  })
})
