import { expect, test } from 'vitest'
import { stillOrder } from './still-order.ts'

const rows = (text: string) => [...text].map((id) => ({ id }))
const shown = (text: string, known: string) => {
  const { rows: found, fresh } = stillOrder(rows(text), [...known])
  return { text: found.map(({ id }) => id).join(''), fresh }
}

test('rows keep their positions when the order changes', () => {
  expect(shown('cab', 'abc')).toEqual({ text: 'abc', fresh: 0 })
})

test('another page is appended, and new rows in between wait', () => {
  expect(shown('abcde', 'abc')).toEqual({ text: 'abcde', fresh: 0 })
  expect(shown('xabc', 'abc')).toEqual({ text: 'abc', fresh: 1 })
})

test('rows that disappear are removed, and return to their positions', () => {
  const { rows: left, ids } = stillOrder(rows('ac'), [...'abc'])
  expect(left).toEqual(rows('ac'))
  expect(stillOrder(rows('bac'), ids).rows).toEqual(rows('abc'))
})

test('the first list is shown as loaded', () => {
  expect(shown('abc', '')).toEqual({ text: 'abc', fresh: 0 })
})
