// Delays that do not fall together in many processes.

/** Between half of the delay and all of it. */
export function spread(delay: number): number {
  return delay * (0.5 + Math.random() / 2)
}

const first = 1_000
const doublings = 20

/** Doubles with every failure, up to the longest. */
export function backoff(failures: number, longest: number): number {
  return spread(Math.min(longest, first * 2 ** Math.min(failures, doublings)))
}

/** Resolves after the delay, or at once when nobody wants it any more. Keeps no process alive. */
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
