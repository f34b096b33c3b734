import { expect, test } from 'vitest'
import { stepForPercentiles } from './step-for-percentiles.ts'

const hour = 3_600_000
const begin = Date.parse('2026-11-14T00:00:00Z')
const period = { from: '2026-11-14T00:00:00Z', to: '2026-11-21T00:00:00Z', step: '3h' } as const
const points = (counts: readonly number[]) =>
  counts.map((count, index) => ({ at: new Date(begin + index * 3 * hour).toISOString(), count }))

test("the chart's step, if most values are in steps with enough data", () => {
  expect(stepForPercentiles({ ...period, points: points([60, 70, 10, 0]) })).toBe('3h')
  expect(stepForPercentiles({ ...period, points: points([0, 0]) })).toBe('3h')
})

test('the finest step that covers most values, however they are distributed', () => {
  expect(stepForPercentiles({ ...period, points: points(Array.from({ length: 56 }, () => 30)) })).toBe('6h')
  const byDay = Array.from({ length: 56 }, (_, index) => (index % 8 === 3 ? 40 : 2))
  expect(stepForPercentiles({ ...period, points: points(byDay) })).toBe('1d')
})

test('undefined if even long steps have too few values', () => {
  expect(stepForPercentiles({ ...period, points: points([40]) })).toBeUndefined()
})
