import type { Replay, ReplayPlace } from '../../../api/replays.ts'
import type { Player, PlayerState, ReplayGap } from './player.ts'

export interface PlayerOptions {
  readonly place: ReplayPlace
  readonly replay: Replay
  /** Where the playhead stands first. */
  readonly startAt: number | undefined
}

export interface StagedPlayer extends Player {
  /** Draws into it; comes back with how to stop. */
  attach(frame: HTMLIFrameElement): () => void
  /** What is recorded by now. */
  follow(replay: Replay): void
  close(): void
}

export function createPlayer({ replay, startAt }: PlayerOptions): StagedPlayer {
  const startsAt = Date.parse(replay.startedAt)
  const gaps: ReplayGap[] = replay.tabs.flatMap(({ id, gaps: found }) =>
    found.map(({ from, to, why, missing }) => ({
      ...{ tab: id, from: Date.parse(from), to: Date.parse(to), why, missing },
    })),
  )
  let state: PlayerState = {
    status: 'ready',
    ...{ isPlaying: false, isBuffering: false, hasEnded: false },
    ...{ at: startAt ?? startsAt, startsAt, endsAt: Date.parse(replay.endedAt) },
    ...{ speed: 1, isSkippingIdle: true, idle: undefined, gap: undefined, gaps },
    ...{ tab: replay.tabs[0]?.id ?? '', tabs: replay.tabs.map(({ id }) => id) },
    ...{ page: { width: 1280, height: 720 }, privacy: { level: 'mask-all', reason: 'sampled' } },
    ...{ notes: [], problem: undefined },
  }
  const listeners = new Set<() => void>()
  const set = (change: Partial<PlayerState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  let frame = 0
  let before = 0
  const step = (now: number) => {
    const at = Math.min(state.endsAt, state.at + (now - before) * state.speed)
    before = now
    const hasEnded = at >= state.endsAt
    set({ at, hasEnded, isPlaying: !hasEnded })
    if (!hasEnded) frame = requestAnimationFrame(step)
  }
  const seek = (at: number) => {
    const within = Math.min(state.endsAt, Math.max(startsAt, at))
    set({ at: within, hasEnded: within >= state.endsAt })
  }
  const pause = () => {
    cancelAnimationFrame(frame)
    set({ isPlaying: false })
  }
  const play = () => {
    if (state.isPlaying) return
    if (state.hasEnded) seek(startsAt)
    set({ isPlaying: true })
    before = performance.now()
    frame = requestAnimationFrame(step)
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getState: () => state,
    ...{ play, pause, seek },
    toggle: () => (state.isPlaying ? pause() : play()),
    seekBy: (milliseconds) => seek(state.at + milliseconds),
    setSpeed: (speed) => set({ speed }),
    setSkipIdle: (isSkippingIdle) => set({ isSkippingIdle }),
    showTab: (tab) => set({ tab: tab ?? replay.tabs[0]?.id ?? '' }),
    retry: () => undefined,
    attach: () => () => undefined,
    follow: (newer) => set({ endsAt: Date.parse(newer.endedAt) }),
    close: pause,
  }
}
