/** Whether the server is reachable, judged by the requests of this page. */
export interface Connection {
  readonly isLost: boolean
  readonly answeredAt: number
}

let connection: Connection = { isLost: false, answeredAt: Date.now() }
const listeners = new Set<() => void>()

export function getConnection(): Connection {
  return connection
}

export function listenToConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function noteAnswer(answered: boolean): void {
  const wasLost = connection.isLost
  connection = { isLost: !answered, answeredAt: answered ? Date.now() : connection.answeredAt }
  if (connection.isLost !== wasLost) for (const listener of listeners) listener()
  if (connection.isLost && !wasLost) void knockUntilAnswered(knockAfter)
}

const knockAfter = 1_000
const knockAtMost = 15_000
const knockTimeout = 5_000

/**
 * Polls the health endpoint until the server responds, with backoff and jitter so that browsers do not retry in
 * step.
 */
async function knockUntilAnswered(wait: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, wait * (0.75 + Math.random() / 2)))
  if (!connection.isLost) return

  const answered = await fetch('/health/live', { signal: AbortSignal.timeout(knockTimeout) }).then(
    (response) => response.ok,
    () => false,
  )
  if (answered) return noteAnswer(true)
  await knockUntilAnswered(Math.min(2 * wait, knockAtMost))
}
