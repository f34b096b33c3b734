// Cleanup at shutdown, in the reverse order of registration.

import type { Log } from './log.ts'

export interface Closing {
  add(what: string, close: () => Promise<void> | void): void
  /** Closes everything, even when one part fails to close. Idempotent. */
  close(): Promise<void>
}

export function createClosing(log: Log): Closing {
  const parts: { what: string; close: () => Promise<void> | void }[] = []
  let closed: Promise<void> | undefined

  return {
    add: (what, close) => {
      parts.push({ what, close })
    },
    close: () => {
      closed ??= closeAll()
      return closed
    },
  }

  async function closeAll() {
    for (const { what, close } of parts.reverse()) {
      try {
        await close()
      } catch (error) {
        log.error({ err: error }, `closing ${what} failed`)
      }
    }
  }
}
