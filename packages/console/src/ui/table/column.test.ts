import { expect, test } from 'vitest'
import { compareValues, parseSort, sortRows, sortText } from './column.ts'

test('an order can be stored in the URL', () => {
  for (const text of ['name', '-lastEvaluatedAt']) {
    const sort = parseSort(text)
    expect(sort && sortText(sort)).toBe(text)
  }
  for (const wrong of ['', '-', 'a b', 7, undefined]) expect(parseSort(wrong)).toBeUndefined()
})

test('text is sorted naturally, with missing values last', () => {
  const values = ['rule-10', null, 'Rule-2', 'a']
  expect(values.toSorted(compareValues)).toEqual(['a', 'Rule-2', 'rule-10', null])
  expect([3, 1, null, 2].toSorted(compareValues)).toEqual([1, 2, 3, null])
})

test('rows are sorted in both directions with missing values last, and the sort is stable', () => {
  const rows = [
    { key: 'a', value: 2 },
    { key: 'b', value: null },
    { key: 'c', value: 1 },
    { key: 'd', value: 2 },
  ]
  const keys = (desc: boolean) => sortRows(rows, ({ value }) => value, desc).map(({ key }) => key)
  expect(keys(false)).toEqual(['c', 'a', 'd', 'b'])
  expect(keys(true)).toEqual(['a', 'd', 'c', 'b'])
  expect(rows.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
})
