import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { stagesInPool, stagesOfPool } from './template-stages.ts'

const weights = (stages: readonly { weight: number }[]) => stages.map(({ weight }) => weight)

test('a share of a template is one of both variations, and all of it is all of them', () => {
  const template = [{ weight: 10_000 }, { weight: 50_000 }, { weight: limits.weightTotal }]
  expect(weights(stagesInPool(template, 40_000))).toEqual([4_000, 20_000, 40_000])
  expect(weights(stagesInPool(template, limits.weightTotal))).toEqual(weights(template))
})

test('a plan that becomes a template comes back as it was, and grows in every split', () => {
  const pool = fc.integer({ min: 100, max: limits.weightTotal })
  const stages = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(pool, stages, (size, given) => {
      const plan = given.sort((one, other) => one - other).map((weight) => ({ weight }))
      expect(stagesInPool(stagesOfPool(plan, size), size)).toEqual(plan)
      const small = weights(stagesInPool(stagesOfPool(plan, size), 100))
      expect(small.every((weight, index) => weight > (small[index - 1] ?? 0))).toBe(true)
    }),
  )
})
