import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Stretch, stepFor, stepLength, stepsOf, timeSteps } from './time-buckets.ts'

const hour = 3_600_000
const day = 24 * hour
const at = (text: string) => Date.parse(text)
const starts = (steps: readonly Stretch[]) => steps.map(({ from }) => new Date(from).toISOString())
const hours = (steps: readonly Stretch[]) => steps.map(({ from, to }) => (to - from) / hour)

/** An independent reference: the zone's own formatting of the instant. */
function localTime(timeZone: string, instant: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    instant,
  )
}

test('a day has the length it has in the time zone', () => {
  const spring = { from: at('2026-03-28T00:00:00Z'), to: at('2026-03-30T12:00:00Z') }
  const days = stepsOf(spring, '1d', 'Europe/Berlin')
  expect(starts(days)).toEqual([
    '2026-03-27T23:00:00.000Z',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ])
  expect(hours(days)).toEqual([24, 23, 24])

  const autumn = { from: at('2026-10-25T00:00:00Z'), to: at('2026-10-25T12:00:00Z') }
  expect(hours(stepsOf(autumn, '1d', 'Europe/Berlin'))).toEqual([25])
})

test('hours continue through a clock change', () => {
  const autumn = { from: at('2026-10-24T22:00:00Z'), to: at('2026-10-25T23:00:00Z') }
  const steps = stepsOf(autumn, '1h', 'Europe/Berlin')
  expect(steps).toHaveLength(25)
  expect(new Set(hours(steps))).toEqual(new Set([1]))
})

test('steps of several hours start at local hours', () => {
  const spring = { from: at('2026-03-28T23:00:00Z'), to: at('2026-03-29T22:00:00Z') }
  const steps = stepsOf(spring, '6h', 'Europe/Berlin')
  expect(steps.map(({ from }) => localTime('Europe/Berlin', from).slice(11))).toEqual([
    '00:00',
    '06:00',
    '12:00',
    '18:00',
  ])
  expect(hours(steps)).toEqual([5, 6, 6, 6])
})

test('a week starts on Monday', () => {
  const steps = stepsOf(
    { from: at('2026-11-18T10:00:00Z'), to: at('2026-11-25T10:00:00Z') },
    '7d',
    'America/New_York',
  )
  expect(starts(steps)).toEqual(['2026-11-16T05:00:00.000Z', '2026-11-23T05:00:00.000Z'])
})

test('time zones with quarter hours, and one that skips midnight', () => {
  const nepal = stepsOf(
    { from: at('2026-05-01T00:00:00Z'), to: at('2026-05-01T01:00:00Z') },
    '1h',
    'Asia/Kathmandu',
  )
  expect(starts(nepal)).toEqual(['2026-04-30T23:15:00.000Z', '2026-05-01T00:15:00.000Z'])
  // In São Paulo, 2018-11-04 began at 01:00.
  const brazil = stepsOf(
    { from: at('2018-11-03T12:00:00Z'), to: at('2018-11-05T12:00:00Z') },
    '1d',
    'America/Sao_Paulo',
  )
  expect(hours(brazil)).toEqual([24, 23, 24])
  expect(localTime('America/Sao_Paulo', brazil[1]?.from ?? 0)).toBe('2018-11-04 01:00')
})

test('an empty period has no steps, and an instant has one', () => {
  const now = at('2026-11-19T14:32:10.123Z')
  expect(stepsOf({ from: now, to: now }, '1h', 'UTC')).toEqual([])
  expect(starts(stepsOf({ from: now, to: now + 1 }, '1h', 'UTC'))).toEqual(['2026-11-19T14:00:00.000Z'])
})

test('selects the finest step with enough values', () => {
  expect(
    [hour, day, 7 * day, 30 * day, 90 * day, 400 * day].map((span) => stepFor({ from: 0, to: span }, 120)),
  ).toEqual(['1m', '15m', '3h', '6h', '1d', '7d'])
})

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Cairo',
  'Asia/Beirut',
  'Pacific/Chatham',
]

describe.each(zones)('in %s', (timeZone) => {
  test('steps are adjacent, cover the period and start at local times', () => {
    const someStretch = fc.record({
      from: fc.integer({ min: at('2011-12-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') }),
      count: fc.double({ min: 0.001, max: 30, noNaN: true }),
      step: fc.constantFrom(...timeSteps),
    })
    fc.assert(
      fc.property(someStretch, ({ from, count, step }) => {
        const to = from + Math.ceil(count * stepLength[step])
        const steps = stepsOf({ from, to }, step, timeZone)
        expect(steps[0]?.from).toBeLessThanOrEqual(from)
        expect(steps[0]?.to).toBeGreaterThan(from)
        expect(steps.at(-1)?.to).toBeGreaterThanOrEqual(to)
        expect(steps.at(-1)?.from).toBeLessThan(to)
        for (const [index, one] of steps.entries()) {
          expect(one.to).toBeGreaterThan(one.from)
          if (index > 0) expect(one.from).toBe(steps[index - 1]?.to)
          if (step === '1d' || step === '7d') {
            // Starts a new day: one minute earlier is the previous day.
            const day = (instant: number) => localTime(timeZone, instant).slice(0, 10)
            expect(day(one.from - 60_000) < day(one.from)).toBe(true)
          }
        }
      }),
      { numRuns: 60 },
    )
  })
})
