/** Waits no longer than the signal allows. What cannot be broken off, such as a look-up of a name, is left alone. */
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
