import { expect, test } from 'vitest'
import { cutsOf, dayStart, firstDayThatFits } from './retention.ts'

const at = (text: string) => Date.parse(text)
const iso = (time: number) => new Date(time).toISOString()

test("a period includes today and that many whole days before, in the environment's time zone", () => {
  const days = { events: 90, replays: 1, profiles: 30, exposures: 400 }
  const utc = cutsOf(days, { now: at('2026-11-21T15:00:00Z'), timeZone: 'UTC' })
  expect(iso(utc.replays)).toBe('2026-11-20T00:00:00.000Z')
  expect(iso(utc.events)).toBe('2026-08-23T00:00:00.000Z')
  const auckland = cutsOf(days, { now: at('2026-11-21T15:00:00Z'), timeZone: 'Pacific/Auckland' })
  expect(iso(auckland.replays)).toBe('2026-11-20T11:00:00.000Z')
  const honolulu = cutsOf(days, { now: at('2026-11-21T05:00:00Z'), timeZone: 'Pacific/Honolulu' })
  expect(iso(honolulu.replays)).toBe('2026-11-19T10:00:00.000Z')
})

test('days of 23 and 25 hours are days', () => {
  const timeZone = 'Europe/Berlin'
  const now = at('2026-10-26T00:30:00Z')
  expect(iso(dayStart(now, { timeZone, daysBefore: 0 }))).toBe('2026-10-25T23:00:00.000Z')
  expect(iso(dayStart(now, { timeZone, daysBefore: 1 }))).toBe('2026-10-24T22:00:00.000Z')
  expect(iso(dayStart(now, { timeZone, daysBefore: 365 }))).toBe('2025-10-25T22:00:00.000Z')
  const spring = at('2026-03-30T00:30:00Z')
  expect(iso(dayStart(spring, { timeZone, daysBefore: 1 }))).toBe('2026-03-28T23:00:00.000Z')
})

test('retention never exceeds that of the tables', () => {
  const days = { events: 3_650, replays: 3_650, profiles: 3_650, exposures: 3_650 }
  const cuts = cutsOf(days, { now: at('2026-11-21T15:00:00Z'), timeZone: 'UTC' })
  expect(iso(cuts.replays)).toBe('2026-08-13T00:00:00.000Z')
})

test('a budget keeps the newest days that fit, and always today', () => {
  const days = [
    { day: '2026-11-21', bytes: 50 },
    { day: '2026-11-19', bytes: 30 },
    { day: '2026-11-20', bytes: 20 },
    { day: '2026-11-01', bytes: 5 },
  ]
  const fit = (room: number) => firstDayThatFits(days, { room, today: '2026-11-21' })
  expect(fit(105)).toBeUndefined()
  expect(fit(104)).toBe('2026-11-19')
  expect(fit(99)).toBe('2026-11-20')
  expect(fit(70)).toBe('2026-11-20')
  expect(fit(69)).toBe('2026-11-21')
  expect(fit(0)).toBe('2026-11-21')
  // Data that a wrong clock dated into the future counts, and is kept.
  expect(
    firstDayThatFits([{ day: '2026-11-22', bytes: 9 }, ...days], { room: 70, today: '2026-11-21' }),
  ).toBe('2026-11-21')
})
