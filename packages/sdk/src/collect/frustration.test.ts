import { expect, test } from 'vitest'
import { createRage } from './frustration.ts'

test('the third click in one place within a second is a rage click, once until a pause', () => {
  const isRage = createRage()
  const clicks = [0, 200, 400, 600, 800].map((at) => isRage([at, 100, 100]))
  expect(clicks).toEqual([false, false, true, false, false])
  expect([3_000, 3_100, 3_200].map((at) => isRage([at, 100, 100]))).toEqual([false, false, true])
})

test('slow clicks, or clicks in different places, are not', () => {
  const slow = createRage()
  expect([0, 700, 1_400, 2_100].map((at) => slow([at, 100, 100]))).toEqual([false, false, false, false])
  const wide = createRage()
  expect([0, 1, 2, 3].map((turn) => wide([turn * 100, turn * 80, 100]))).toEqual([false, false, false, false])
})
