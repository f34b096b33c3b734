// Whether the page does something: changes, asks the server, moves, or takes what was typed. Watched only while somebody
// waits for an answer to a click.

import { listen } from '../browser/listen.ts'

export interface Activity {
  /** A request began (1) or ended (-1). */
  count(change: 1 | -1): void
  /** How many requests are under way. */
  pending(): number
  /** Who is told of everything that the page does, instead of who was before. Returns how to stop. */
  watch(onActivity: () => void): () => void
}

const signs = 'input change scroll focusin selectionchange toggle visibilitychange'
const everything = { subtree: true, childList: true, attributes: true, characterData: true }

export function createActivity(): Activity {
  let tell: (() => void) | undefined
  let requests = 0

  return {
    count(change) {
      requests += change
      tell?.()
    },
    pending: () => requests,
    watch(onActivity) {
      tell = onActivity
      const observer = new MutationObserver(onActivity)
      observer.observe(document, everything)
      const stop = listen(document, signs, onActivity)
      return () => {
        tell = undefined
        observer.disconnect()
        stop()
      }
    },
  }
}
