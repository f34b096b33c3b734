const idleWithin = 2_000

/** After the first screen is rendered, which does not need it. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 0)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: idleWithin })
  return () => cancelIdleCallback(handle)
}
