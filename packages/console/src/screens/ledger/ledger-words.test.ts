import { expect, test } from 'vitest'
import { boundsText, budgetText, harmText, monthText, signed } from './ledger-words.ts'

test('bounds are rounded outwards, and a shown difference towards 0', () => {
  expect(boundsText({ lower: -1.2, upper: 3.1 })).toBe('−2 to +4')
  expect(harmText({ lower: 1.9, upper: 9 })).toMatch(/^At least 1\s?more user affected$/u)
  expect(harmText({ lower: -9, upper: -2.9 })).toMatch(/^At least 2\s?fewer users affected$/u)
  expect(harmText({ lower: -0.1, upper: 900 })).toBe('No difference shown')
  expect(harmText({ lower: 0.4, upper: 9 })).toBe('More users affected')
  expect(signed(-0.2)).toBe('0')
})

test('months and budgets in words', () => {
  expect(monthText('2026-03')).toBe('March 2026')
  expect(budgetText({ amount: 0.005, unit: 'share' })).toBe('0.5% of users')
  expect(budgetText({ amount: 1, unit: 'users' })).toMatch(/^1\s?user$/u)
})
