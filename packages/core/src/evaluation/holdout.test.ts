import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HoldoutShare } from '../contract/flag-config.ts'
import { limits } from '../limits.ts'
import { holdoutSplit, isHiddenSplit } from '../telemetry/hidden-split.ts'
import { compileRuleSet } from './compile.ts'
import { evaluate, explain } from './evaluate.ts'
import { holdoutArmOf, othersOf } from './holdout.ts'
import type { FlagDefinition } from './rule-set.ts'

const users = 4_000
const nameOf = (user: number) => `user-${user}`

const flagOf = (key: string, holdouts?: HoldoutShare[]): FlagDefinition => ({
  ...{ key, valueType: 'boolean', clientVisible: true, holdouts },
  variations: [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ],
  config: {
    ...{ enabled: true, offVariation: 'off', prerequisites: [], salt: `salt of ${key}` },
    rules: [
      {
        ...{ id: 'all', description: '', serve: { variation: 'on' } },
        when: { match: 'all', of: [{ attribute: 'targetingKey', operator: 'is-set' }] },
      },
    ],
    fallthrough: { variation: 'on' },
  },
  overrides: new Map([['chosen', 'on']]),
})

const holdout: HoldoutShare = { key: 'quarter', salt: 'holdout', share: 5_000 }

test('held-out users get the off variation of every covered flag, before its rules and after overrides', () => {
  const ruleSet = compileRuleSet({
    flags: [flagOf('one', [holdout]), flagOf('two', [holdout]), flagOf('free')],
    segments: [],
  })
  let held = 0
  for (let user = 0; user < users; user += 1) {
    const context = { targetingKey: nameOf(user) }
    const isHeld = holdoutArmOf(holdout, nameOf(user)) === 'held-out'
    held += Number(isHeld)
    for (const key of ['one', 'two'])
      expect(evaluate(ruleSet, key, context)).toMatchObject(
        isHeld
          ? { variation: 'off', reason: 'HOLDOUT', split: undefined }
          : { variation: 'on', reason: 'TARGETING_MATCH' },
      )
    expect(evaluate(ruleSet, 'free', context).variation).toBe('on')
  }
  expect(Math.abs(held / users - 0.05)).toBeLessThan(5 * Math.sqrt((0.05 * 0.95) / users))

  const everyone = compileRuleSet({ flags: [flagOf('one', [{ ...holdout, share: 100_000 }])], segments: [] })
  expect(evaluate(everyone, 'one', { targetingKey: 'chosen' })).toMatchObject({
    ...{ variation: 'on', overridden: true },
  })
  expect(evaluate(everyone, 'one', {}).reason).not.toBe('HOLDOUT')
  expect(explain(everyone, 'one', { targetingKey: 'ada' }).steps.at(-1)).toMatchObject({
    ...{ kind: 'holdout', holdout: 'quarter', unit: 'ada', held: true },
  })
})

test('held-out users and those they are compared with are disjoint, stable, and of their shares', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 40_000 }), fc.string({ minLength: 1 }), (share, salt) => {
      const arms = Array.from({ length: users }, (_, user) => holdoutArmOf({ salt, share }, nameOf(user)))
      expect(Array.from({ length: users }, (_, user) => holdoutArmOf({ salt, share }, nameOf(user)))).toEqual(
        arms,
      )
      for (const [arm, size] of [
        ['held-out', share],
        ['others', othersOf(share)],
      ] as const) {
        const designed = size / limits.weightTotal
        const found = arms.filter((one) => one === arm).length / users
        expect(Math.abs(found - designed)).toBeLessThan(
          5 * Math.sqrt((designed * (1 - designed)) / users) + 1e-9,
        )
      }
    }),
    { numRuns: 20 },
  )
})

test('the number of a hidden split is never that of a flag', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (random) => {
      expect(isHiddenSplit(holdoutSplit(random))).toBe(true)
      expect(BigInt(holdoutSplit(random))).toBeLessThan(2n ** 63n)
    }),
  )
  for (const split of ['1', '99', String(2n ** 61n)]) expect(isHiddenSplit(split)).toBe(false)
  expect(isHiddenSplit('0')).toBe(true)
})
