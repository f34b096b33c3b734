import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { alphaOfSplit } from './split-budget.ts'

test('the parts of all splits never exceed the budget, and sum to it', () => {
  const count = 1_000_000
  let sum = 0
  for (let ordinal = 1; ordinal <= count; ordinal += 1) sum += alphaOfSplit(ordinal)
  expect(sum).toBeLessThan(limits.unguardedAlpha)
  // The rest of the series is about 2 / sqrt(count).
  expect(sum / limits.unguardedAlpha).toBeGreaterThan(0.999)
  expect(alphaOfSplit(1)).toBeGreaterThan(alphaOfSplit(2))
})
