// Asks the server whether a link of the console is valid.

import type { Server } from '../transport/send.ts'
import type { ForcedValue, Grant } from './kept.ts'

export type Checked = (Grant & { force?: ForcedValue & { flag: string } }) | { fault: string }

const timeLimit = 10_000

export async function checkToken({ url, key, fetch }: Server, token: string): Promise<Checked> {
  const canceller = new AbortController()
  const timer = setTimeout(() => canceller.abort(), timeLimit)
  try {
    const answer = await fetch(`${url}/sdk/v1/toolbar?key=${encodeURIComponent(key)}`, {
      method: 'POST',
      body: JSON.stringify({ token }),
      credentials: 'omit',
      signal: canceller.signal,
    })
    if (answer.ok) return await answer.json()
    return {
      fault:
        answer.status === 410
          ? 'The link is invalid, has expired, or is of another environment than this page. Open the toolbar with a new link from the console.'
          : `The link could not be checked: the server answered with ${answer.status}.`,
    }
  } catch {
    return { fault: 'The link could not be checked: the server did not answer.' }
  } finally {
    clearTimeout(timer)
  }
}
