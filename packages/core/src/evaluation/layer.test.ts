import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LayerShare, Split } from '../contract/flag-config.ts'
import { limits } from '../limits.ts'
import { armOf } from './arm.ts'
import { compileRuleSet } from './compile.ts'
import { evaluate, explain } from './evaluate.ts'
import { reserveIn, roomOf } from './layer-room.ts'
import { sizeOf } from './positions.ts'
import type { FlagDefinition, RuleSet } from './rule-set.ts'

const { weightTotal } = limits
const users = 4_000

const layerOf = (ranges: LayerShare['ranges'], salt = 'layer'): LayerShare => ({
  ...{ key: 'checkout', by: 'targetingKey', salt, ranges, otherwise: 'off' },
})

const splitOf = (id: string, layer?: LayerShare): Split => ({
  ...{ id, epoch: 1, by: 'targetingKey', ...(layer && { layer }) },
  arms: [
    { variation: 'off', weight: 50_000, ranges: [[0, 50_000]] },
    { variation: 'on', weight: 50_000, ranges: [[50_000, 100_000]] },
  ],
})

const flagOf = (key: string, layer?: LayerShare): FlagDefinition => ({
  ...{ key, valueType: 'boolean', clientVisible: true },
  variations: [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ],
  config: {
    ...{ enabled: true, offVariation: 'off', prerequisites: [], rules: [], salt: `salt of ${key}` },
    fallthrough: { split: splitOf(key, layer) },
  },
})

const armsOf = (ruleSet: RuleSet, key: string) =>
  Array.from({ length: users }, (_, user) => {
    const context = { targetingKey: `user-${user}` }
    return armOf(evaluate(ruleSet, key, context), context)?.variation
  })

/** Five standard errors of a share among the users, which a correct hash exceeds once in a million draws. */
const tolerance = (share: number, of: number) => 5 * Math.sqrt((share * (1 - share)) / of)

test('two experiments of a layer never share a user, and each gets its share', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000, max: 50_000 }),
      fc.integer({ min: 1_000, max: 50_000 }),
      fc.string({ minLength: 1 }),
      (one, other, salt) => {
        const first = reserveIn([], one) ?? []
        const second = reserveIn(first, other) ?? []
        const ruleSet = compileRuleSet({
          flags: [flagOf('first', layerOf(first, salt)), flagOf('second', layerOf(second, salt))],
          segments: [],
        })
        const [left, right] = [armsOf(ruleSet, 'first'), armsOf(ruleSet, 'second')]
        expect(left.some((arm, user) => arm !== undefined && right[user] !== undefined)).toBe(false)
        for (const [arms, size] of [
          [left, one],
          [right, other],
        ] as const) {
          const share = size / weightTotal
          const found = arms.filter((arm) => arm !== undefined).length / users
          expect(Math.abs(found - share)).toBeLessThan(tolerance(share, users))
        }
      },
    ),
    { numRuns: 20 },
  )
})

test('the variation inside is independent of the position in the layer, and the same as without one', () => {
  const plain = armsOf(compileRuleSet({ flags: [flagOf('a')], segments: [] }), 'a')
  for (const start of [0, 25_000, 50_000, 75_000]) {
    const ruleSet = compileRuleSet({ flags: [flagOf('a', layerOf([[start, start + 25_000]]))], segments: [] })
    const arms = armsOf(ruleSet, 'a')
    const inside = arms.filter((arm) => arm !== undefined)
    const on = inside.filter((arm) => arm === 'on').length / inside.length
    expect(Math.abs(on - 0.5)).toBeLessThan(tolerance(0.5, inside.length))
    expect(arms.every((arm, user) => arm === undefined || arm === plain[user])).toBe(true)
  }
})

test('all others get the control, do not take part, and the trace says why', () => {
  const ruleSet = compileRuleSet({ flags: [flagOf('a', layerOf([[0, 20_000]]))], segments: [] })
  const traces = Array.from({ length: 200 }, (_, user) =>
    explain(ruleSet, 'a', { targetingKey: `user-${user}` }),
  )
  for (const { result, steps } of traces) {
    const step = steps.find(({ kind }) => kind === 'layer')
    if (step?.kind !== 'layer' || step.position === undefined) throw new Error('no layer step')
    expect(step.included).toBe(step.position < 20_000)
    expect(result.split !== undefined).toBe(step.included)
    if (!step.included) expect(result).toMatchObject({ variation: 'off', reason: 'DEFAULT' })
  }
  expect(explain(ruleSet, 'a', {}).result).toMatchObject({ variation: 'off', split: undefined })
})

test('room is what is not held: reservations are disjoint, of the wanted size, and refused beyond it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 60_000 }), fc.boolean()), { maxLength: 12 }),
      (turns) => {
        let held: [number, number][][] = []
        for (const [size, frees] of turns) {
          if (frees) held = held.slice(1)
          const free = weightTotal - sizeOf(held.flat())
          expect(sizeOf(roomOf(held.flat()))).toBe(free)
          const ranges = reserveIn(held.flat(), size)
          expect(ranges === undefined).toBe(size > free)
          if (ranges === undefined) continue
          expect(sizeOf(ranges)).toBe(size)
          held = [...held, ranges]
          const all = held.flat().toSorted(([one], [other]) => one - other)
          expect(all.every(([start], index) => index === 0 || start >= (all[index - 1]?.[1] ?? 0))).toBe(true)
        }
      },
    ),
  )
})
