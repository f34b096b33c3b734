import { expect, test } from 'vitest'
import { startOfDay } from './zoned-day.ts'

test('a day starts at midnight of the time zone', () => {
  expect(startOfDay('2026-11-19', 'Europe/Berlin')).toBe('2026-11-18T23:00:00.000Z')
  expect(startOfDay('2026-07-19', 'Europe/Berlin')).toBe('2026-07-18T22:00:00.000Z')
  expect(startOfDay('2026-11-19', 'UTC')).toBe('2026-11-19T00:00:00.000Z')
  expect(startOfDay('2026-11-19', 'Asia/Kathmandu')).toBe('2026-11-18T18:15:00.000Z')
})

test('days with a clock change have their actual length', () => {
  expect(startOfDay('2026-10-25', 'Europe/Berlin')).toBe('2026-10-24T22:00:00.000Z')
  expect(startOfDay('2026-10-25', 'Europe/Berlin', 1)).toBe('2026-10-25T23:00:00.000Z')
  // Clocks in Santiago jump from 0:00 to 1:00.
  expect(startOfDay('2026-09-06', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z')
})

test('an invalid day has no start', () => {
  expect(startOfDay('2026-13-40', 'UTC')).toBeUndefined()
  expect(startOfDay('yesterday', 'UTC')).toBeUndefined()
})
