import { expect, test } from 'vitest'
import { type ComparedSide, createPairedPlayback } from './paired-playback.ts'

/** A player whose clock the test controls. */
function fakeSide(sessionStart: number) {
  const listeners = new Set<() => void>()
  let state = { at: sessionStart, hasEnded: false, isPlaying: false, status: 'ready' as const }
  const set = (change: Partial<typeof state>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const side: ComparedSide = {
    sessionStart,
    player: {
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      getState: () => state,
      play: () => set({ isPlaying: true }),
      pause: () => set({ isPlaying: false }),
      seek: (at) => set({ at }),
    },
  }
  return {
    side,
    reach: (at: number) => set({ at: sessionStart + at }),
    end: () => set({ hasEnded: true }),
    state: () => state,
  }
}

const steps = [
  { title: '/', kind: 'page', left: 0, right: 0 },
  { title: 'Pay', kind: 'action', left: 9_000, right: 2_000 },
] as const

test('the faster side waits for the other at the shared step', () => {
  const [left, right] = [fakeSide(1_000_000), fakeSide(5_000_000)]
  const both = createPairedPlayback({ left: left.side, right: right.side }, steps)
  both.toggle()
  expect(both.getState()).toEqual({ isPlaying: true, step: 0, waiting: undefined })
  right.reach(2_000)
  expect(both.getState().waiting).toBe('right')
  expect(right.state().isPlaying).toBe(false)
  expect(left.state().isPlaying).toBe(true)
  left.reach(9_000)
  expect(both.getState()).toMatchObject({ step: 1, waiting: undefined })
  expect(right.state().isPlaying).toBe(true)
})

test('seeking to a step moves both, each to its own time; both end together', () => {
  const [left, right] = [fakeSide(1_000_000), fakeSide(5_000_000)]
  const both = createPairedPlayback({ left: left.side, right: right.side }, steps)
  both.goTo(1)
  expect([left.state().at, right.state().at]).toEqual([1_009_000, 5_002_000])
  both.goTo(-5)
  expect(both.getState().step).toBe(-1)
  both.goTo(1)
  both.toggle()
  left.end()
  expect(both.getState().waiting).toBe('left')
  right.end()
  expect(both.getState().isPlaying).toBe(false)
})
