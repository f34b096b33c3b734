// Reruns work on request: never concurrently, requests in between are merged into one, and a failure is retried with
// backoff until it succeeds.

import { setTimeout } from 'node:timers/promises'
import { reasonOf } from './engines/postgres/open.ts'
import { retryPause } from './process/retry-pause.ts'
import type { Services } from './services.ts'

export interface Refresher {
  request(): void
  /** Resolves when the work requested so far is done or has failed. Does not wait for bursts to end. */
  idle(): Promise<void>
  stop(): void
}

/** Milliseconds between runs during a burst of changes. */
const gathering = 50

export function createRefresher(
  { background, log }: Pick<Services, 'background' | 'log'>,
  what: string,
  work: () => Promise<void>,
): Refresher {
  const stopping = new AbortController()
  let isWanted = false
  let isRunning = false
  let isWorking = false
  let waiting: (() => void)[] = []
  let gather = new AbortController()

  const release = () => {
    const released = waiting
    waiting = []
    for (const resolve of released) resolve()
  }
  const pauseFor = async (time: number, hurried?: AbortSignal) => {
    const signal = hurried ? AbortSignal.any([stopping.signal, hurried]) : stopping.signal
    await setTimeout(time, undefined, { signal }).catch(() => undefined)
  }

  const run = async () => {
    let failures = 0
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false
      isWorking = true
      try {
        await work()
        isWorking = false
        failures = 0
        if (!isWanted) release()
        gather = new AbortController()
        if (waiting.length === 0) await pauseFor(gathering, gather.signal)
      } catch (error) {
        isWorking = false
        isWanted = true
        release()
        if (failures === 0)
          log.warn({ reason: reasonOf(error) }, `${what} failed: serving the last known flags`)
        const pause = retryPause(failures)
        failures += 1
        await pauseFor(pause)
      }
    }
    isRunning = false
    release()
  }

  return {
    request() {
      isWanted = true
      if (isRunning || stopping.signal.aborted) return
      isRunning = true
      background(run(), what)
    },
    idle: () =>
      new Promise((resolve) => {
        if ((!isWanted && !isWorking) || stopping.signal.aborted) return resolve()
        waiting.push(resolve)
        gather.abort()
      }),
    stop: () => stopping.abort(),
  }
}
