// Sends each exposure once per session, before any event that happens under it: from then on the server attaches the
// variation to every event of the session, in all its tabs.

import type { FlagRead } from '@telltale/core/contract/events'
import type { Emit } from '../event.ts'
import type { Sessions, TimedRead } from '../session.ts'

export interface Exposer {
  add(read: FlagRead): void
  /** A session exists now. */
  flush(): void
  clear(): void
}

/** More than an application reads before consent is decided. */
const readsKept = 1_000

export interface ExposerOptions {
  sessions: Sessions
  emit: Emit
  /** Returns whether a session is allowed and exists. */
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
      // An application reads many flags at once.
      if (waiting.length === 0) queueMicrotask(flush)
      if (waiting.push({ ...read, at: Date.now() }) > readsKept) waiting.shift()
    },
    flush,
    clear() {
      waiting.length = 0
    },
  }
}
