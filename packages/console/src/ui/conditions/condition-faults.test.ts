import type { Condition } from '@telltale/core/contract/conditions'
import { expect, test } from 'vitest'
import { countParts, findMissing } from './condition-faults.ts'

const pointersOf = (...of: Condition[]) => findMissing({ match: 'all', of }).map(({ pointer }) => pointer)

test('incomplete conditions are found, also in nested groups', () => {
  const group = {
    match: 'all' as const,
    of: [
      { attribute: 'plan', operator: 'equals' as const, value: '' },
      { match: 'any' as const, of: [{ attribute: '', operator: 'in' as const, values: [] }] },
    ],
  }
  expect(findMissing(group, '/when').map(({ pointer }) => pointer)).toEqual([
    '/when/of/1/of/0/attribute',
    '/when/of/1/of/0/values',
  ])
  expect(countParts(group)).toBe(3)
})

test('invalid operands are found before saving', () => {
  expect(pointersOf({ attribute: 'age', operator: 'greater', value: Number.NaN })).toEqual(['/of/0/value'])
  expect(pointersOf({ attribute: 'since', operator: 'less', value: '' })).toEqual(['/of/0/value'])
  expect(pointersOf({ attribute: 'n', operator: 'modulo', divisor: 2, remainder: 2 })).toEqual([
    '/of/0/remainder',
  ])
  expect(pointersOf({ attribute: 'n', operator: 'modulo', divisor: 0, remainder: 0 })).toEqual([
    '/of/0/divisor',
  ])
  expect(pointersOf({ attribute: 'k', operator: 'percentage', weight: 100_001, seed: 's' })).toEqual([
    '/of/0/weight',
  ])
  expect(pointersOf({ operator: 'in-segment', segment: '' })).toEqual(['/of/0/segment'])
  expect(pointersOf({ attribute: 'plan', operator: 'is-set' })).toEqual([])
})
