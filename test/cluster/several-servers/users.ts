// Users of a site that ask for flags and send telemetry again and again. As browsers do, they send a batch that was not
// accepted once more, with its id.

import { setTimeout as pause } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { context, send, toLines, views } from '../../intake/visitor.ts'

export interface Users {
  /** What a request for flags got instead of an answer. */
  readonly failures: string[]
  readonly answers: number
  /** Accepted batches. */
  readonly batches: number
  /** Resolves when so many more requests for flags were answered. */
  seen(more: number): Promise<void>
  leave(): Promise<void>
}

export const eventsEach = 5
const retryAfter = 200
/** Milliseconds between two visits: enough of them for each moment of a restart, without keeping a processor busy. */
const thinks = 50

export function inviteUsers(url: string, key: string, count: number): Users {
  const failures: string[] = []
  let answers = 0
  let batches = 0
  let isOver = false

  async function askForFlags(user: string): Promise<void> {
    try {
      const answer = await fetch(`${url}/ofrep/v1/evaluate/flags/checkout`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ context: { targetingKey: user } }),
      })
      const body = await answer.text()
      if (answer.status === 200 && JSON.parse(body).value === true) answers += 1
      else failures.push(`${answer.status} ${body}`)
    } catch (error) {
      failures.push(String(error))
    }
  }

  async function report(): Promise<void> {
    const batch = newId()
    const body = toLines([context(), ...views(eventsEach)])
    for (;;) {
      const answer = await send(url, body, { key, batch }).catch(() => undefined)
      if (answer?.status === 202) break
      await pause(retryAfter)
    }
    batches += 1
  }

  const all = Array.from({ length: count }, async (_, number) => {
    while (!isOver) {
      await askForFlags(`user-${number}`)
      await report()
      await pause(thinks)
    }
  })
  return {
    failures,
    get batches() {
      return batches
    },
    get answers() {
      return answers
    },
    async seen(more) {
      const wanted = answers + more
      while (answers < wanted && failures.length === 0) await pause(10)
    },
    async leave() {
      isOver = true
      await Promise.all(all)
    },
  }
}
