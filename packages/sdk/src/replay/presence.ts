// Whether the session goes on: a page that nobody uses for as long as ends a session tells nothing of itself until somebody
// is back.

import { listen } from '../browser/listen.ts'
import { idleLimit } from '../session.ts'

export interface Presence {
  isAway(): boolean
  /** Something happened that belongs to the session. */
  note(): void
  stop(): void
}

export function watchPresence(onReturn: () => void): Presence {
  let usedAt = Date.now()
  let wasAway = false
  const note = () => {
    usedAt = Date.now()
    if (!wasAway) return
    wasAway = false
    onReturn()
  }
  return {
    isAway() {
      wasAway ||= Date.now() - usedAt > idleLimit
      return wasAway
    },
    note,
    stop: listen(globalThis, 'pointerdown keydown scroll', note),
  }
}
