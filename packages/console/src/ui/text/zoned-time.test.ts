import { expect, test } from 'vitest'
import { instantIn, localIn } from './zoned-time.ts'

test('a local time converts to an instant, in summer and in winter', () => {
  expect(instantIn('Europe/Berlin', '2026-07-01T09:00')).toBe('2026-07-01T07:00:00.000Z')
  expect(instantIn('Europe/Berlin', '2026-12-01T09:00')).toBe('2026-12-01T08:00:00.000Z')
  expect(instantIn('Asia/Kathmandu', '2026-12-01T05:45')).toBe('2026-12-01T00:00:00.000Z')
  expect(localIn('America/New_York', Date.parse('2026-12-01T08:00:00Z'))).toBe('2026-12-01T03:00')
})

test('around a clock change a local time is found, or does not exist', () => {
  expect(instantIn('Europe/Berlin', '2026-03-29T02:30')).toBeUndefined()
  expect(instantIn('Europe/Berlin', '2026-03-29T03:00')).toBe('2026-03-29T01:00:00.000Z')
  expect(instantIn('America/New_York', '2026-03-08T03:30')).toBe('2026-03-08T07:30:00.000Z')
  expect(localIn('Europe/Berlin', Date.parse(instantIn('Europe/Berlin', '2026-10-25T02:30') ?? ''))).toBe(
    '2026-10-25T02:30',
  )
})

test('an invalid date is undefined', () => {
  expect(instantIn('UTC', '')).toBeUndefined()
  expect(instantIn('UTC', '2026-02-30T09:00')).toBeUndefined()
})
