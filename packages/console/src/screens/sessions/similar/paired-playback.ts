// Two players in lockstep: the first to reach the next shared step waits there for the other, so that both
// always show the same step, however long each session took.

import type { Player, PlayerState } from '../replay/player.ts'
import { type SharedStep, stepAt } from './shared-steps.ts'

export type Side = 'left' | 'right'

interface PairedState {
  readonly isPlaying: boolean
  /** The last shared step that both have passed; −1 before the first. */
  readonly step: number
  /** The player that has already reached the next step. */
  readonly waiting: Side | undefined
}

type Played = Pick<Player, 'subscribe' | 'play' | 'pause' | 'seek'> & {
  getState(): Pick<PlayerState, 'at' | 'hasEnded' | 'isPlaying' | 'status'>
}

export interface ComparedSide {
  readonly player: Played
  /** Milliseconds since 1970. */
  readonly sessionStart: number
}

export interface PairedPlayback {
  subscribe(listener: () => void): () => void
  getState(): PairedState
  toggle(): void
  /** Moves both to a step; before the first is the start. */
  goTo(step: number): void
  close(): void
}

const sides = ['left', 'right'] as const

export function createPairedPlayback(
  compared: Readonly<Record<Side, ComparedSide>>,
  steps: readonly SharedStep[],
): PairedPlayback {
  let state: PairedState = { isPlaying: false, step: -1, waiting: undefined }
  const listeners = new Set<() => void>()
  const set = (change: Partial<PairedState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const atOf = (side: Side) => compared[side].player.getState().at - compared[side].sessionStart
  const playBoth = () => {
    for (const side of sides) if (!compared[side].player.getState().hasEnded) compared[side].player.play()
  }
  const pauseBoth = () => {
    for (const side of sides) compared[side].player.pause()
  }
  let isLooking = false
  const look = () => {
    // Calls to a player here make it emit again.
    if (isLooking || !state.isPlaying) return
    isLooking = true
    lookOnce()
    isLooking = false
  }
  const lookOnce = () => {
    const next = steps[state.step + 1]
    const isThere = (side: Side) =>
      compared[side].player.getState().hasEnded || (next !== undefined && atOf(side) >= next[side])
    const [left, right] = [isThere('left'), isThere('right')]
    if (left && right) {
      const isOver = next === undefined
      set({ step: isOver ? state.step : state.step + 1, waiting: undefined, isPlaying: !isOver })
      if (!isOver) playBoth()
      return
    }
    const first = left ? 'left' : right ? 'right' : undefined
    if (first !== undefined) compared[first].player.pause()
    if (first !== state.waiting) set({ waiting: first })
  }
  const stops = sides.map((side) => compared[side].player.subscribe(look))

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    toggle() {
      if (state.isPlaying) {
        set({ isPlaying: false, waiting: undefined })
        pauseBoth()
        return
      }
      // One of them may have been moved meanwhile: both resume at the last step both have passed.
      const step = Math.min(stepAt(steps, 'left', atOf('left')), stepAt(steps, 'right', atOf('right')))
      set({ isPlaying: true, step })
      playBoth()
      look()
    },
    goTo(step) {
      const to = Math.max(-1, Math.min(steps.length - 1, step))
      isLooking = true
      for (const side of sides)
        compared[side].player.seek(compared[side].sessionStart + (steps[to]?.[side] ?? 0))
      isLooking = false
      set({ step: to, waiting: undefined })
      if (state.isPlaying) playBoth()
    },
    close() {
      for (const stop of stops) stop()
      pauseBoth()
      listeners.clear()
    },
  }
}
