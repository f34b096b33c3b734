import { expect, test } from 'vitest'
import { restartPause } from './restart-pause.ts'

test('the pause doubles, stays bounded and keeps half of itself to chance', () => {
  expect(restartPause(0, 0)).toBe(50)
  expect(restartPause(1, 0)).toBe(100)
  expect(restartPause(1, 0.5)).toBe(150)
  expect(restartPause(60, 0.999)).toBeLessThanOrEqual(10_000)
})
