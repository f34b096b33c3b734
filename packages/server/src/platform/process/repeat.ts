// Repeats work for as long as the server runs: never concurrently, and a failure is reported once until the work
// succeeds again. Jitter in the pause keeps several servers apart.

import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './log.ts'

const jitter = 0.1
/** How long a shutdown waits, in milliseconds. */
const stopTimeout = 1_500

/** Returns a function that stops it. Stopping waits for running work, within the time limit of a shutdown. */
export function startRepeating(
  log: Log,
  { what, every }: { what: string; every: number },
  work: () => Promise<void>,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let hasFailed = false
  let isStopping = false

  const run = async () => {
    try {
      await work()
      hasFailed = false
    } catch (error) {
      if (!hasFailed && !isStopping) log.warn({ err: error }, `${what} failed: trying again`)
      hasFailed = true
    }
    if (!isStopping) schedule()
  }
  const schedule = () => {
    timer = setTimeout(
      () => {
        running = run()
      },
      every * (1 + jitter * Math.random()),
    )
    timer.unref()
  }
  schedule()

  return async () => {
    isStopping = true
    clearTimeout(timer)
    if (running !== undefined) await finish(log, what, running)
  }
}

/** Waits for a last piece of work, within the time limit of a shutdown. Reports a failure or timeout. */
export async function finish(log: Log, what: string, work: Promise<unknown>): Promise<void> {
  const giving = new AbortController()
  const timeout = pause(stopTimeout, 'given up', { signal: giving.signal })
  try {
    const ended = await Promise.race([work, timeout])
    if (ended === 'given up') log.error({}, `${what} was cancelled: it took too long`)
  } catch (error) {
    log.error({ err: error }, `${what} failed`)
  } finally {
    timeout.catch(() => undefined)
    giving.abort()
  }
}
