// Events on their way into batches: one batch at a time, closed by its size, its age, its count, or because the page is
// left. While the server is away, what can be missed goes into batches of its own, so that it can be dropped first.

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

/** Before compression: one that is open and one that is being compressed may both outlive a page as they are. */
const sizeLimit = 28 * 1024
const countLimit = 100
/** Milliseconds from the first event on; with something that somebody waits for in it. */
const ageLimit = 10_000
const urgentAge = 2_000

const isUrgent = /error|exposure/
const canBeMissed = /resource|action|long_frame|custom/

/** `beforeClosing`: what else belongs into a batch that got too old. */
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
      const isPrecious = !queue.isFailing() || !canBeMissed.test(event.kind)
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
