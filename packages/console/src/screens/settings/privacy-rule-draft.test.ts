import { expect, test } from 'vitest'
import {
  isSameRules,
  newRow,
  type RuleRow,
  rowsOf,
  ruleFaults,
  ruleFaultsOf,
  rulesOf,
  whyWithoutEffect,
} from './privacy-rule-draft.ts'

const rows = (...selectors: string[]): RuleRow[] =>
  rowsOf(selectors.map((selector) => ({ selector, action: 'mask' })))
const every = () => true

test('rows keep their identity when others are removed, and a new one gets its own', () => {
  const [, second, third] = rows('.a', '.b', '.c')
  const left = [second, third].filter((row) => row !== undefined)
  expect(left.map(({ id }) => id)).toEqual([1, 2])
  expect(newRow(left)).toEqual({ id: 3, selector: '', action: 'mask' })
  expect(newRow([])).toEqual({ id: 0, selector: '', action: 'mask' })
  expect(rulesOf(rows(' .a '))).toEqual([{ selector: '.a', action: 'mask' }])
})

test('every faulty selector is named at its row', () => {
  const found = ruleFaults(rows('.a', '', ' .a', '.b {}', ':strange', '.c'), (text) => text !== ':strange')
  expect(found).toEqual({
    1: 'Enter a CSS selector.',
    2: 'There is a rule for this selector already.',
    3: 'The selector must not contain {.',
    4: 'This is not a valid CSS selector.',
  })
  expect(ruleFaults(rows('.a', '.b'), every)).toEqual({})
})

test("the server's faults are shown at their rows", () => {
  const errors = [
    { pointer: '/privacyRules/1/selector', message: 'is incomplete' },
    { pointer: '/privacyRules', message: 'too many' },
    { pointer: '/name', message: 'elsewhere' },
  ]
  expect(ruleFaultsOf(errors)).toEqual({ 1: 'The selector is incomplete.' })
})

test('rules are the same in another order of members only', () => {
  const rule = { selector: '.a', action: 'mask' } as const
  expect(isSameRules([rule], [{ action: 'mask', selector: '.a' }])).toBe(true)
  expect(isSameRules([rule], [{ ...rule, action: 'block' }])).toBe(false)
  expect(isSameRules([rule], [])).toBe(false)
})

test('only unmask rules can be without effect', () => {
  const closed = { unmaskAllowed: false, privacyLevel: 'mask-all' } as const
  const unmask = { selector: 'h1', action: 'unmask' } as const
  expect(whyWithoutEffect(unmask, closed)).toMatch(/not allowed/)
  expect(whyWithoutEffect(unmask, { ...closed, unmaskAllowed: true })).toBeUndefined()
  expect(whyWithoutEffect(unmask, { unmaskAllowed: true, privacyLevel: 'mask-inputs' })).toMatch(/level/)
  expect(whyWithoutEffect({ ...unmask, action: 'block' }, closed)).toBeUndefined()
})
