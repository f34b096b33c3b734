import { expect, test } from 'vitest'
import type { LiveEvent } from '../../api/live.ts'
import { liveEvent } from './live-event.testing.ts'
import { changeTail, emptyTail, rowsAtMost, type TailState } from './tail-state.ts'

const reported = (state: TailState, events: LiveEvent[], earlier = false) =>
  changeTail(state, { type: 'message', message: { type: 'events', events, earlier }, now: 1 })

const many = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => liveEvent({ id: `e${first + index}` }))

test('keeps only the newest rows', () => {
  const state = reported(reported(emptyTail, many(150)), many(150, 150))
  expect(state.rows).toHaveLength(rowsAtMost)
  expect(state.rows.at(0)?.id).toBe('e100')
  expect(state.rows.at(-1)?.id).toBe('e299')
})

test('a repeated event is one row', () => {
  const state = reported(reported(emptyTail, many(3)), many(4), true)
  expect(state.rows.map(({ id }) => id)).toEqual(['e0', 'e1', 'e2', 'e3'])
})

test('stored events are inserted before later ones', () => {
  const since = reported(emptyTail, [liveEvent({ id: 'now', receivedAt: '2026-01-02T00:00:00.000Z' })])
  const state = reported(since, [liveEvent({ id: 'before', receivedAt: '2026-01-01T00:00:00.000Z' })], true)
  expect(state.rows.map(({ id }) => id)).toEqual(['before', 'now'])
})

test('while paused rows stay and new ones are counted, and continue afterwards', () => {
  const paused = reported(changeTail(reported(emptyTail, many(10)), { type: 'pause' }), many(500, 10))
  expect(paused.rows).toHaveLength(10)
  expect(paused.newCount).toBe(500)
  const resumed = changeTail(paused, { type: 'resume' })
  expect(resumed).toMatchObject({ isPaused: false, newCount: 0, held: [] })
  expect(resumed.rows).toHaveLength(rowsAtMost)
  expect(resumed.rows.at(-1)?.id).toBe('e509')
})

test('omitted events are summed', () => {
  const pace = (dropped: number) =>
    ({ type: 'message', message: { type: 'pace', arrived: 100, dropped, store: 'away' }, now: 1 }) as const
  const state = changeTail(changeTail(emptyTail, pace(40)), pace(2))
  expect(state).toMatchObject({ arrived: 100, dropped: 2, droppedInAll: 42, isStoreAway: true })
})

test('is only empty once stored events are loaded', () => {
  expect(reported(emptyTail, []).isReady).toBe(false)
  expect(reported(emptyTail, [], true).isReady).toBe(true)
})
