// Collects events into batches: one batch at a time, closed by size, age, count, or when the page is left. While the
// server is unavailable, expendable events are batched separately, so that they can be dropped first.

import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import { guarded } from '../browser/guard.ts'
import { type Batch, createBatch } from './batch.ts'
import type { Queue } from './queue.ts'

export interface Outbox {
  add(event: TelemetryEvent, context: EventContext): void
  /** Closes what is open. */
  flush(): void
  clear(): void
}

/** Before compression: an open batch and one being compressed may both outlive a page uncompressed. */
const sizeLimit = 28 * 1024
const countLimit = 100
/** Milliseconds from the first event on; shorter when it contains an urgent event. */
const ageLimit = 10_000
const urgentAge = 2_000

const isUrgent = /error|exposure/
const canBeMissed = /resource|action|long_frame|custom/

/** `beforeClosing`: adds pending data to a batch that reached its maximum age. */
export function createOutbox(queue: Queue, beforeClosing: () => void): Outbox {
  const open = new Map<boolean, Batch>()
  let dueAt = 0
  let timer: ReturnType<typeof setTimeout>

  const clear = () => {
    clearTimeout(timer)
    dueAt = 0
    open.clear()
  }
  const flush = () => {
    const batches = [...open.values()]
    clear()
    batches.forEach(queue.push)
  }
  const ripen = guarded(() => {
    beforeClosing()
    flush()
  })
  return {
    add(event, context) {
      const isPrecious = !queue.isStalled() || !canBeMissed.test(event.kind)
      const batch = open.get(isPrecious) ?? createBatch(isPrecious)
      open.set(isPrecious, batch)
      batch.add(event, context)
      if (batch.events >= countLimit || batch.sizeBytes >= sizeLimit) return flush()
      const delay = isUrgent.test(event.kind) ? urgentAge : ageLimit
      const at = Date.now() + delay
      if (dueAt && dueAt <= at) return
      clearTimeout(timer)
      dueAt = at
      timer = setTimeout(ripen, delay)
    },
    flush,
    clear,
  }
}
