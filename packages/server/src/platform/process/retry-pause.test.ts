import { expect, test } from 'vitest'
import { retryPause } from './retry-pause.ts'

test('the pause doubles up to a maximum, half of it random', () => {
  expect(retryPause(0, {}, 0)).toBe(50)
  expect(retryPause(1, {}, 0)).toBe(100)
  expect(retryPause(1, {}, 0.5)).toBe(150)
  expect(retryPause(60, {}, 0.999)).toBeLessThanOrEqual(10_000)
  expect(retryPause(1, { first: 200, longest: 300 }, 0)).toBe(150)
})
