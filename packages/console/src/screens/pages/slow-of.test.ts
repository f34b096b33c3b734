import { expect, test } from 'vitest'
import { slowOf } from './slow-of.ts'

const lcp = { name: 'LCP', p75: 2_938, good: 0.63, poor: 0.1, boundaries: [2_500, 4_000] } as const

test('slow means poor, else not good, else the slowest quarter; undefined with too few views', () => {
  expect(slowOf({ ...lcp, boundaries: [2_500, 4_000] })).toMatchObject({ over: 4_000 })
  expect(slowOf({ ...lcp, boundaries: [2_500, 4_000], poor: 0.02 })).toMatchObject({ over: 2_500 })
  const fast = slowOf({ ...lcp, boundaries: [2_500, 4_000], p75: 1_234, good: 0.99, poor: 0 })
  expect(fast).toMatchObject({ over: 1_200, words: expect.stringContaining('slowest quarter of LCP') })
  expect(slowOf({ ...lcp, boundaries: [], p75: null })).toBeUndefined()
})
