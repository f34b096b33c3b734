import { expect, test } from 'vitest'
import { stillOrder } from './still-order.ts'

const rows = (text: string) => [...text].map((id) => ({ id }))
const shown = (text: string, known: string) => {
  const { rows: found, fresh } = stillOrder(rows(text), [...known])
  return { text: found.map(({ id }) => id).join(''), fresh }
}

test('rows keep their places when their order changes', () => {
  expect(shown('cab', 'abc')).toEqual({ text: 'abc', fresh: 0 })
})

test('a further page joins at the end, what pushes in between waits', () => {
  expect(shown('abcde', 'abc')).toEqual({ text: 'abcde', fresh: 0 })
  expect(shown('xabc', 'abc')).toEqual({ text: 'abc', fresh: 1 })
})

test('what is not listed any more goes, and comes back to its place', () => {
  const { rows: left, ids } = stillOrder(rows('ac'), [...'abc'])
  expect(left).toEqual(rows('ac'))
  expect(stillOrder(rows('bac'), ids).rows).toEqual(rows('abc'))
})

test('the first list is shown as it comes', () => {
  expect(shown('abc', '')).toEqual({ text: 'abc', fresh: 0 })
})
