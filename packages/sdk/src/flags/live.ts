// Live updates with one stream for all tabs of a browser, loaded after the first values are available. The leading tab
// broadcasts what it receives; tabs with equal contexts share responses. Where the browser, or a page without TLS,
// lacks the required APIs, the client keeps polling.

import { openEventStream } from '../browser/event-stream.ts'
import { watchPage } from '../browser/page-visibility.ts'
import { spread } from '../browser/random.ts'
import { pollInterval } from './refresher.ts'
import { createRoom, type SharedAnswer } from './room.ts'

/** A change reaches the leading tab within this time; the others wait for its response first. */
const reaction = 500
/** A hidden page may be shown again soon. */
const hiddenPatience = 60_000

export interface LiveOptions {
  url: string
  key: string
  /** Whether the last request failed. */
  isFailing(): boolean
  /** Requests within this many milliseconds. */
  plan(delay: number): void
  /** Postpones the next request to the regular poll. */
  rest(): void
  /** False when it does not answer this tab's request. */
  accept(answer: SharedAnswer): boolean
}

export interface Live {
  isOpen(): boolean
  /** The page is hidden and its values are valid; it refreshes when shown. */
  isIdle(): boolean
  /** Called before a request. Returns whether newer values than its response may have arrived since. */
  begin(): (answer: SharedAnswer) => boolean
  share(answer: SharedAnswer): void
  stop(): void
}

export type LoadLive = () => Promise<{ startLive: typeof startLive }>

export function startLive({ url, key, isFailing, plan, rest, accept }: LiveOptions): Live {
  let isOpen = false
  let isDue = false
  /** What the stream last named, and what the values are of. */
  let announced: unknown
  let known: unknown
  let changes = 0

  const room = createRoom(`telltale:1:${key}@${url}`, {
    lead: (notify) =>
      openEventStream(`${url}/sdk/v1/stream?key=${encodeURIComponent(key)}`, {
        onOpen: () => notify([true]),
        onMessage: (text) => notify([true, readVersion(text)]),
        onLost: () => notify([false]),
      }),
    onNews([open, named], isOwn) {
      isOpen = open
      if (!open) {
        announced = undefined
        // Not restarted with every loss, or an unstable stream would postpone it indefinitely.
        plan(spread(pollInterval))
      } else if (named && named !== announced) {
        announced = named
        changes++
        if (named !== known || isFailing()) plan(reaction * (Math.random() + (isOwn ? 0 : 1)))
      }
    },
    onAnswer(shared) {
      const [, tag, answer] = shared
      const version = versionOf(tag)
      if (!answer || (announced && announced !== version) || !accept(shared)) return
      known = version
      changes++
      rest()
    },
    onLeft() {
      isOpen = false
      announced = undefined
    },
  })
  const again = () => {
    if (!document.hidden && (isDue || isFailing())) plan(0)
    isDue = false
  }
  const onShown = () => {
    room.enter()
    plan(0)
  }
  const unwatch = watchPage({ onShown, onHidden: room.leave }, hiddenPatience)
  addEventListener('online', again)
  document.addEventListener('visibilitychange', again)
  room.enter()

  return {
    isOpen: () => isOpen,
    isIdle: () => {
      isDue = document.hidden
      return isDue
    },
    begin() {
      const before = changes
      return ([, tag]) => before !== changes && ![announced, known].includes(versionOf(tag))
    },
    share(answer) {
      known = versionOf(answer[1])
      room.share(answer)
    },
    stop() {
      removeEventListener('online', again)
      document.removeEventListener('visibilitychange', again)
      unwatch()
      room.leave()
    },
  }
}

/** The server's ETags begin with the version of the flags. */
function versionOf(tag: string | null): string | undefined {
  return tag?.match(/"([^".]+)/)?.[1]
}

function readVersion(text: string): unknown {
  try {
    return JSON.parse(text).version
  } catch {
    // Not a Telltale event: it indicates no change.
    return undefined
  }
}
