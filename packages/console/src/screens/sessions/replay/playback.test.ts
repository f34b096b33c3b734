import { expect, test } from 'vitest'
import type { Moment } from '../timeline/moments.ts'
import { placeIn } from '../timeline/playhead-place.ts'
import { createPlayback } from './playback.ts'

const start = 1_000_000
/** Recorded from the second second to the tenth. */
const [from, to] = [start + 2_000, start + 10_000]

function aPlayer() {
  let at = from
  const listeners = new Set<() => void>()
  const move = (next: number) => {
    at = Math.min(to, Math.max(from, next))
    for (const listener of listeners) listener()
  }
  const player = {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getState: () => ({ at }),
    seek: move,
  }
  return { player, move }
}

test('events before and after the recording can be chosen, and the player takes over when it moves on', () => {
  const { player, move } = aPlayer()
  const playback = createPlayback(player, start)
  expect(playback.at()).toBe(2_000)
  playback.seek(500, 'first')
  expect([playback.at(), playback.event()]).toEqual([500, 'first'])
  move(from + 16)
  expect([playback.at(), playback.event()]).toEqual([2_016, undefined])
  playback.seek(60_000)
  expect(playback.at()).toBe(60_000)
})

test('a follower hears of a selection that does not move the player, until it unsubscribes', () => {
  const { player } = aPlayer()
  const playback = createPlayback(player, start)
  const told: number[] = []
  const stop = playback.subscribe(() => told.push(playback.at()))
  playback.seek(0)
  playback.seek(900)
  expect(told.at(-1)).toBe(900)
  stop()
  const before = told.length
  playback.seek(3_000)
  expect(told).toHaveLength(before)
})

test('the current row is the latest one, or the selected one of several at the same instant', () => {
  const { player } = aPlayer()
  const playback = createPlayback(player, start)
  const moments = [0, 4_000, 4_000, 9_000].map((at, index) => ({ at, event: { id: `e${index}` } }) as Moment)
  playback.seek(3_999)
  expect(placeIn(moments, playback)).toBe(0)
  playback.seek(4_000)
  expect(placeIn(moments, playback)).toBe(2)
  playback.seek(4_000, 'e1')
  expect(placeIn(moments, playback)).toBe(1)
  expect(placeIn([], playback)).toBe(-1)
})
