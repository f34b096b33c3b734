// Ratios whose denominator the treatment changes: twice the requests with twice the failures, half of them with as many.
import { expect, test } from 'vitest'
import { type RequestChange, watchRequests } from './testing/request-site.ts'

function rateOf(state: string, change: RequestChange, { runs = 60, limit = 0.25 } = {}) {
  let count = 0
  for (let seed = 1; seed <= runs; seed += 1) if (watchRequests(change, seed, limit).has(state)) count += 1
  return count / runs
}

test('twice the requests with twice the failures is not healthy, and the reason is given', () => {
  const doubled = { requests: 2, failed: 2 }
  expect(rateOf('healthy', doubled)).toBeLessThanOrEqual(0.05)
  expect(rateOf('differs', doubled)).toBe(1)
})

test('half the requests with the same failures is not a regression', () => {
  expect(rateOf('regressed', { requests: 0.5, failed: 1 })).toBeLessThanOrEqual(0.05)
  expect(rateOf('regressed', { requests: 0.8, failed: 1 }, { limit: 0.02 })).toBeLessThanOrEqual(0.05)
})

test('an uncertain difference of the denominator prevents a verdict, with any number of events', () => {
  const often = { requests: 0.9, failed: 1, base: 0.5 }
  expect(rateOf('regressed', often, { limit: 0 })).toBeLessThanOrEqual(0.05)
  expect(rateOf('healthy', { requests: 1.1, failed: 1.25, base: 0.5 })).toBeLessThanOrEqual(0.05)
})

test('a ratio and its numerator per unit that agree give a verdict', () => {
  expect(rateOf('regressed', { requests: 0.7, failed: 1.8 })).toBeGreaterThan(0.9)
})

test('with equal denominators, the ratio is judged alone', () => {
  expect(rateOf('differs', { requests: 1, failed: 1 })).toBeLessThanOrEqual(0.05)
  expect(rateOf('regressed', { requests: 1, failed: 1.8 })).toBeGreaterThan(0.9)
  expect(rateOf('healthy', { requests: 1, failed: 1 })).toBeGreaterThan(0.5)
})
