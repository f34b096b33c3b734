// Runs work again whenever it is asked for: never twice at once, requests in between count as one, and a failure is
// tried again, ever more slowly, until it succeeds.

import { setTimeout } from 'node:timers/promises'
import { reasonOf } from '../engines/postgres/open.ts'
import { restartPause } from '../engines/restart-pause.ts'
import type { Services } from '../services.ts'

export interface Refresher {
  request(): void
  stop(): void
}

/** A burst of changes is followed in steps of this many milliseconds. */
const gathering = 50

export function createRefresher(
  { background, log }: Pick<Services, 'background' | 'log'>,
  what: string,
  work: () => Promise<void>,
): Refresher {
  const stopping = new AbortController()
  let isWanted = false
  let isRunning = false

  const run = async () => {
    let failures = 0
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false
      try {
        await work()
        failures = 0
        await setTimeout(gathering, undefined, { signal: stopping.signal }).catch(() => undefined)
      } catch (error) {
        isWanted = true
        if (failures === 0) log.warn({ reason: reasonOf(error) }, `${what} failed: serving what is known`)
        const pause = restartPause(failures, Math.random())
        failures += 1
        await setTimeout(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
    isRunning = false
  }

  return {
    request() {
      isWanted = true
      if (isRunning || stopping.signal.aborted) return
      isRunning = true
      background(run(), what)
    },
    stop: () => stopping.abort(),
  }
}
