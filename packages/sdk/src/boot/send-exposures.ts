// Tells the server once in a session of each variation that the application really read, before anything that happens under
// it: from then on every event of the session, in all its tabs, carries the variation.

import type { FlagRead } from '@telltale/core/contract/events'
import type { Emit } from '../event.ts'
import type { Sessions, TimedRead } from '../session.ts'

export interface Exposer {
  add(read: FlagRead): void
  /** There is a session now. */
  flush(): void
  clear(): void
}

/** More than an application reads before somebody decides about consent. */
const readsKept = 1_000

export interface ExposerOptions {
  sessions: Sessions
  emit: Emit
  /** Whether there may be one, and is. */
  hasSession(): boolean
}

export function createExposer({ sessions, emit, hasSession }: ExposerOptions): Exposer {
  const waiting: TimedRead[] = []

  const flush = () => {
    if (waiting.length === 0 || !hasSession()) return
    for (const { flag, at } of sessions.addReads(waiting.splice(0))) emit('exposure', { flag }, { at })
  }
  return {
    add(read) {
      // An application reads many flags in one go.
      if (waiting.length === 0) queueMicrotask(flush)
      if (waiting.push({ ...read, at: Date.now() }) > readsKept) waiting.shift()
    },
    flush,
    clear() {
      waiting.length = 0
    },
  }
}
