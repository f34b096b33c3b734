import { expect, test } from 'vitest'
import { activityOf } from './activity-of.ts'

const instant = (seconds: number) => new Date(seconds * 1_000).toISOString()
const segment = (from: number, to: number, records: number) => ({
  index: 0,
  view: null,
  full: true,
  bytes: 1,
  assets: [],
  records,
  startedAt: instant(from),
  endedAt: instant(to),
})

test('activity is spread over the time of its segments; idle is where nothing is missing and nothing happened', () => {
  const tab = { id: 'one', startedAt: instant(0), endedAt: instant(100), bytes: 0 }
  const gaps = [{ from: instant(60), to: instant(80), missing: 1, why: 'missing' as const }]
  const segments = [segment(0, 20, 8), segment(50, 60, 4), segment(80, 100, 4)]
  const { buckets, idle } = activityOf(
    { startedAt: instant(0), endedAt: instant(100), tabs: [{ ...tab, segments, gaps }] },
    10,
  )
  expect(buckets.reduce((sum, count) => sum + count, 0)).toBeCloseTo(16)
  expect(buckets.slice(3, 5)).toEqual([0, 0])
  expect(idle).toEqual([{ from: 20_000, to: 50_000 }])
})
