import { expect, test } from 'vitest'
import { stepForPercentiles } from './step-for-percentiles.ts'

const period = { from: '2026-11-14T00:00:00Z', to: '2026-11-21T00:00:00Z', step: '3h' } as const
const point = (count: number, value: number | null) => ({ count, value })

test('the step of the chart, when most of its steps have enough', () => {
  const points = [point(60, 100), point(70, 100), point(10, null), point(0, null)]
  expect(stepForPercentiles({ ...period, count: 140, points })).toBe('3h')
})

test('the finest one in which there are enough on average', () => {
  const points = [point(18, null), point(18, null)]
  expect(stepForPercentiles({ ...period, count: 1_000, points })).toBe('1d')
  expect(stepForPercentiles({ ...period, count: 4_000, points })).toBe('6h')
})

test('none, when even the whole period has too few', () => {
  expect(stepForPercentiles({ ...period, count: 40, points: [point(40, null)] })).toBeUndefined()
})
