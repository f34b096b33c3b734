// Keeps the values of one context current: fetches once, polls, and follows the browser's stream as soon as that part
// is loaded. Every delay has jitter, so that a recovering server is not hit by all browsers at once.

import { postJson } from '../browser/post-json.ts'
import { backoff, spread } from '../browser/random.ts'
import type { BulkAnswer } from './answer.ts'
import type { Live, LoadLive } from './live.ts'
import { createRefresher, never, pollInterval, type Rest } from './refresher.ts'
import type { SharedAnswer } from './room.ts'

/** With a stream, in case it fails silently; and after a refusal, which requires manual action. */
const slowInterval = 300_000
/** Cap on Retry-After. */
const longestBan = 3_600_000

export interface ConnectionOptions {
  url: string
  key: string
  /** Undefined: only polling. */
  loadLive: LoadLive | false
}

/** The subject of the values. */
export interface Subject {
  /** The request body for the current context. */
  bodyOf(): string
  tag(): string | null
  /** False when the response is invalid. Without one, the last one remains valid. */
  take(answer: BulkAnswer, tag: string | null): boolean
  fail(isRefused: boolean): void
}

export interface Connection {
  refresh(): void
  close(): void
}

export function connect(
  { url, key, loadLive }: ConnectionOptions,
  { bodyOf, tag: tagOf, take, fail }: Subject,
): Connection {
  let live: Live | undefined
  let isClosed = false
  let failures = 0

  const pause = () => spread(live?.isOpen() ? slowInterval : pollInterval)
  /** Explains the first refusal: the response says what to do. */
  // biome-ignore lint/suspicious/noConsole: the developer of the page is told
  let warn = (problem?: unknown) => console.warn('Telltale:', problem)
  const accept = ([requested, tag, answer]: SharedAnswer) => {
    if (requested !== bodyOf() || !take(answer, tag)) return false
    failures = 0
    return true
  }
  const follow = async (load: LoadLive, answer: SharedAnswer) => {
    const { startLive } = await load()
    if (isClosed || live) return
    const rest = () => refresher.rest(pause())
    live = startLive({ url, key, plan: refresher.plan, rest, accept, isFailing: () => failures > 0 })
    live.share(answer)
  }
  const unfollow = () => {
    live?.stop()
    live = undefined
  }

  const ask = async (): Promise<Rest> => {
    const [requested, tag] = [bodyOf(), tagOf()]
    if (tag && live?.isIdle()) return [pause()]
    const isOvertaken = live?.begin()
    const [response, body] = await postJson<BulkAnswer>(`${url}/ofrep/v1/evaluate/flags`, {
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        ...(tag && { 'if-none-match': tag }),
      },
      body: requested,
    })
    if (isClosed) return [never]
    const status = `${response?.status}`
    // 408 and 429 are temporary.
    const isRefused = /^4(?!08|29)/.test(status)
    const isAnswer = /200|304/.test(status)
    if ((isAnswer || isRefused) && requested !== bodyOf()) return [0]
    if (isAnswer) {
      const answer: SharedAnswer = [requested, response?.headers.get('etag') ?? null, body]
      if (isOvertaken?.(answer)) return [spread(1_000)]
      if (accept(answer)) {
        if (live) live.share(answer)
        // Falls back to polling; the next response retries.
        else if (loadLive) follow(loadLive, answer).catch(() => {})
        return [pause()]
      }
    }
    fail(isRefused)
    if (isRefused) {
      unfollow()
      response?.text().then(warn, warn)
      warn = () => {}
      // Not banned: the next context may be accepted, such as one with a new signature.
      return [spread(slowInterval)]
    }
    return [
      backoff(failures++, pollInterval),
      Math.min(Number(response?.headers.get('retry-after')) * 1_000 || 0, longestBan),
    ]
  }

  const refresher = createRefresher(ask)
  const refresh = () => refresher.plan(0)
  refresh()

  return {
    refresh,
    close() {
      isClosed = true
      unfollow()
      refresher.rest(never)
    },
  }
}
