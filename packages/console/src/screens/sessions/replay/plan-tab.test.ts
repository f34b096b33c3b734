import { expect, test } from 'vitest'
import type { ReplayTab } from '../../../api/replays.ts'
import { bytesAhead, nextBatch } from './next-batch.ts'
import { idleFrom } from './next-moment.ts'
import { beginningFor, gapAt, knownUntil, planTab, stretchAt } from './plan-tab.ts'
import { introducing } from './run.ts'
import { tabAt } from './tab-at.ts'

const second = 1_000
const instant = (at: number) => new Date(at).toISOString()

/** Segments of five seconds by index; `F` starts a picture. */
function tabOf(segments: string, { id = 'one', bytes = 1_000, from = 0 } = {}): ReplayTab {
  const all = segments.split(' ').map((written) => {
    const index = Number.parseInt(written, 10)
    const startedAt = from + index * 5 * second
    return {
      index,
      view: null,
      records: 1,
      full: written.endsWith('F'),
      bytes,
      assets: [],
      startedAt: instant(startedAt),
      endedAt: instant(startedAt + 4 * second),
    }
  })
  const [startedAt = '', endedAt = ''] = [all[0]?.startedAt, all.at(-1)?.endedAt]
  return { id, startedAt, endedAt, bytes: 0, segments: all, gaps: [] }
}
const indexes = (tab: ReplayTab, broken: number[] = []) =>
  planTab(tab, new Set(broken)).stretches.map(({ segments }) => segments.map(({ index }) => index))

test('consecutive segments after a full snapshot are one stretch', () => {
  expect(indexes(tabOf('0F 1 2 3F 4'))).toEqual([[0, 1, 2, 3, 4]])
  expect(indexes(tabOf('0F 1 4 5F 6'))).toEqual([
    [0, 1],
    [5, 6],
  ])
  expect(indexes(tabOf('2 3F 4'))).toEqual([[3, 4]])
  expect(indexes(tabOf('0 1'))).toEqual([])
})

test('a gap has a reason', () => {
  const { gaps } = planTab(tabOf('0F 1 4 5F 6'))
  expect(gaps.map(({ why, from, to, missing }) => [why, from / second, to / second, missing])).toEqual([
    ['missing', 9, 20, 2],
    ['no-beginning', 20, 24, 0],
  ])
})

test('a segment that turns out to be broken is a gap until a picture begins again', () => {
  const tab = tabOf('0F 1 2 3F 4')
  expect(indexes(tab, [1])).toEqual([[0], [3, 4]])
  expect(planTab(tab, new Set([1])).gaps.map(({ why }) => why)).toEqual(['broken', 'no-beginning'])
  expect(indexes(tab, [0])).toEqual([[3, 4]])
})

test('between two segments the picture stays, and a gap shows no picture', () => {
  const plan = planTab(tabOf('0F 1 4F 5'))
  expect(stretchAt(plan, 4.5 * second)?.from).toBe(0)
  expect(gapAt(plan, 4.5 * second)).toBeUndefined()
  expect(gapAt(plan, 15 * second)?.why).toBe('missing')
  expect(stretchAt(plan, 21 * second)?.from).toBe(20 * second)
  expect(stretchAt(plan, -1)).toBeUndefined()
})

test('a picture begins with the last whole page before, and is known up to the next segment', () => {
  const [stretch] = planTab(tabOf('0F 1 2F 3')).stretches
  if (stretch === undefined) throw new Error('there is one')
  expect([0, 9, 10, 17].map((at) => beginningFor(stretch, at * second))).toEqual([0, 0, 2, 2])
  expect(knownUntil(stretch, 1)).toBe(5 * second)
  expect(knownUntil(stretch, 4)).toBe(19 * second)
  expect(knownUntil(stretch, 0)).toBe(Number.NEGATIVE_INFINITY)
})

test('reading ahead of the playhead is bounded in time and bytes, reading before it is not', () => {
  const [stretch] = planTab(
    tabOf(Array.from({ length: 400 }, (_, index) => `${index}${index === 0 ? 'F' : ''}`).join(' ')),
  ).stretches
  const segments = stretch?.segments ?? []
  const asked = (first: number, ahead: { at: number; span?: number; waiting?: number }) =>
    nextBatch(segments, first, { span: 20 * second, waiting: 0, ...ahead }).map(({ index }) => index)
  expect(asked(0, { at: 0 })).toEqual([0, 1, 2, 3, 4])
  expect(asked(5, { at: 0 })).toEqual([])
  expect(asked(5, { at: 10 * second })).toEqual([5, 6])
  expect(asked(1, { at: 0, waiting: bytesAhead })).toEqual([])
  expect(asked(0, { at: 600 * second, waiting: bytesAhead })).toHaveLength(60)
  const large = planTab(tabOf('0F 1 2', { bytes: 5_000_000 })).stretches[0]?.segments ?? []
  expect(nextBatch(large, 0, { at: 0, span: second, waiting: 0 })).toHaveLength(1)
})

test('idleness is what lies between two things that the person did', () => {
  const moments = [1, 2, 30].map((at) => at * second)
  const known = { moments, until: 60 * second }
  expect(idleFrom(2.5 * second, known)).toBeUndefined()
  expect(idleFrom(4 * second, known)).toEqual({ from: 4 * second, to: 29 * second })
  expect(idleFrom(27 * second, known)).toBeUndefined()
  expect(idleFrom(40 * second, known)).toEqual({ from: 40 * second, to: 60 * second })
  expect(idleFrom(4 * second, { moments: [], until: 6 * second })).toBeUndefined()
})

test('the most recently opened tab with activity is shown', () => {
  const long = planTab(tabOf('0F 1 2 3 4 5 6 7'))
  const opened = planTab(tabOf('0F 1', { id: 'two', from: 12 * second }))
  const shown = [3, 11, 12, 18, 21, 24, 38, 60].map((at) => tabAt([long, opened], at * second))
  expect(shown).toEqual(['one', 'one', 'two', 'two', 'two', 'one', 'one', 'one'])
  expect(tabAt([long, opened], -1)).toBe('one')
})

test('assets come from the first segments that name them, and only the latest of those are read', () => {
  const [stretch] = planTab(tabOf('0F 1 2 3 4 5 6 7 8 9')).stretches
  const named = (stretch?.segments ?? []).map((segment) => ({
    ...segment,
    assets: [`${segment.index >> 1}`],
  }))
  expect(introducing(named).map(({ index }) => index)).toEqual([0, 2, 4, 6, 8])
  const all = named.map((segment) => ({ ...segment, assets: [`${segment.index}`] }))
  expect(introducing(all).map(({ index }) => index)).toEqual([4, 5, 6, 7, 8, 9])
})
