// One attempt to send a batch to the server: a simple request, without a CORS preflight. It outlives its page as long
// as all keepalive requests together are small enough.

import type { Batch } from './batch.ts'

export interface Server {
  /** Without a trailing slash. */
  url: string
  key: string
  /** The browser's own. */
  fetch: typeof fetch
  /** URLs fetched separately for replays and profiles, not requests of the application. */
  fetched: Set<string>
}

export interface Outcome {
  /** 0: no response. */
  status: number
  /** Retry-After, milliseconds. */
  retryAfter: number
}

/** Undefined when there is no room left for a page that is being left. */
export type Send = (batch: Batch, isExit: boolean) => Promise<Outcome | undefined>

/**
 * Browsers limit all keepalive requests of a page together to 64 KiB. Compressed events usually leave most of it free.
 */
const exitBytes = 60 * 1024
const timeLimit = 30_000
/** Cap on Retry-After. */
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
