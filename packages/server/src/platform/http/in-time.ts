/**
 * Waits until the signal aborts at the latest. Work that cannot be aborted, such as a DNS lookup, is left
 * running.
 */
export async function inTime<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let giveUp: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error('too late'))
    signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
