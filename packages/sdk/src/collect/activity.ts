// Detects page activity: DOM changes, requests, navigation, and typed input. Watched only while a click awaits its
// response, and DOM changes only until the first one, because some pages change continuously.

import { listen } from '../browser/listen.ts'

export interface Activity {
  /** A request started (1) or ended (-1). */
  count(change: 1 | -1): void
  /** Number of pending requests. */
  pending(): number
  /** Sets the listener for page activity, replacing the previous one. */
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
  let report: (() => void) | undefined
  let requests = 0

  return {
    count(change) {
      requests += change
      report?.()
    },
    pending: () => requests,
    watch(onActivity) {
      report = onActivity
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
          report = undefined
          observer.disconnect()
          stop()
        },
      }
    },
  }
}
