// Whether the page does something: changes, asks the server, moves, or takes what was typed. Watched only while somebody
// waits for an answer to a click, and of changes only until the first: a page that changes all the time has many.

import { listen } from '../browser/listen.ts'

export interface Activity {
  /** A request began (1) or ended (-1). */
  count(change: 1 | -1): void
  /** How many requests are under way. */
  pending(): number
  /** Who is told of what the page does, instead of who was before. */
  watch(onActivity: () => void): Watch
}

export interface Watch {
  /** For the next change. */
  again(): void
  stop(): void
}

const signs = 'input change scroll focusin selectionchange'
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
      const observer = new MutationObserver(() => {
        observer.disconnect()
        onActivity()
      })
      const again = () => observer.observe(document, everything)
      const stop = listen(document, signs, onActivity)
      again()
      return {
        again,
        stop() {
          tell = undefined
          observer.disconnect()
          stop()
        },
      }
    },
  }
}
