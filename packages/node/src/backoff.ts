// Delays with jitter, so that many processes do not retry at the same moment.

/** A random delay between half of it and all of it. */
export function spread(delay: number): number {
  return delay * (0.5 + Math.random() / 2)
}

const first = 1_000
const doublings = 20

/** Doubles with every failure, up to the maximum. */
export function backoff(failures: number, longest: number): number {
  return spread(Math.min(longest, first * 2 ** Math.min(failures, doublings)))
}

/** Resolves after the delay, or immediately when aborted. Does not keep the process alive. */
export function pause(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, delay)
    timer.unref()
    signal.addEventListener('abort', done)
  })
}
