import { expect, test } from 'vitest'
import { keepValues } from './keep-values.ts'

const counted = (...pairs: [value: string, count: number][]) =>
  pairs.map(([value, count]) => ({ value, count }))
const texts = (values: { value: string; count: number }[]) =>
  values.map(({ value, count }) => `${value} ${count}`)

test('values that no session has any more stay in their place, with 0', () => {
  const kept = keepValues(counted(['c', 4]), {
    ticked: ['c'],
    known: ['a', 'b', 'c'],
    isFixed: false,
    atMost: 3,
  })
  expect(texts(kept)).toEqual(['a 0', 'b 0', 'c 4'])
})

test('frequent values come before those listed earlier', () => {
  const kept = keepValues(counted(['x', 4], ['y', 2], ['b', 1]), {
    ticked: [],
    known: ['a', 'b'],
    isFixed: false,
    atMost: 3,
  })
  expect(texts(kept)).toEqual(['b 1', 'x 4', 'y 2'])
})

test('a checked value is listed however rare it is', () => {
  const kept = keepValues(counted(['x', 4], ['y', 2]), {
    ticked: ['z'],
    known: [],
    isFixed: false,
    atMost: 1,
  })
  expect(texts(kept)).toEqual(['x 4', 'z 0'])
})

test('a closed list keeps its order', () => {
  const kept = keepValues(counted(['poor', 4]), {
    ticked: [],
    known: ['good', 'poor'],
    isFixed: true,
    atMost: 5,
  })
  expect(texts(kept)).toEqual(['good 0', 'poor 4'])
})
