import { expect, test } from 'vitest'
import { boundsOf, labelOfRange, parseTimeRange, rangeWith } from './time-range.ts'

const day = '2026-11-01T00:00Z..2026-11-02T00:00Z'

test('a range in the URL is a preset or two ordered instants; others are invalid', () => {
  expect(parseTimeRange('24h')).toBe('24h')
  expect(parseTimeRange(day)).toBe(day)
  for (const wrong of ['25h', '', 7, undefined, '2026-11-02..2026-11-01', 'a..b', `${day}..${day}`]) {
    expect(parseTimeRange(wrong)).toBeUndefined()
  }
})

test('a preset ends now, two instants are fixed', () => {
  expect(boundsOf('6h', 100_000_000)).toEqual({ from: 78_400_000, to: 100_000_000 })
  expect(boundsOf(day, 0)).toEqual({ from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 2) })
})

test('a range is kept if it contains the instant, otherwise extended to it', () => {
  const now = Date.UTC(2026, 10, 20)
  const ago = (days: number) => now - days * 86_400_000
  expect(rangeWith(ago(0.5), '24h', now)).toBe('24h')
  expect(rangeWith(ago(2), '24h', now)).toBe('7d')
  expect(rangeWith(ago(8), '24h', now)).toBe('30d')
  expect(rangeWith(ago(400), '24h', now)).toBe('90d')
  expect(rangeWith(Date.UTC(2026, 10, 1, 12), day, now)).toBe(day)
  expect(rangeWith(ago(2), day, now)).toBe('7d')
})

test('a range has a readable label', () => {
  expect(labelOfRange('15m', String)).toBe('Last 15\u00a0min')
  expect(labelOfRange('7d', String)).toBe('Last 7\u00a0days')
  expect(labelOfRange(day, (at) => new Date(at).toISOString().slice(0, 10))).toBe('2026-11-01 to 2026-11-02')
})
