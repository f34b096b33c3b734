import { expect, test } from 'vitest'
import { eventShift, viewShift } from './clock-jump.ts'

const day = 86_400_000
const start = Date.UTC(2026, 0, 1)

test('events from before a clock jump are shifted, later ones and small drifts are not', () => {
  expect(eventShift(0, 3 * day)).toBe(3 * day)
  expect(eventShift(3 * day, 3 * day)).toBe(0)
  expect(eventShift(-2, 40)).toBe(0)
  expect(eventShift(0, -3 * day)).toBe(-3 * day)
})

test('a view from before a clock jump is shifted, one that started after it is not', () => {
  const sentAt = start + 3 * day + 20_000
  expect(viewShift({ startedAt: start, lasted: 18_000, drift: 3 * day, sentAt })).toBe(3 * day)
  expect(viewShift({ startedAt: start + 3 * day, lasted: 18_000, drift: 3 * day, sentAt })).toBe(0)
  expect(viewShift({ startedAt: start, lasted: 18_000, drift: 12, sentAt: start + 20_000 })).toBe(0)
})
