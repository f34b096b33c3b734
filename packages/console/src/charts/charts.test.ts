import { expect, test } from 'vitest'
import { groupMarkers } from './group-markers.ts'
import { sparklinePath } from './sparkline.tsx'
import { stackSeries } from './stack-series.ts'

test('a sparkline starts at zero and shows missing values as gaps', () => {
  expect(sparklinePath([0, 10, null, 5], 90, 12)).toBe('M0.0 11.0L30.0 1.0M90.0 6.0')
  expect(sparklinePath([0, 0], 90, 12)).toBe('M0.0 11.0L90.0 11.0')
  expect(sparklinePath([], 90, 12)).toBe('')
})

test('up to twelve changes keep their numbers, however close they are', () => {
  const markers = Array.from({ length: 12 }, (_, index) => ({ x: index, number: index + 1 }))
  expect(groupMarkers(markers, 20).map(({ text }) => text)).toEqual(markers.map(({ number }) => `${number}`))
})

test('more than twelve changes are grouped where they would overlap, and a rollback among them is visible', () => {
  const markers = Array.from({ length: 13 }, (_, index) => ({
    x: index < 10 ? index * 100 : 900 + index,
    number: index + 1,
    isRollback: index === 12,
  }))
  const groups = groupMarkers(markers, 20)
  expect(groups).toHaveLength(10)
  expect(groups.at(-1)).toMatchObject({ x: 900, text: '4 changes', isRollback: true })
})

test('stacks values from the largest, and a missing value adds nothing', () => {
  const series = [
    { label: 'a', color: 'v1', values: [1, 2, null] },
    { label: 'b', color: 'v2', values: [10, null, 30] },
  ] as const
  expect(stackSeries(series).map(({ label, values }) => [label, values])).toEqual([
    ['b', [11, 2, 30]],
    ['a', [1, 2, 0]],
  ])
})
