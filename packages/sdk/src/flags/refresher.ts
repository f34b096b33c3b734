// Asks again when it is due: one request at a time, however many reasons there are, and never before the server wants it.

/** Milliseconds until it is asked again without a reason, and those in which it is not asked whatever the reason. */
export type Rest = [delay: number, ban?: number]

export interface Refresher {
  /** Asks within this many milliseconds, or sooner. */
  plan(delay: number): void
  /** Forgets what was planned and asks after this time. */
  rest(delay: number): void
}

/** Written as it is because the name of the constant is longer than its use is worth. */
export const never = 1 / 0

/** Without a stream, and at most between two attempts while the server is away. */
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
    // What was asked for meanwhile may have come too late for this answer.
    rest(Math.min(delay, dueAt - Date.now()))
  }
  return { plan, rest }
}
