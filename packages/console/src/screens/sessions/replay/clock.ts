import { idleFrom } from './next-moment.ts'
import type { Span } from './player.ts'
import type { PlayerStore, ReplayPlans } from './player-store.ts'
import type { Projector } from './projector.ts'

interface ClockOptions {
  readonly plans: ReplayPlans
  readonly store: PlayerStore
  readonly projector: Projector
  moveTo(at: number): void
  fail(error: unknown): void
}

/** Long enough to read. */
const skipShown = 1_200
/** For one picture; a page with hundreds of thousands of nodes takes seconds. */
const pictureTimeout = 30_000
/** The clock waits for late pictures, and for a tab in the background that is not painted. */
const lateAfter = 250

/** Moves the playhead during playback. */
export function createClock({ plans, store, projector, moveTo, fail }: ClockOptions) {
  let ticking = 0
  let before = 0
  let skippedAt = 0

  /** Skipped from here, for any reason: inactivity, or a gap in the recording. */
  const skippedFrom = (at: number): Span | undefined => {
    const { run } = projector
    if (run !== undefined) return idleFrom(at, { moments: run.moments, until: run.knownUntil })
    const spans = plans.all.flatMap(({ stretches, gaps }) => [...stretches, ...gaps])
    const next = Math.min(...spans.map(({ from }) => from).filter((from) => from > at))
    return Number.isFinite(next) ? { from: at, to: next } : undefined
  }
  const targetFrom = (at: number, passed: number, now: number): number => {
    const { speed, isSkippingIdle, gap, idle } = store.get()
    const target = at + passed * speed
    const skipped = isSkippingIdle ? (gap ?? skippedFrom(at)) : undefined
    if (skipped === undefined) return target
    skippedAt = now
    // Adjacent ones are shown as one.
    const from = idle !== undefined && idle.to >= at - 1 ? idle.from : at
    store.set({ idle: { from, to: skipped.to } })
    return Math.max(target, skipped.to)
  }
  const tick = (now: number) => {
    ticking = requestAnimationFrame(tick)
    const passed = Math.min(now - before, lateAfter)
    before = now
    const { at, idle, isBuffering } = store.get()
    const waited = projector.waitsSince === undefined ? 0 : now - projector.waitsSince
    if (idle !== undefined && now - skippedAt > skipShown) store.set({ idle: undefined })
    if (waited > pictureTimeout) return fail(new Error('The player does not respond.'))
    if (isBuffering || waited > lateAfter) return
    moveTo(targetFrom(at, passed, now))
    if (store.get().hasEnded) pause()
  }
  const pause = () => {
    cancelAnimationFrame(ticking)
    if (store.get().isPlaying) store.set({ isPlaying: false, idle: undefined })
  }
  return {
    pause,
    play() {
      const { isPlaying, status, hasEnded, startsAt } = store.get()
      if (isPlaying || status === 'failed') return
      store.set({ isPlaying: true })
      if (hasEnded) moveTo(startsAt)
      before = performance.now()
      ticking = requestAnimationFrame(tick)
    },
  }
}
