// Flags before telemetry. The number of concurrent telemetry reads follows the event-loop delay: it shrinks while other
// work has to wait, and grows again otherwise. What exceeds it waits briefly in a bounded queue and is then refused
// with 503; clients keep it and retry. Flag requests never pass through here.

import { setTimeout as pause } from 'node:timers/promises'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'

export interface AdmissionCondition {
  /** The current limit of concurrent reads. */
  places: number
  waiting: number
  /** Since the start. */
  refused: number
  /** The recent median event-loop delay, milliseconds. */
  lag: number
}

export interface Admission {
  /** Runs the work when there is a slot. Throws `server-busy` when none was free in time. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>
  condition(): AdmissionCondition
  stop(): void
}

const mostPlaces = 64
const waitingAtMost = 256
/** A burst of a busy site is accepted, not refused; client timeouts are longer than this. */
const longestWait = 5_000
/** A slow upload does not hold its slot for longer. */
const longestStay = 500
/** Impatient clients retry at once: a delayed response slows them down. */
const refusalPause = 250
const pausedAtMost = 1_000
/** How often the delay is sampled, and the weight of a new sample. */
const lookInterval = 20
const newShare = 0.2

interface Waiting {
  begin(): void
}

export function createAdmission(): Admission {
  const gate = createGate()
  const lag = watchLag((now) => gate.adapt(now))
  let refused = 0
  let paused = 0

  const refuse = async (): Promise<never> => {
    refused += 1
    if (paused < pausedAtMost) {
      paused += 1
      await pause(refusalPause, undefined, { ref: false }).finally(() => {
        paused -= 1
      })
    }
    throw problem('server-busy', { retryAfterSeconds: 5 + Math.floor(Math.random() * 20) })
  }

  return {
    async admit(work) {
      const leave = await gate.enter()
      if (leave === undefined) return refuse()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    condition: () => ({ places: gate.places(), waiting: gate.waiting(), refused, lag: lag.usual() }),
    stop: lag.stop,
  }
}

export interface Gate {
  /** Returns the function that frees the slot; undefined when there was none in time. */
  enter(): Promise<(() => void) | undefined>
  /** Records the typical event-loop delay. */
  adapt(lag: number): void
  places(): number
  waiting(): number
}

export function createGate(): Gate {
  let places = mostPlaces
  let taken = 0
  const queue = new Set<Waiting>()

  const take = () => {
    let isHere = true
    const leave = () => {
      if (!isHere) return
      isHere = false
      clearTimeout(stay)
      taken -= 1
      // In a separate turn, so that flag requests run in between.
      if (queue.size > 0) setImmediate(admitNext)
    }
    const stay = setTimeout(leave, longestStay)
    stay.unref()
    taken += 1
    return leave
  }
  const admitNext = () => {
    const [next] = queue
    if (next === undefined || taken >= places) return
    queue.delete(next)
    next.begin()
    if (queue.size > 0 && taken < places) setImmediate(admitNext)
  }

  return {
    async enter() {
      if (taken < places && queue.size === 0) return take()
      if (queue.size >= waitingAtMost) return undefined
      return new Promise((resolve) => {
        const giveUp = () => {
          queue.delete(own)
          resolve(undefined)
        }
        const patience = setTimeout(giveUp, longestWait)
        const own: Waiting = {
          begin() {
            clearTimeout(patience)
            resolve(take())
          },
        }
        queue.add(own)
      })
    },
    adapt(lag) {
      if (lag > limits.intakeLag) places = Math.max(1, Math.floor(places * 0.7))
      else if (taken >= places || places < mostPlaces) places = Math.min(mostPlaces, places + 1)
      if (queue.size > 0) admitNext()
    },
    places: () => places,
    waiting: () => queue.size,
  }
}

/** A timer fires late by as long as other work runs before it. */
function watchLag(onLook: (lag: number) => void) {
  let usual = 0
  let before = performance.now()
  const looking = setInterval(() => {
    const now = performance.now()
    const late = Math.max(0, now - before - lookInterval)
    before = now
    usual += newShare * (late - usual)
    onLook(usual)
  }, lookInterval)
  looking.unref()
  return { usual: () => usual, stop: () => clearInterval(looking) }
}
