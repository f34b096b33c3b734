import { expect, test } from 'vitest'
import { meanDifference } from './mean-difference.ts'
import type { UnitSums } from './sums.ts'

function sumsOf(values: readonly number[]): UnitSums {
  const sum = (of: (value: number) => number) => values.reduce((total, value) => total + of(value), 0)
  const units = values.length
  return { units, n: units, nn: units, y: sum((y) => y), ny: sum((y) => y), yy: sum((y) => y * y) }
}
const around = (mean: number, count: number) =>
  sumsOf(Array.from({ length: count }, (_, index) => mean + (index % 5) - 2))

test('a clear change is certain, no change is not', () => {
  const clear = meanDifference([{ control: around(20, 50), treatment: around(40, 50) }], 0.01)
  expect(clear).toMatchObject({ control: 20, treatment: 40, change: 20 })
  expect(clear?.lower).toBeGreaterThan(17)
  expect(clear?.upper).toBeLessThan(23)
  const same = meanDifference([{ control: around(20, 50), treatment: around(20, 50) }], 0.01)
  expect(same?.change).toBe(0)
  expect(same?.lower).toBeLessThan(0)
  expect(same?.upper).toBeGreaterThan(0)
})

test('more simultaneous comparisons widen it, more units narrow it', () => {
  const width = (count: number, level: number) => {
    const found = meanDifference([{ control: around(20, count), treatment: around(22, count) }], level)
    return (found?.upper ?? 0) - (found?.lower ?? 0)
  }
  expect(width(50, 0.001)).toBeGreaterThan(width(50, 0.05))
  expect(width(500, 0.05)).toBeLessThan(width(50, 0.05))
})

test('stages with different shares do not create a change', () => {
  const stages = [
    { control: around(10, 90), treatment: around(10, 10) },
    { control: around(50, 10), treatment: around(50, 90) },
  ]
  expect(meanDifference(stages, 0.05)?.change).toBeCloseTo(0)
})

test('one unit is no evidence, and an event that never occurred has no change', () => {
  expect(meanDifference([{ control: around(1, 1), treatment: around(9, 50) }], 0.05)).toBeUndefined()
  const none = sumsOf([0, 0, 0])
  expect(meanDifference([{ control: none, treatment: none }], 0.05)).toMatchObject({
    change: 0,
    lower: 0,
    upper: 0,
  })
})
