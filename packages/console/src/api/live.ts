import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/live'
import { addressOf } from './client.ts'
import { noteAnswer } from './connection.ts'
import { readEventStream } from './event-stream.ts'
import { isProblem, noAnswer, type Problem } from './problem.ts'
import { noteSignedOut } from './session.ts'

export type { LiveEvent, LiveMessage } from '@telltale/core/contract/live'

interface TailListener {
  onOpen(): void
  onMessage(message: contract.LiveMessage): void
  /** The connection is lost and reopens automatically. */
  onLost(): void
  /** The server refuses: retrying does not help until the request or the permissions change. */
  onRefused(problem: Problem): void
}

const firstRetryAfter = 1_000
const retryAtMostAfter = 15_000

interface Place {
  project: string
  env: string
  filter: string
}

/** Follows the live tail of an environment until the returned function is called. */
export function followTail({ project, env, filter }: Place, listener: TailListener): () => void {
  const closing = new AbortController()
  const query = { filter: filter === '' ? undefined : filter }
  const address = addressOf(calls.live.tailEvents.path, { params: { project, env }, query })
  void keepFollowing(address, listener, closing.signal)
  return () => closing.abort()
}

async function keepFollowing(address: string, listener: TailListener, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await readEventStream<contract.LiveMessage>(address, signal, {
        ...listener,
        onOpen: () => {
          failures = -1
          listener.onOpen()
        },
      })
      // The server closes every stream after a while and expects the client to reconnect.
    } catch (error) {
      if (signal.aborted) return
      const problem = isProblem(error) ? error : noAnswer()
      if (problem.is('unauthenticated')) noteSignedOut()
      if (isFinal(problem)) return listener.onRefused(problem)
      if (problem.status === 0) noteAnswer(false)
      listener.onLost()
    }
    const pause = Math.min(firstRetryAfter * 2 ** Math.max(0, failures), retryAtMostAfter)
    await wait(pause * (0.5 + Math.random()), signal)
  }
}

/** The request is refused, as opposed to a failure of the server. */
function isFinal(problem: Problem): boolean {
  return (problem.status >= 400 && problem.status < 500) || problem.is('too-many-streams')
}

function wait(span: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, span)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
