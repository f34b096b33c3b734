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
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
    }
    if (tag) headers['if-none-match'] = tag
    const [response, body] = await postJson<BulkAnswer>(`${url}/ofrep/v1/evaluate/flags`, {
      headers,
      body: requested,
    })
    if (isClosed) return [never]
    const status = response?.status ?? 0
    const read = (name: string) => response?.headers.get(name) ?? null
    if (status === 200 || status === 304) {
      if (requested !== bodyOf()) return [0]
      const answer: SharedAnswer = [requested, read('etag'), body]
      if (isOvertaken?.(answer)) return [spread(1_000)]
      if (accept(answer)) {
        if (live) live.share(answer)
        // Falls back to polling; the next response retries.
        else if (loadLive) follow(loadLive, answer).catch(() => undefined)
        return [pause()]
      }
    }
    // 408 and 429 are temporary.
    const isRefused = /^4(?!08|29)/.test(`${status}`)
    if (isRefused) unfollow()
    fail(isRefused)
    const ban = isRefused
      ? spread(slowInterval)
      : Math.min(Number(read('retry-after')) * 1_000 || 0, longestBan)
    return [Math.max(ban, backoff(failures++, pollInterval)), ban]
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
