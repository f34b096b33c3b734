import { expect, test } from 'vitest'
import { createLookBack } from './look-back.ts'
import type { Segment } from './segment.ts'

const mebibyte = 1024 * 1024
const segment = (at: number, full = false, sizeBytes = 1): Segment => ({
  ...{ id: `${at}`, startedAt: at, endedAt: at + 5_000, full, sizeBytes },
  ...{ context: { kind: 'context', index: 0, session: '' }, records: 1, assets: [], body: [] },
})

test('the last minute is kept from where it can be played, and handed over once', () => {
  let now = 0
  const kept = createLookBack(() => now)
  for (; now <= 200_000; now += 10_000) kept.add(segment(now, now % 50_000 === 0))
  expect(kept.take().map(({ startedAt }) => startedAt / 1_000)).toEqual([
    100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200,
  ])
  expect(kept.take()).toEqual([])
})

test('over its room, it begins at the next beginning', () => {
  const kept = createLookBack(() => 50_000)
  for (let at = 0; at < 6; at++) kept.add(segment(at, at % 2 === 0, mebibyte / 2))
  expect(kept.take().map(({ startedAt }) => startedAt)).toEqual([2, 3, 4, 5])
})

test('what came last stays, however large it is', () => {
  const kept = createLookBack(() => 50_000)
  kept.add(segment(1, true, mebibyte))
  kept.add(segment(2, true, 3 * mebibyte))
  expect(kept.take().map(({ startedAt }) => startedAt)).toEqual([2])
})
