// Writes a copy to disk soon after a change, then pauses before the next write, because each write contains the
// whole content. Pending changes are written before the server stops.

import { setTimeout } from 'node:timers/promises'
import type { Services } from '../../platform/services.ts'

export interface Keeper {
  request(): void
  /** Resolves when the requested copy is written, without waiting for the pause. */
  finish(): Promise<void>
  stop(): void
}

/** Milliseconds between two copies. */
const pause = 5_000

export function createKeeper(
  { background }: Pick<Services, 'background'>,
  write: () => Promise<void>,
): Keeper {
  const stopping = new AbortController()
  let isWanted = false
  let isRunning = false
  let hurry = new AbortController()
  let running = Promise.resolve()

  const run = async () => {
    try {
      while (isWanted) {
        isWanted = false
        await write()
        const signal = AbortSignal.any([stopping.signal, hurry.signal])
        await setTimeout(pause, undefined, { signal }).catch(() => undefined)
      }
    } catch (error) {
      isWanted = true
      throw error
    } finally {
      isRunning = false
    }
  }
  const request = () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    hurry = new AbortController()
    running = run()
    background(running, 'writing the rule set of an environment to disk')
  }

  return {
    request,
    finish() {
      // Retries a failed write.
      if (isWanted) request()
      hurry.abort()
      return running
    },
    stop: () => stopping.abort(),
  }
}
