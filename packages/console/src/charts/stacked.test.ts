import { expect, test } from 'vitest'
import { barPaths, linePaths } from './line-path.ts'
import { placePennants } from './place-pennants.ts'
import { middleOf, stepAt, type TimeFrame, xOf } from './time-frame.ts'
import { timeTicks } from './time-ticks.ts'
import { scaleAround, scaleFromZero, yOf } from './value-scale.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-19T00:00:00Z')
/** Four hours, the last of which is half over. */
const frame: TimeFrame = {
  from: start,
  to: start + 3.5 * hour,
  times: [0, 1, 2, 3].map((index) => start + index * hour),
  width: 350,
}

test('a step is placed by its time, and an incomplete step ends with the span', () => {
  expect(xOf(frame, start + hour)).toBe(100)
  expect([0, 1, 2, 3].map((step) => middleOf(frame, step))).toEqual([50, 150, 250, 325])
  expect([-5, 0, 99, 101, 340, 900].map((x) => stepAt(frame, x))).toEqual([0, 0, 0, 1, 3, 3])
})

test('missing values are gaps, single values dots, and an incomplete step is drawn separately', () => {
  const scale = { low: 0, high: 10, ticks: [] }
  const drawn = (values: (number | null)[], partial = -1) =>
    linePaths({ frame, scale, height: 100, values }, (index) => index === partial)
  expect(drawn([0, 10, 5, null]).whole).toBe('M50.0 100.0L150.0 0.0L250.0 50.0')
  expect(drawn([0, null, 5, 5]).whole).toBe('M50.0 100.0h.01M250.0 50.0L325.0 50.0')
  expect(drawn([0, 10, null, null], 1)).toEqual({ whole: '', partial: 'M50.0 100.0L150.0 0.0' })
})

test('bars start at zero, and zero has no bar', () => {
  const scale = { low: 0, high: 10, ticks: [] }
  const { whole, partial } = barPaths(
    { frame, scale, height: 100, values: [10, 0, null, 5] },
    (index) => index === 3,
  )
  expect(whole.match(/M/g)).toHaveLength(1)
  expect(partial).toMatch(/^M301.0 100V50.0h48.0V100Z$/)
})

test('an axis of counts starts at zero; that of a vital may not, and shows a nearby threshold', () => {
  expect(scaleFromZero([0, 3, null, 7])).toMatchObject({ low: 0, ticks: [0, 5] })
  expect(scaleFromZero([]).ticks.length).toBeGreaterThan(0)
  const near = scaleAround([2_300, 2_450, null], [2_500, 4_000])
  expect(near.ticks).toContain(2_500)
  expect(near.ticks).not.toContain(4_000)
  expect(near.low).toBeGreaterThan(0)
  expect(near.ticks.length).toBeGreaterThanOrEqual(2)
  expect(scaleAround([20, 21], [200, 500]).ticks).not.toContain(200)
  expect(scaleAround([0.052, 0.068], [0.1, 0.25]).ticks.length).toBeGreaterThanOrEqual(2)
  expect(yOf(near, near.high, 80)).toBe(0)
})

test('overlapping pennants move aside in order and stay in the chart', () => {
  const changes = [10, 12, 14, 348].map((x) => ({ at: start + (x / 100) * hour, isRollback: x === 14 }))
  const pennants = placePennants(changes, { width: frame.width, xOf: (at) => xOf(frame, at) })
  expect(pennants.map(({ text }) => text)).toEqual(['1', '2', '3', '4'])
  expect(pennants.map(({ isRollback }) => isRollback)).toEqual([false, false, true, false])
  const lefts = pennants.map(({ left }) => left)
  expect(lefts.slice(0, 3)).toEqual([10, 34, 58])
  expect(pennants.every(({ left }) => left >= 0 && left <= frame.width)).toBe(true)
  expect(placePennants([{ at: start - hour }], { width: 350, xOf: (at) => xOf(frame, at) })).toEqual([])
})

test('time labels are round in the time zone, and show the date at midnight', () => {
  const day = { ...frame, to: start + 24 * hour, width: 640 }
  const inBerlin = timeTicks(day, 'Europe/Berlin').map(({ text }) => text)
  expect(inBerlin).toContain('20 Nov')
  expect(inBerlin).toContain('03:00')
  const week = timeTicks({ ...day, to: start + 7 * 24 * hour, width: 260 }, 'UTC')
  expect(week.length).toBeGreaterThanOrEqual(3)
  expect(week[0]?.text).toBe('19 Nov')
  // At this width, the same hour of two days would give the same label twice.
  const twoDays = timeTicks({ ...day, from: start + hour, to: start + 49 * hour, width: 125 }, 'UTC')
  expect(twoDays.map(({ text }) => text)).toEqual(['20 Nov', '21 Nov'])
})
