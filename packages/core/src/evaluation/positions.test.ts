import { expect, test } from 'vitest'
import { backwards, firstOf, joined, outside, sizeOf, toSet, within } from './positions.ts'

test('adjacent ranges with the same direction are joined', () => {
  expect(
    joined([
      [0, 5],
      [5, 9],
      [9, 7],
      [7, 3],
      [4, 4],
    ]),
  ).toEqual([
    [0, 9],
    [9, 3],
  ])
})

test('the first positions of a sequence are taken in its direction', () => {
  expect(
    firstOf(
      [
        [10, 6],
        [20, 30],
      ],
      7,
    ),
  ).toEqual([
    [10, 6],
    [20, 23],
  ])
  expect(firstOf([[0, 5]], 0)).toEqual([])
})

test('a sequence keeps its order inside and outside a set', () => {
  const set = toSet([
    [8, 4],
    [12, 20],
  ])
  expect(set).toEqual([
    [4, 8],
    [12, 20],
  ])
  expect(within([[15, 5]], set)).toEqual([
    [15, 12],
    [8, 5],
  ])
  expect(outside([[15, 5]], set)).toEqual([[12, 8]])
  expect(
    backwards([
      [15, 12],
      [8, 5],
    ]),
  ).toEqual([
    [5, 8],
    [12, 15],
  ])
  expect(
    sizeOf([
      [15, 12],
      [5, 8],
    ]),
  ).toBe(6)
})
