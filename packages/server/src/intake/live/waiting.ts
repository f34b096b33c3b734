import type { LiveEvent } from '@telltale/core/contract/live'
import { limits } from '@telltale/core/limits'

export interface Taken {
  events: LiveEvent[]
  /** Since the last call: matching events, and those that were not examined for lack of time. */
  arrived: number
}

/** The queue of one watcher: a limited number of events, and how many there were. */
export interface Waiting {
  add(event: LiveEvent): void
  /** Counts events that were not examined. */
  miss(count: number): void
  /** Takes the queued events, the oldest first. */
  take(): Taken
}

/** The maximum queued for one write; newer events replace older ones. */
export const eventsPerTurn = Math.ceil((limits.liveRate * limits.liveInterval) / 1_000)

export function createWaiting(): Waiting {
  let events: LiveEvent[] = []
  let arrived = 0

  return {
    add(event) {
      arrived += 1
      if (events.length >= eventsPerTurn) events.shift()
      events.push(event)
    },
    miss(count) {
      arrived += count
    },
    take() {
      const taken = { events, arrived }
      events = []
      arrived = 0
      return taken
    },
  }
}
