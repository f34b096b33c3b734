import type { Replay } from '../../../api/replays.ts'
import { planTab, type TabPlan } from './plan-tab.ts'
import type { PlayerState } from './player.ts'

export interface PlayerStore {
  get(): PlayerState
  set(change: Partial<PlayerState>): void
  subscribe(listener: () => void): () => void
  clear(): void
}

export function createPlayerStore(first: PlayerState): PlayerStore {
  let state = first
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    clear: () => listeners.clear(),
  }
}

export interface ReplayPlans {
  readonly replay: Replay
  readonly all: readonly TabPlan[]
  of(tab: string): TabPlan | undefined
  noteBroken(tab: string, index: number): void
  follow(replay: Replay): void
}

/** The tabs of a replay as they can be shown, from what is known so far. */
export function planReplay(first: Replay): ReplayPlans {
  const broken = new Map<string, Set<number>>()
  const plan = () => replay.tabs.map((tab) => planTab(tab, broken.get(tab.id)))
  let replay = first
  let all = plan()
  return {
    get replay() {
      return replay
    },
    get all() {
      return all
    },
    of: (tab) => all.find(({ id }) => id === tab),
    noteBroken(tab, index) {
      broken.set(tab, new Set([...(broken.get(tab) ?? []), index]))
      all = plan()
    },
    follow(newer) {
      replay = newer
      all = plan()
    },
  }
}

export function firstState({ replay, all }: ReplayPlans, startAt: number | undefined): PlayerState {
  const [startsAt, endsAt] = [Date.parse(replay.startedAt), Date.parse(replay.endedAt)]
  return {
    status: 'loading',
    isPlaying: false,
    isBuffering: false,
    hasEnded: false,
    at: Math.min(endsAt, Math.max(startsAt, startAt ?? startsAt)),
    startsAt,
    endsAt,
    speed: 1,
    isSkippingIdle: true,
    idle: undefined,
    hasPicture: true,
    gap: undefined,
    gaps: all.flatMap(({ gaps }) => gaps),
    tab: '',
    tabs: all.map(({ id }) => id),
    page: undefined,
    privacy: undefined,
    notes: [],
    problem: undefined,
  }
}
