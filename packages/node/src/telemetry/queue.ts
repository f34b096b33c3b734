// Events that wait to be sent. Bounded by number and size: what does not fit is dropped and counted. The last fifth is
// kept for what is rarer than requests.

import type { TelemetryStatus } from '../client.ts'

export interface QueuedEvent {
  /** What it shares with other events, as JSON. */
  context: string
  /** The event as JSON, without the index of its context. */
  text: string
}

export type DropReason = keyof TelemetryStatus['dropped']

export interface Queue {
  /** Whether it was kept. `isDetail`: one of many. */
  add(event: QueuedEvent, isDetail: boolean): boolean
  /** Removes the oldest events, as many as fit into a batch. */
  take(): QueuedEvent[]
  count(): number
  drop(reason: DropReason, count: number): void
  dropped(): TelemetryStatus['dropped']
}

/** Characters; a batch of this size compresses to some dozens of kilobytes. */
const batchSize = 1_000_000
const batchEvents = 1_000
const memory = 16_000_000
const forDetails = 0.8

export function createQueue(most: number): Queue {
  let events: QueuedEvent[] = []
  /** Taken ones are cut off in large pieces, because removing the first of many is slow. */
  let begin = 0
  let size = 0
  const dropped = { full: 0, unavailable: 0, refused: 0, invalid: 0 }
  const sizeOf = ({ text, context }: QueuedEvent) => text.length + context.length
  const count = () => events.length - begin

  return {
    count,
    add(event, isDetail) {
      const share = isDetail ? forDetails : 1
      if (count() >= most * share || size + sizeOf(event) > memory * share) {
        dropped.full += 1
        return false
      }
      events.push(event)
      size += sizeOf(event)
      return true
    },
    take() {
      let end = begin
      let taken = 0
      for (let next = events[end]; next !== undefined && end - begin < batchEvents; next = events[end]) {
        if (taken > 0 && taken + sizeOf(next) > batchSize) break
        taken += sizeOf(next)
        end += 1
      }
      const batch = events.slice(begin, end)
      begin = end
      size -= taken
      if (begin > 4 * batchEvents || begin === events.length) {
        events = events.slice(begin)
        begin = 0
      }
      return batch
    },
    drop(reason, of) {
      dropped[reason] += of
    },
    dropped: () => ({ ...dropped }),
  }
}
