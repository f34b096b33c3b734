// One attempt to hand a batch to the server: a simple request, which no browser asks permission for. It outlives its page
// as long as all of them together are small enough.

import type { Batch } from './batch.ts'

export interface Server {
  /** Without a slash at the end. */
  url: string
  key: string
  /** The browser's own. */
  fetch: typeof fetch
  /** What was fetched elsewhere for replays and profiles, and is no request of the application. */
  fetched: Set<string>
}

export interface Outcome {
  /** 0: no answer. */
  status: number
  /** What the server asks to wait, milliseconds. */
  retryAfter: number
}

/** Nothing where there is no room left for a page that is being left. */
export type Send = (batch: Batch, isExit: boolean) => Promise<Outcome | undefined>

/** Browsers share 64 KiB among all requests of a page that outlive it. Usually events are compressed and leave most of it. */
const exitBytes = 60 * 1024
const timeLimit = 30_000
/** What a server may ask for. */
const longestBan = 3_600_000

export function createSend({ url, key, fetch }: Server): Send {
  let outliving = 0

  return async (batch, isExit) => {
    const body = new Blob(batch.body(), { type: 'text/plain' })
    const query = new URLSearchParams({ key, batch: batch.id, sent: `${Date.now()}` })
    const address = `${url}/intake/v1/events?${query}`
    const keepalive = outliving + body.size <= exitBytes
    if (isExit && !keepalive) return undefined
    const size = keepalive ? body.size : 0
    const canceller = new AbortController()
    const timer = setTimeout(() => canceller.abort(), timeLimit)
    outliving += size
    try {
      // Where there is none, nobody hears the answer of what is used instead.
      if (!fetch) return { status: navigator.sendBeacon(address, body) ? 202 : 0, retryAfter: 0 }
      const { signal } = canceller
      const answer = await fetch(address, { method: 'POST', body, keepalive, credentials: 'omit', signal })
      return {
        status: answer.status,
        retryAfter: Math.min(1_000 * Number(answer.headers.get('retry-after')) || 0, longestBan),
      }
    } catch {
      return { status: 0, retryAfter: 0 }
    } finally {
      outliving -= size
      clearTimeout(timer)
    }
  }
}
