// Background work that no request waits for. It is counted, logged when it fails, and awaited at shutdown.

import type { Log } from './log.ts'

export interface Background {
  run(work: Promise<unknown>, what: string): void
  /** Resolves when all started work has ended. */
  settled(): Promise<void>
}

export function createBackground(log: Log): Background {
  const running = new Set<Promise<unknown>>()

  return {
    run(work, what) {
      const watched = work
        .catch((error: unknown) => log.error({ err: error }, `${what} failed in the background`))
        .finally(() => running.delete(watched))
      running.add(watched)
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
