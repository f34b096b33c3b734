import { expect, test } from 'vitest'
import { addMonths, monthAt, monthSpan, monthsBetween } from './months.ts'

const at = (instant: string) => Date.parse(instant)

test('a month begins and ends on the wall clock of its time zone, across changes of clocks', () => {
  expect(monthSpan('2026-03', 'Europe/Berlin')).toEqual({
    from: at('2026-02-28T23:00:00Z'),
    to: at('2026-03-31T22:00:00Z'),
  })
  expect(monthSpan('2026-12', 'Pacific/Auckland').to).toBe(at('2026-12-31T11:00:00Z'))
  expect(monthSpan('2026-02', 'UTC').to - monthSpan('2026-02', 'UTC').from).toBe(28 * 86_400_000)
})

test('an instant is in the month of its time zone', () => {
  expect(monthAt(at('2026-10-31T23:30:00Z'), 'Europe/Berlin')).toBe('2026-11')
  expect(monthAt(at('2026-11-01T03:30:00Z'), 'America/New_York')).toBe('2026-10')
  expect(addMonths('2026-01', -2)).toBe('2025-11')
  const period = { from: at('2026-10-31T12:00:00Z'), to: at('2026-12-01T00:00:00Z') }
  expect(monthsBetween(period, 'UTC')).toEqual(['2026-10', '2026-11'])
})
