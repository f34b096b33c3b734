import { describe, expect, test } from 'vitest'
import { compileRuleSet } from './compile.ts'
import { deriveArm } from './derive-arm.ts'
import { evaluate } from './evaluate.ts'
import { changesOf, type FlagPast, ruleSetAt } from './flag-past.ts'
import { assignRanges } from './ranges.ts'
import type { FlagDefinition } from './rule-set.ts'
import { valueText, variationsByValue } from './variations-of-value.ts'

type Config = FlagDefinition['config']

const split = (on: number, more: object = {}) => ({
  split: {
    id: '7',
    epoch: 1,
    by: 'targetingKey',
    arms: assignRanges(undefined, [
      { variation: 'on', weight: on },
      { variation: 'off', weight: 100_000 - on },
    ]),
    ...more,
  },
})

const config = (changes: Partial<Config> = {}): Config => ({
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: split(50_000),
  salt: 'salt',
  ...changes,
})

const flag = (changes: Partial<Config> = {}, key = 'checkout'): FlagDefinition => ({
  key,
  valueType: 'boolean',
  variations: ['on', 'off', 'old'].map((each) => ({ key: each, value: each === 'on' })),
  clientVisible: true,
  config: config(changes),
})

const people = Array.from({ length: 40 }, (_, index) => ({ targetingKey: `user-${index}` }))

/** The derived arm of each person by the value they saw; `plan` decides and is not part of the context. */
function derived(changes: Partial<Config>, served: (person: object) => object = (person) => person) {
  const ruleSet = compileRuleSet({ flags: [flag(changes), flag({}, 'other')], segments: [] })
  return people.map((context) => {
    const { variation = '' } = evaluate(ruleSet, 'checkout', served(context))
    const found = deriveArm({ ruleSet, flag: 'checkout', context, variations: [variation] })
    return 'arm' in found ? `arm ${found.arm.variation === variation}` : found.without
  })
}

const isPro = {
  match: 'all' as const,
  of: [{ attribute: 'plan', operator: 'equals' as const, value: 'pro' }],
}
const forPro = (serve: Config['fallthrough']) => ({
  rules: [{ id: 'r1', description: '', when: isPro, serve }],
})
const all = (word: string) => people.map(() => word)

describe('an arm is derived', () => {
  test('for users who got what the split serves, with the unit of their bucket', () => {
    expect(derived({})).toEqual(all('arm true'))
    const ruleSet = compileRuleSet({ flags: [flag()], segments: [] })
    const { variation = '' } = evaluate(ruleSet, 'checkout', { targetingKey: 'anna' })
    expect(
      deriveArm({ ruleSet, flag: 'checkout', context: { targetingKey: 'anna' }, variations: [variation] }),
    ).toEqual({ arm: { split: '7', epoch: 1, by: 'targetingKey', unit: 'anna', variation } })
  })

  test('for no user with another value: the application assigned it differently', () => {
    const ruleSet = compileRuleSet({ flags: [flag()], segments: [] })
    for (const context of people) {
      const variation = evaluate(ruleSet, 'checkout', context).variation === 'on' ? 'off' : 'on'
      expect(deriveArm({ ruleSet, flag: 'checkout', context, variations: [variation] })).toEqual({
        without: 'other-variation',
      })
    }
  })

  test("for the split's arm if two variations have the same value", () => {
    const twins = { variations: ['on', 'off', 'old'].map((key) => ({ key, value: 1 })) }
    const ruleSet = compileRuleSet({ flags: [{ ...flag(), ...twins }], segments: [] })
    const [context] = people
    const found = deriveArm({
      ruleSet,
      flag: 'checkout',
      context: context ?? {},
      variations: variationsByValue(twins).get('1') ?? [],
    })
    expect(found).toMatchObject({ arm: { variation: evaluate(ruleSet, 'checkout', context).variation } })
  })

  test('not without the attribute that the split buckets on', () => {
    expect(derived({ fallthrough: split(50_000, { by: 'company' }) })).toEqual(all('no-unit'))
  })

  test('not while the flag is off or serves one variation', () => {
    expect(derived({ enabled: false })).toEqual(all('no-split'))
    expect(derived({ fallthrough: { variation: 'on' } })).toEqual(all('no-split'))
  })
})

