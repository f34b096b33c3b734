// Keeps a copy on disk: soon after a change, and not again until some time has passed, because the whole of it is
// written every time. What is outstanding is written before the server ends.

import { setTimeout } from 'node:timers/promises'
import type { Services } from '../../platform/services.ts'

export interface Keeper {
  request(): void
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

  const run = async () => {
    try {
      while (isWanted) {
        isWanted = false
        await write()
        await setTimeout(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    } finally {
      isRunning = false
    }
  }

  return {
    request() {
      isWanted = true
      if (isRunning) return
      isRunning = true
      background(run(), 'writing the rule set of an environment to disk')
    },
    stop: () => stopping.abort(),
  }
}
