import { expect, test } from 'vitest'
import { ageText, aheadText, clockText, fullTimeText, timeText } from './time-text.ts'

const now = Date.parse('2026-11-19T14:32:00Z')
const at = (text: string) => Date.parse(text)

test('recent times have an age, earlier ones a date', () => {
  expect(ageText(now - 3_000, now, 'UTC')).toBe('3\u00a0s ago')
  expect(ageText(now - 11 * 60_000, now, 'UTC')).toBe('11\u00a0min ago')
  expect(ageText(now - 2 * 3_600_000, now, 'UTC')).toBe('2\u00a0h ago')
  expect(ageText(at('2026-11-18T09:00:00Z'), now, 'UTC')).toBe('yesterday 09:00')
})

test('future times show the remaining time, never negative', () => {
  expect(aheadText(now + 44_100, now)).toBe('in\u00a045\u00a0s')
  expect(aheadText(now + 10 * 60_000 + 1, now)).toBe('in\u00a011\u00a0min')
  expect(aheadText(now + 86_399_000, now)).toBe('in\u00a024\u00a0h')
  expect(aheadText(now + 7 * 86_400_000, now)).toBe('in\u00a07\u00a0days')
  expect(aheadText(now - 1, now)).toBe('in\u00a00\u00a0s')
})

test('a fast clock never shows negative ages', () => {
  expect(ageText(now + 5_000, now, 'UTC')).toBe('0\u00a0s ago')
})

test('times omit redundant parts', () => {
  expect(timeText(at('2026-11-19T09:05:00Z'), now, 'UTC')).toBe('09:05')
  expect(timeText(at('2026-11-17T21:30:00Z'), now, 'UTC')).toBe('17\u00a0Nov 21:30')
  expect(timeText(at('2025-11-18T21:30:00Z'), now, 'UTC')).toBe('18\u00a0Nov\u00a02025')
})

test("days start at midnight of the project's time zone", () => {
  expect(timeText(at('2026-11-18T23:30:00Z'), now, 'Europe/Berlin')).toBe('00:30')
  expect(fullTimeText(at('2026-11-18T23:30:00Z'), 'Europe/Berlin')).toBe(
    '19 Nov 2026 00:30:00 Europe/Berlin\n18 Nov 2026 23:30:00 UTC',
  )
})

test('times include milliseconds, in the time zone', () => {
  expect(clockText('2026-01-01T23:00:05.012Z', 'Asia/Tokyo')).toBe('08:00:05.012')
})