describe('unknown to telemetry', () => {
  const asFree = (person: object) => ({ ...person, plan: 'free' })

  test('no arm for any user if an earlier rule may serve one', () => {
    expect(derived(forPro({ variation: 'on' }), asFree)).toEqual(all('undecided'))
  })

  test('an earlier rule that serves something else has no effect', () => {
    expect(derived(forPro({ variation: 'old' }), asFree)).toEqual(all('arm true'))
  })

  test('no arm for users who may be in the split of a rule', () => {
    expect(derived({ ...forPro(split(50_000)), fallthrough: { variation: 'off' } }, asFree)).toEqual(
      all('undecided'),
    )
  })

  test('of a prerequisite: it may not have been met', () => {
    const requested = { prerequisites: [{ flag: 'other', variation: 'on' }] }
    const ruleSet = compileRuleSet({
      flags: [flag(requested), flag({ ...forPro({ variation: 'on' }) }, 'other')],
      segments: [],
    })
    const [context = {}] = people
    expect(deriveArm({ ruleSet, flag: 'checkout', context, variations: ['on'] })).toEqual({
      without: 'undecided',
    })
  })

  test('a negation of a missing attribute did not match', () => {
    const notPro = {
      match: 'all' as const,
      of: [{ attribute: 'plan', operator: 'is-not-set' as const }],
    }
    const rules = [{ id: 'r1', description: '', when: notPro, serve: split(50_000) }]
    expect(derived({ rules, fallthrough: { variation: 'old' } })).toEqual(all('undecided'))
  })
})

describe("a flag's history", () => {
  const past: FlagPast = {
    flag: flag(),
    versions: [
      { savedAt: 100, config: config({ fallthrough: { variation: 'off' } }) },
      { savedAt: 200, config: config({ fallthrough: split(1_000) }) },
    ],
    epochs: [
      { split: '7', epoch: 1, by: 'targetingKey', arms: split(1_000).split.arms, startedAt: 200 },
      { split: '7', epoch: 2, by: 'targetingKey', arms: split(100_000).split.arms, startedAt: 300 },
    ],
    archivedAt: 400,
  }
  const pasts = new Map([['checkout', past]])
  const served = (at: number) => {
    const ruleSet = ruleSetAt(pasts, { flag: 'checkout', at, segments: [] })
    const { variation, split: drawn } = evaluate(ruleSet, 'checkout', { targetingKey: 'user-1' })
    return [variation, drawn?.epoch]
  }

  test('is what its version, or the stage of a running rollout, served', () => {
    expect(served(150)).toEqual(['off', undefined])
    expect(served(250)).toEqual(['off', 1])
    expect(served(300)).toEqual(['on', 2])
    expect(served(50)).toEqual([undefined, undefined])
    expect(served(400)).toEqual([undefined, undefined])
    expect(changesOf(pasts, 'checkout')).toEqual([100, 200, 300, 400])
  })
})

describe('a value', () => {
  test("matches its variation, whatever the order of members, or a variation's key", () => {
    const byValue = variationsByValue({
      variations: [
        { key: 'one', value: { a: 1, b: [{ d: 1, c: 2 }] } },
        { key: 'two', value: 'one' },
        { key: 'three', value: 3 },
      ],
    })
    const of = (value: unknown) => byValue.get(valueText(value) ?? '')
    expect(of({ b: [{ c: 2, d: 1 }], a: 1 })).toEqual(['one'])
    expect(of('one')).toEqual(['two'])
    expect(of('three')).toEqual(['three'])
    expect(of(3)).toEqual(['three'])
    expect(of('3')).toBeUndefined()
    expect(of({ a: 1 })).toBeUndefined()
  })
})
