import { expect, test } from 'vitest'
import { spendBudget } from './spend-budget.ts'

test('confirmed harm of all columns is added, and compared with users or a share of all of them', () => {
  const month = { users: 10_000, confirmed: [40, 0, 15] }
  expect(spendBudget({ amount: 60, unit: 'users' }, month)).toEqual({
    allowed: 60,
    spent: 55,
    isSpent: false,
  })
  expect(spendBudget({ amount: 0.005, unit: 'share' }, month)).toEqual({
    allowed: 50,
    spent: 55,
    isSpent: true,
  })
})

test('without confirmed harm not even a budget of 0 is spent', () => {
  expect(spendBudget({ amount: 0, unit: 'users' }, { users: 0, confirmed: [] }).isSpent).toBe(false)
  expect(spendBudget({ amount: 0, unit: 'users' }, { users: 9, confirmed: [1] }).isSpent).toBe(true)
})
