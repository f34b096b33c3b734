// Keeps the rule set current: a stream signals that something changed, a request fetches the changes. Without a stream
// it polls; without a server, it retries with backoff.

import { limits } from '@telltale/core/limits'
import { backoff, pause, spread } from './backoff.ts'
import { followStream } from './event-stream.ts'
import { Busy, type Fetched, fetchRuleSet, Refused, type Server } from './fetch-rule-set.ts'

export interface Follower {
  /** The version held; undefined before the first one. */
  version(): string | undefined
  /** False when it does not fit the version held: the whole rule set is fetched then. */
  take(fetched: Fetched): boolean | Promise<boolean>
  /** The server confirmed that the state is current. */
  settle(): void
  fail(fault: Error): void
}

/** Milliseconds. */
export interface Timing {
  /** How long a stream may be silent. */
  silence: number
  /** Poll interval without a stream. */
  poll: number
  /** Poll interval with a stream, in case it misses an event. */
  check: number
  /** How long to wait before a request, to collect further changes and to spread the load of many clients. */
  reaction: number
  longestBackoff: number
}

export const usualTiming: Timing = {
  silence: 3 * limits.streamHeartbeat,
  poll: 30_000,
  check: 10 * 60_000,
  reaction: 100,
  longestBackoff: 60_000,
}
/** A stream that ends sooner counts as a failure. */
const lasting = 30_000

/** Returns a function to stop. */
export function follow(server: Server, follower: Follower, timing: Timing = usualTiming): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  let isStreaming = false
  let isFailing = false
  let wake: () => void = () => undefined
  let isWanted = true

  const ask = () => {
    isWanted = true
    wake()
  }
  const sleep = async (delay: number) => {
    const waking = new AbortController()
    wake = () => waking.abort()
    if (!isWanted) await pause(delay, AbortSignal.any([signal, waking.signal]))
  }
  const fetchNow = async () => {
    isWanted = false
    const fetched = await fetchRuleSet(server, follower.version(), signal)
    if (!(await follower.take(fetched))) {
      await follower.take(await fetchRuleSet(server, undefined, signal))
    }
    follower.settle()
  }
  const askOn = async () => {
    let failures = 0
    while (!signal.aborted) {
      try {
        await fetchNow()
        isFailing = false
        failures = 0
        await sleep(spread(isStreaming ? timing.check : timing.poll))
        if (isWanted && isStreaming) await pause(spread(timing.reaction), signal)
      } catch (error) {
        if (signal.aborted) return
        follower.fail(toError(error))
        isFailing = true
        const wait = delayAfter(error, failures, timing)
        failures += 1
        // An open stream means that the server is back, unless it sent Retry-After.
        if (error instanceof Busy) await pause(wait, signal)
        else await sleep(wait)
      }
    }
  }
  const listenOn = async () => {
    let lastId: string | undefined
    let failures = 0
    while (!signal.aborted) {
      const begun = performance.now()
      let fault: unknown
      await followStream(server, {
        lastId,
        longestSilence: timing.silence,
        signal,
        onOpen() {
          isStreaming = true
          if (isFailing) ask()
        },
        onEvent({ id, data }) {
          lastId = id
          if (versionIn(data) !== follower.version()) ask()
        },
      }).catch((error: unknown) => {
        fault = error
      })
      if (isStreaming) ask()
      isStreaming = false
      if (performance.now() - begun > lasting) failures = 0
      await pause(delayAfter(fault, failures, timing), signal)
      failures += 1
    }
  }
  const failed = (error: unknown) => follower.fail(toError(error))
  askOn().catch(failed)
  listenOn().catch(failed)
  return () => stopping.abort()
}

function delayAfter(error: unknown, failures: number, { longestBackoff }: Timing): number {
  // A refused key is rarely accepted again.
  if (error instanceof Refused) return spread(longestBackoff)
  const least = error instanceof Busy ? error.retryAfter : 0
  return Math.max(least, backoff(failures, longestBackoff))
}

function versionIn(data: string): unknown {
  try {
    return JSON.parse(data)?.version
  } catch {
    // Not a Telltale event. A request is harmless.
    return undefined
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
