// Controls a replay: moves the playhead, selects the tab and its stretch, waits for segments that are not
// loaded, skips inactivity and gaps, and publishes its state for the screen.

import { toProblem } from '../../../api/problem.ts'
import type { Replay, ReplaySource } from '../../../api/replays.ts'
import { createClock } from './clock.ts'
import { gapAt, stretchAt } from './plan-tab.ts'
import type { Player, PlayerState } from './player.ts'
import {
  createPlayerStore,
  firstState,
  type PlayerStore,
  planReplay,
  type ReplayPlans,
} from './player-store.ts'
import { createProjector, type Projector } from './projector.ts'
import { tabAt } from './tab-at.ts'

interface PlayerOptions {
  readonly place: ReplaySource
  readonly replay: Replay
  /** The initial position of the playhead. */
  readonly startAt: number | undefined
}

export interface StagedPlayer extends Player {
  /** Mounts the picture in it; returns a function that stops. */
  attach(frame: HTMLIFrameElement): () => void
  /** What is recorded so far. */
  follow(replay: Replay): void
  close(): void
}

const readEvery = 250

export function createPlayer({ place, replay, startAt }: PlayerOptions): StagedPlayer {
  const plans = planReplay(replay)
  const store = createPlayerStore(firstState(plans, startAt))
  const fail = (error: unknown) => {
    const { title, detail } = toProblem(error)
    clock.pause()
    projector.stop()
    store.set({ status: 'failed', isBuffering: false, problem: detail ? `${title}. ${detail}` : title })
  }
  const replan = () => {
    const tabs = plans.all.map(({ id }) => id)
    store.set({ tabs, gaps: plans.all.flatMap(({ gaps }) => gaps) })
  }
  const projector = createProjector({
    place,
    onLinked: () => locator.locate(),
    onRead({ privacy, notes }, tab) {
      if (privacy !== undefined) store.set({ privacy })
      const tabNotes = notes.map((note) => ({ ...note, tab }))
      if (tabNotes.length > 0) store.set({ notes: addNotes(store.get().notes, tabNotes) })
    },
    onShown({ page }) {
      store.set({ status: 'ready', isBuffering: projector.isBehind, ...(page && { page }) })
    },
    onBroken(tab, index) {
      plans.noteBroken(tab, index)
      replan()
      projector.stop()
      locator.locate()
    },
    onFailed: fail,
  })
  const locator = createLocator({ plans, store, projector })
  const clock = createClock({ plans, store, projector, moveTo: locator.moveTo, fail })
  const seek = (at: number) => {
    if (store.get().status !== 'failed') locator.moveTo(at)
  }
  let reading: ReturnType<typeof setInterval> | undefined
  return {
    subscribe: store.subscribe,
    getState: store.get,
    play: clock.play,
    pause: clock.pause,
    seek,
    toggle: () => (store.get().isPlaying ? clock.pause() : clock.play()),
    seekBy: (milliseconds) => seek(store.get().at + milliseconds),
    setSpeed: (speed) => store.set({ speed }),
    setSkipIdle: (isSkippingIdle) => store.set({ isSkippingIdle, idle: undefined }),
    showTab: locator.showTab,
    retry() {
      store.set({ status: 'loading', problem: undefined })
      if (projector.isLinked) locator.locate()
      else projector.reload()
    },
    attach(frame) {
      projector.attach(frame)
      // Loads the first segments while the document loads.
      locator.locate()
      // Also while paused: segments ahead are loaded when there is room.
      reading = setInterval(locator.locate, readEvery)
      return () => {
        clearInterval(reading)
        projector.detach()
      }
    },
    follow(newer) {
      plans.follow(newer)
      for (const { id, stretches } of plans.all) projector.extend(id, stretches)
      const endsAt = Date.parse(newer.endedAt)
      store.set({ endsAt, hasEnded: store.get().at >= endsAt && !newer.running })
      replan()
      locator.locate()
    },
    close() {
      clock.pause()
      clearInterval(reading)
      projector.detach()
      store.clear()
    },
  }
}

interface LocatorOptions {
  readonly plans: ReplayPlans
  readonly store: PlayerStore
  readonly projector: Projector
}

/** Shows the picture at the playhead, or the reason why it is missing. */
function createLocator({ plans, store, projector }: LocatorOptions) {
  let chosen: string | undefined
  const locate = () => {
    const { at, status, speed, ...before } = store.get()
    if (status === 'failed') return
    const tab = chosen ?? tabAt(plans.all, at)
    const plan = plans.of(tab)
    const gap = plan && gapAt(plan, at)
    const stretch = plan && !gap ? stretchAt(plan, at) : undefined
    const change: Partial<PlayerState> = {}
    if (tab !== before.tab) Object.assign(change, { tab })
    if (gap !== before.gap) Object.assign(change, { gap })
    const hasPicture = stretch !== undefined
    if (hasPicture !== before.hasPicture) Object.assign(change, { hasPicture })
    if (stretch === undefined) {
      projector.stop()
      // This tab has no data here: show that.
      if (projector.isLinked) Object.assign(change, { status: 'ready' })
    } else projector.show({ tab, stretch, at, speed })
    if (projector.isBehind !== before.isBuffering) Object.assign(change, { isBuffering: projector.isBehind })
    if (Object.keys(change).length > 0) store.set(change)
  }
  return {
    locate,
    moveTo(at: number) {
      const { startsAt, endsAt } = store.get()
      const moved = Math.min(endsAt, Math.max(startsAt, at))
      store.set({ at: moved, hasEnded: moved >= endsAt && !plans.replay.running })
      locate()
    },
    showTab(tab: string | undefined) {
      chosen = tab
      locate()
    },
  }
}

function addNotes(known: PlayerState['notes'], more: PlayerState['notes']): PlayerState['notes'] {
  const keyOf = ({ at, tab, kind }: PlayerState['notes'][number]) => `${at} ${tab} ${kind}`
  const all = new Map([...known, ...more].map((note) => [keyOf(note), note]))
  return [...all.values()].sort((one, other) => one.at - other.at)
}
