import { expect, test } from 'vitest'
import { digestRetryAt, nextDigestAt } from './next-digest.ts'

const monday8 = { weekday: 1, hour: 8, timeZone: 'Europe/Berlin' }
const next = (after: string, weekly = monday8) =>
  new Date(nextDigestAt(Date.parse(after), weekly)).toISOString()

test('it is the next such hour of the wall clock, later than the given instant', () => {
  expect(next('2026-11-28T12:00:00Z')).toBe('2026-11-30T07:00:00.000Z')
  expect(next('2026-11-30T06:59:00Z')).toBe('2026-11-30T07:00:00.000Z')
  expect(next('2026-11-30T07:00:00Z')).toBe('2026-12-07T07:00:00.000Z')
  expect(next('2026-11-28T12:00:00Z', { weekday: 7, hour: 0, timeZone: 'Asia/Kolkata' })).toBe(
    '2026-11-28T18:30:00.000Z',
  )
})

test('an hour that the clock skips is the one after it', () => {
  // 2027-03-28: from 02:00 to 03:00 in Berlin.
  expect(next('2027-03-27T12:00:00Z', { weekday: 7, hour: 2, timeZone: 'Europe/Berlin' })).toBe(
    '2027-03-28T01:00:00.000Z',
  )
})

test('one that fails is retried after a minute, then twice as late, at most hourly, until the next is due', () => {
  const due = Date.parse('2026-11-30T07:00:00Z')
  const minute = 60_000
  const pauseAt = (late: number, chance = 0) =>
    (digestRetryAt(due + late * minute, monday8, chance) - due) / minute - late
  expect([0, 1, 2, 10, 300].map((late) => pauseAt(late))).toEqual([1, 1, 2, 10, 60])
  expect(pauseAt(10, 0.5)).toBe(7.5)
  const week = 7 * 24 * 60
  expect(pauseAt(week - 5)).toBe(5)
})
