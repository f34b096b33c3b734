import { expect, test } from 'vitest'
import { createRage } from './frustration.ts'

test('the third click on one place within a second is rage, once until the person calms down', () => {
  const isRage = createRage()
  const clicks = [0, 200, 400, 600, 800].map((at) => isRage([at, 100, 100]))
  expect(clicks).toEqual([false, false, true, false, false])
  expect([3_000, 3_100, 3_200].map((at) => isRage([at, 100, 100]))).toEqual([false, false, true])
})

test('clicks that are slow, or on different places, are work', () => {
  const slow = createRage()
  expect([0, 700, 1_400, 2_100].map((at) => slow([at, 100, 100]))).toEqual([false, false, false, false])
  const wide = createRage()
  expect([0, 1, 2, 3].map((turn) => wide([turn * 100, turn * 80, 100]))).toEqual([false, false, false, false])
})
