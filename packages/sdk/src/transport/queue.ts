// The upload queue of batches: one at a time, retried with backoff while the server is unavailable, within a size
// limit. When there is no room, the oldest are dropped first, and important ones last.

import { listen } from '../browser/listen.ts'
import { backoff } from '../browser/random.ts'
import type { Batch } from './batch.ts'
import type { Send } from './send.ts'

export interface Queue {
  push(batch: Batch): void
  /** The page is being left or hidden: send whatever fits at once. */
  exit(): void
  /** The last attempt failed. */
  isStalled(): boolean
  clear(): void
}

/** As it is before compression. */
const roomBytes = 1024 * 1024
const longestWait = 60_000

/** `onRefused`: the server permanently rejects this client. */
export function createQueue(send: Send, onRefused: () => void): Queue {
  let waiting: Batch[] = []
  const underWay = new Set<Batch>()
  /** Waits until it is compressed. */
  let settling: Batch | undefined
  /** The server had no room for it; it may have room for a more important batch. */
  let declined: Batch | undefined
  let failures = 0
  let notBefore = 0
  let timer: ReturnType<typeof setTimeout>

  const remove = (batch: Batch) => {
    waiting = waiting.filter((each) => each !== batch)
  }
  const makeRoom = () => {
    while (waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > roomBytes) {
      const idle = waiting.filter((batch) => !underWay.has(batch) && batch !== settling)
      const oldest = idle.find(({ isPrecious }) => !isPrecious) ?? idle[0]
      if (!oldest) return
      remove(oldest)
    }
  }
  const attempt = async (batch: Batch, isExit: boolean) => {
    if (!isExit) {
      settling = batch
      await batch.settle()
      // The page was left meanwhile, and it was sent uncompressed.
      if (settling !== batch) return
      settling = undefined
    }
    underWay.add(batch)
    const outcome = await send(batch, isExit)
    underWay.delete(batch)
    // Batches without room are sent after the rest, if the page stays open.
    if (!outcome) return pump()
    const { status, retryAfter } = outcome
    if (status === 401 || status === 403) return onRefused()
    if (!status || status === 408 || status === 429 || status >= 500) {
      notBefore = Date.now() + retryAfter
      failures++
      if (status === 503) declined = batch
    } else {
      remove(batch)
      failures = 0
    }
    pump()
  }
  const pump = () => {
    clearTimeout(timer)
    const pause = failures > 0 ? backoff(failures - 1, longestWait) : 0
    timer = setTimeout(
      () => {
        const next = waiting.find((each) => each !== declined) ?? waiting[0]
        // Never throws: a failure is a result.
        if (next && underWay.size === 0 && !settling) void attempt(next, false)
      },
      Math.max(notBefore - Date.now(), pause),
    )
  }
  listen(globalThis, 'online', () => {
    failures = 0
    pump()
  })

  return {
    push(batch) {
      waiting.push(batch)
      makeRoom()
      // A failed batch waits for its retry.
      if (failures === 0) pump()
    },
    exit() {
      if (notBefore > Date.now()) return
      settling = undefined
      for (const isPrecious of [true, false]) {
        for (const batch of waiting) {
          if (batch.isPrecious === isPrecious && !underWay.has(batch)) void attempt(batch, true)
        }
      }
    },
    isStalled: () => failures > 0,
    clear() {
      waiting = []
      settling = undefined
    },
  }
}
