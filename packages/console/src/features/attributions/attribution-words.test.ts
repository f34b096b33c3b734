import { expect, test } from 'vitest'
import { affectedText, atLeastText, boundText } from './attribution-words.ts'

test('a bound is rounded down and shown beside its estimate', () => {
  expect(atLeastText({ text: 'At least 8 in 10 of these failures come from `a = b`.' })).toBe(
    'At least 8 in 10',
  )
  expect(boundText({ atLeast: 0.829, estimate: 0.904 })).toBe(
    'Estimate 90%, lower bound 82%, valid at any time.',
  )
})

test('the users on both sides', () => {
  const affected = { with: 142, otherwise: 14 }
  expect(affectedText({ affected, exposed: { with: 2_010, otherwise: 2_003 } })).toBe(
    '142 of 2,010\u00a0users with it, otherwise 14 of 2,003.',
  )
})
