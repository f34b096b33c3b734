// Refreshes when due: one request at a time, however many triggers there are, and never before the server allows it.

/** Milliseconds until a refresh without a trigger, and the minimum delay regardless of triggers. */
export type Rest = [delay: number, ban?: number]

export interface Refresher {
  /** Refreshes within this many milliseconds, or sooner. */
  plan(delay: number): void
  /** Cancels pending refreshes and refreshes after this time. */
  rest(delay: number): void
}

/** `1 / 0` is shorter than `Infinity` in the minified bundle. */
export const never = 1 / 0

/** Without a stream, and the maximum between two attempts while the server is unavailable. */
export const pollInterval = 60_000

export function createRefresher(ask: () => Promise<Rest>): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = never
  let notBefore = 0
  let isAsking = false

  const plan = (delay: number) => {
    const at = Math.max(Date.now() + delay, notBefore)
    if (at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    if (!isAsking) timer = setTimeout(run, at - Date.now())
  }
  const rest = (delay: number) => {
    clearTimeout(timer)
    dueAt = never
    plan(delay)
  }
  const run = async () => {
    dueAt = never
    isAsking = true
    const [delay, ban = 0] = await ask()
    isAsking = false
    notBefore = Date.now() + ban
    // A trigger during the request may be too late for its response.
    rest(Math.min(delay, dueAt - Date.now()))
  }
  return { plan, rest }
}
