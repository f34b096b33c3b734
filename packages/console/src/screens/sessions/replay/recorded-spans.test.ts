import { expect, test } from 'vitest'
import type { Replay } from '../../../api/replays.ts'
import { layOutLanes } from '../timeline/lanes.ts'
import { profileAt, profiledSpans } from '../timeline/profiled-spans.ts'
import { notedInstants, recordedSpans } from './recorded-spans.ts'

const start = Date.UTC(2026, 10, 21, 14, 30)
const instant = (after: number) => new Date(start + after).toISOString()
const segment = (index: number, from: number, to: number) => ({
  index,
  view: null,
  startedAt: instant(from),
  endedAt: instant(to),
  records: 100,
  full: index === 0,
  bytes: 1,
  assets: [],
})
const replay: Replay = {
  session: 's',
  startedAt: instant(2_000),
  endedAt: instant(102_000),
  running: false,
  bytes: 2,
  complete: true,
  kept: null,
  expiresAt: null,
  notes: [],
  tabs: [
    {
      id: 't',
      startedAt: instant(2_000),
      endedAt: instant(102_000),
      bytes: 2,
      gaps: [],
      segments: [segment(0, 2_000, 12_000), segment(1, 92_000, 102_000)],
    },
  ],
}

test('a recording gives the lanes its activity, its idle time, its gaps and its notes', () => {
  const recorded = recordedSpans({
    replay,
    sessionStart: start,
    gaps: [{ tab: 't', from: start + 40_000, to: start + 50_000, why: 'missing', missing: 2 }],
  })
  expect(recorded).toMatchObject({
    from: 2_000,
    to: 102_000,
    idle: [{ from: 12_000, to: 92_000 }],
    gaps: [{ from: 40_000, to: 50_000, label: 'Not recorded: 2\u00a0parts never arrived' }],
  })
  const notes = notedInstants({
    notes: [{ id: 'n', at: instant(51_000), text: 'Look', author: 'Ada', createdAt: instant(0) }],
    recorderNotes: [{ at: start + 5_000, tab: 't', kind: 'stopped', detail: 'over-budget' }],
    sessionStart: start,
  })
  const lanes = layOutLanes({
    session: { startedAt: instant(0), length: 60_000, viewList: [], flagChanges: [] },
    moments: [],
    width: 510,
    idleText: String,
    recorded,
    notes,
  })
  // The recording ends after the last event: five pixels are a second.
  expect(lanes.gaps[0]).toMatchObject({ from: 200, width: 50 })
  expect(lanes.idle).toHaveLength(1)
  expect(lanes.notes.map(({ x, by }) => [x, by])).toEqual([
    [25, 'recorder'],
    [255, 'people'],
  ])
  const [early, middle, late] = [0.05, 0.5, 0.95].map(
    (part) => lanes.activity[Math.floor(part * lanes.activity.length)] ?? 0,
  )
  expect(middle).toBe(0)
  expect(Math.min(early ?? 0, late ?? 0)).toBeGreaterThan(0.5)
})

test('a profile lies where it ran, and is found there', () => {
  const profile = (id: string, after: number, duration: number) => ({
    id,
    view: null,
    startedAt: instant(after),
    duration,
    session: 's',
    page: '/cart',
    version: '',
    browser: '',
    device: '',
    busyMs: 900,
    flags: [],
  })
  const spans = profiledSpans([profile('a', 0, 10_000), profile('b', 10_000, 60_000)], {
    startedAt: instant(0),
  })
  expect(spans[1]).toEqual({
    id: 'b',
    from: 10_000,
    to: 70_000,
    label: 'Profile of /cart at 0:10, 900\u00a0ms busy',
  })
  expect([9_999, 10_000, 69_999, 70_000].map((at) => profileAt(spans, at)?.id)).toEqual([
    ...['a', 'b', 'b', undefined],
  ])
})
