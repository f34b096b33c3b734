import type { AttributeCondition } from '@telltale/core/changes/condition-words'
import { expect, test } from 'vitest'
import { withOperator } from './operators.ts'
import { splitPasted } from './split-pasted.ts'

test('changing the operator keeps the operand if it is valid', () => {
  const one: AttributeCondition = { attribute: 'plan', operator: 'equals', value: 'trade' }
  const list = withOperator(one, 'in')
  expect(list).toEqual({ attribute: 'plan', operator: 'in', values: ['trade'] })
  expect(withOperator(list, 'not-in')).toEqual({ attribute: 'plan', operator: 'not-in', values: ['trade'] })
  expect(withOperator(list, 'starts-with')).toEqual({
    attribute: 'plan',
    operator: 'starts-with',
    value: 'trade',
  })
  expect(withOperator(one, 'is-set')).toEqual({ attribute: 'plan', operator: 'is-set' })
})

test('comparisons get numbers and instants as they are, but no other text', () => {
  const value = (entered: string | number) =>
    withOperator({ attribute: 'age', operator: 'equals', value: entered }, 'greater')
  expect(value('18')).toMatchObject({ value: 18 })
  expect(value('2026-01-31T12:00:00Z')).toMatchObject({ value: '2026-01-31T12:00:00Z' })
  expect(value('soon')).toMatchObject({ value: Number.NaN })
})

test('a percentage buckets by the targeting key unless an attribute is given, with its own seed', () => {
  const draw = () => withOperator({ attribute: '', operator: 'is-set' }, 'percentage')
  expect(draw()).toMatchObject({ attribute: 'targetingKey', weight: 50_000 })
  expect(draw()).not.toEqual(draw())
})

test('a pasted list is split into its values', () => {
  expect(splitPasted('a\r\nb, c\n\n"d"')).toEqual(['a', 'b, c', 'd'])
  expect(splitPasted('a\tb\t c')).toEqual(['a', 'b', 'c'])
  expect(splitPasted('a, b;c')).toEqual(['a', 'b', 'c'])
  expect(splitPasted('one')).toEqual(['one'])
})
