// The status of the values, its listeners, and the callers that wait for the server's first response.

import type { FlagsStatus } from './client.ts'
import { createListeners } from './listeners.ts'

export interface Status {
  get(): FlagsStatus
  set(next: FlagsStatus): void
  listen(listener: (status: FlagsStatus) => void): () => void
  /** Resolves with the first response, including a refusal, or after the timeout. */
  settled(limit: number): Promise<FlagsStatus>
  /** Releases all waiting callers. */
  close(): void
}

export function createStatus(onFault: (error: unknown) => void): Status {
  const listeners = createListeners<FlagsStatus>(onFault)
  const waiting = new Set<() => void>()
  let status: FlagsStatus = 'starting'
  let isSettled = false
  const settle = () => {
    isSettled = true
    for (const done of waiting) done()
  }

  return {
    get: () => status,
    set(next) {
      if (next === status) return
      status = next
      if (next === 'ready' || next === 'refused') settle()
      listeners.notify(next)
    },
    listen: listeners.add,
    settled: (limit) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          waiting.delete(done)
          resolve(status)
        }
        const timer = setTimeout(done, limit)
        waiting.add(done)
        if (isSettled) done()
      }),
    close: settle,
  }
}
