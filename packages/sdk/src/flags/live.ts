// Live updates with one stream for all tabs of a browser, loaded after the first values are there. The tab that leads tells
// the others what it hears; tabs whose contexts are alike share their answers. Where the browser, or a page without TLS,
// lacks what that needs, the client goes on polling.

import { openEventStream } from '../browser/event-stream.ts'
import { watchPage } from '../browser/page-visibility.ts'
import { spread } from '../browser/random.ts'
import { pollInterval } from './refresher.ts'
import { createRoom, type SharedAnswer } from './room.ts'

/** A change reaches the tab that leads within this time; the others wait for its answer first. */
const reaction = 500
/** A hidden page may be shown again soon. */
const hiddenPatience = 60_000

export interface LiveOptions {
  url: string
  key: string
  /** Whether the last request failed. */
  isFailing(): boolean
  /** Asks within this many milliseconds. */
  plan(delay: number): void
  /** Need not ask soon any more. */
  rest(): void
  /** False when it is no answer to what this tab would ask. */
  accept(answer: SharedAnswer): boolean
}

export interface Live {
  isOpen(): boolean
  /** Nobody sees the page, and what it has is not wrong; it is asked again as soon as somebody does. */
  isIdle(): boolean
  /** Before a request. Returns whether values that are newer than its answer may have come since. */
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
    lead: (tell) =>
      openEventStream(`${url}/sdk/v1/stream?key=${encodeURIComponent(key)}`, {
        onOpen: () => tell([true]),
        onMessage: (text) => tell([true, readVersion(text)]),
        onLost: () => tell([false]),
      }),
    onNews([open, named], isOwn) {
      isOpen = open
      if (!open) {
        announced = undefined
        // Not anew with every loss, or a stream that comes and goes would put it off for ever.
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

/** The server's tags begin with the version of the flags. */
function versionOf(tag: string | null): string | undefined {
  return tag?.match(/"([^".]+)/)?.[1]
}

function readVersion(text: string): unknown {
  try {
    return JSON.parse(text).version
  } catch {
    // Not ours: whatever it means, nothing is known to have changed.
    return undefined
  }
}
