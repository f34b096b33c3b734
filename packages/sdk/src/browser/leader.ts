// Elects one of the tabs that request the same name as leader; when it ends, for whatever reason, another one takes
// over.

/** `lead` returns a function to stop. Returns a function to resign or stop waiting. */
export function leadAlone(name: string, lead: () => () => void): () => void {
  const waiting = new AbortController()
  let release: (() => void) | undefined

  navigator.locks
    .request(
      name,
      { signal: waiting.signal },
      () =>
        new Promise<void>((resolve) => {
          const stop = lead()
          release = () => {
            stop()
            resolve()
          }
        }),
    )
    // Aborted while waiting, or the page may not use locks: it remains a follower.
    .catch(() => undefined)

  return () => {
    waiting.abort()
    release?.()
  }
}
