// One attempt to send data to the intake: a simple request that always times out and never throws.

import type { Server } from './send.ts'

export interface PostAnswer {
  /** 0: no response. */
  status: number
  /** Retry-After, milliseconds. */
  retryAfter: number
  text: string
}

export interface Posted {
  query: Record<string, string>
  body: Blob
  /** Outlives its page. */
  keepalive?: boolean
}

const timeLimit = 30_000

export async function post(
  { url, key, fetch }: Server,
  path: 'replay' | 'profile' | 'asset',
  { query, body, keepalive = false }: Posted,
): Promise<PostAnswer> {
  const requested = new URLSearchParams({ key, sent: `${Date.now()}`, ...query })
  const canceller = new AbortController()
  const timer = setTimeout(() => canceller.abort(), timeLimit)
  try {
    const options = { method: 'POST', body, keepalive, credentials: 'omit' } as const
    const answer = await fetch(`${url}/intake/v1/${path}?${requested}`, {
      ...options,
      signal: canceller.signal,
    })
    const retryAfter = 1_000 * Number(answer.headers.get('retry-after')) || 0
    return { status: answer.status, retryAfter, text: await answer.text() }
  } catch {
    return { status: 0, retryAfter: 0, text: '' }
  } finally {
    clearTimeout(timer)
  }
}
