import type { LiveEvent } from '@telltale/core/contract/live'
import { limits } from '@telltale/core/limits'

export interface Taken {
  events: LiveEvent[]
  /** Since the last time: what matches, and what nobody had the time to look at. */
  arrived: number
}

/** What waits for one watcher: a bounded number of events, and how many there were. */
export interface Waiting {
  add(event: LiveEvent): void
  /** Counts events that nobody looked at. */
  miss(count: number): void
  /** Takes what waits, the oldest first. */
  take(): Taken
}

/** What is written at one time; older events make place for newer ones. */
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
