// One of the tabs that ask for the same name leads; when it ends, however it ends, another one does.

/** `lead` returns how to stop. Returns how to step back, or to wait no longer. */
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
    // Stepped back while waiting, or the page may hold no locks: then it follows.
    .catch(() => undefined)

  return () => {
    waiting.abort()
    release?.()
  }
}
