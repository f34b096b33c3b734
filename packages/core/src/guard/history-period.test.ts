import { expect, test } from 'vitest'
import { endOfHistory } from './history-period.ts'

const day = 86_400_000
const now = 100 * day
const options = { length: 14 * day, oldest: 28 * day }
const ago = (from: number, to?: number) => ({
  from: now - from * day,
  to: to === undefined ? undefined : now - to * day,
})
const endOf = (...times: ReturnType<typeof ago>[]) => {
  const end = endOfHistory(now, times, options)
  return end === undefined ? undefined : (now - end) / day
}

test('history ends before the first exposure to a split', () => {
  expect(endOf()).toBe(0)
  expect(endOf(ago(1))).toBe(1)
  expect(endOf(ago(10, 9))).toBe(10)
  expect(endOf(ago(40, 20))).toBe(0)
})

test('no variation is served within it, even if that needs several steps back', () => {
  expect(endOf(ago(3), ago(10, 8))).toBe(10)
  expect(endOf(ago(20, 15), ago(3))).toBe(20)
  expect(endOf(ago(3), ago(10, 8), ago(25, 20))).toBe(25)
})

test('a flag that was split for weeks has no history', () => {
  expect(endOf(ago(29))).toBeUndefined()
  expect(endOf(ago(10), ago(24, 20), ago(40, 30))).toBeUndefined()
})
