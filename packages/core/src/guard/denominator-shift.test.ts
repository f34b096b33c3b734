// Ratios whose denominator the treatment changes: twice the requests with twice the failures, half of them with as many.
import { expect, test } from 'vitest'
import { type RequestChange, watchRequests } from './testing/request-site.ts'

function rateOf(state: string, change: RequestChange, { runs = 60, limit = 0.25 } = {}) {
  let count = 0
  for (let seed = 1; seed <= runs; seed += 1) if (watchRequests(change, seed, limit).has(state)) count += 1
  return count / runs
}

test('twice the requests with twice the failures is not healthy, and it is said', () => {
  const doubled = { requests: 2, failed: 2 }
  expect(rateOf('healthy', doubled)).toBeLessThanOrEqual(0.05)
  expect(rateOf('differs', doubled)).toBe(1)
})

test('half the requests with as many failures is no regression', () => {
  expect(rateOf('regressed', { requests: 0.5, failed: 1 })).toBeLessThanOrEqual(0.05)
  expect(rateOf('regressed', { requests: 0.8, failed: 1 }, { limit: 0.02 })).toBeLessThanOrEqual(0.05)
})

test('a difference of the denominator that is not certain yet decides nothing either, however many events there are', () => {
  const often = { requests: 0.9, failed: 1, base: 0.5 }
  expect(rateOf('regressed', often, { limit: 0 })).toBeLessThanOrEqual(0.05)
  expect(rateOf('healthy', { requests: 1.1, failed: 1.25, base: 0.5 })).toBeLessThanOrEqual(0.05)
})

test('a ratio and what each user met of it say the same: then it counts', () => {
  expect(rateOf('regressed', { requests: 0.7, failed: 1.8 })).toBeGreaterThan(0.9)
})

test('where as much is asked for, the ratio is judged as ever', () => {
  expect(rateOf('differs', { requests: 1, failed: 1 })).toBeLessThanOrEqual(0.05)
  expect(rateOf('regressed', { requests: 1, failed: 1.8 })).toBeGreaterThan(0.9)
  expect(rateOf('healthy', { requests: 1, failed: 1 })).toBeGreaterThan(0.5)
})
