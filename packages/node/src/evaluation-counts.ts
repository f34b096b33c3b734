// How often each outcome of a flag was served. The server compares it with what is heard of users, so that a guarded
// rollout notices when telemetry is missing: it goes another way than telemetry, and names no users.

import { randomUUID } from 'node:crypto'
import type { Evaluation } from '@telltale/core/contract/trace'
import { limits } from '@telltale/core/limits'
import { faultOf, Refused, type Server } from './fetch-rule-set.ts'

export interface EvaluationCounter {
  record(flag: string, evaluation: Evaluation): void
  /** Sends what was counted so far. Never rejects. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface CounterOptions {
  server: Server
  /** Milliseconds from an evaluation to its count. */
  every: number
  onFault(error: unknown): void
}

interface Counted {
  flag: string
  count: number
}

interface Report {
  id: string
  counted: readonly [Evaluation, Counted][]
}

/** Within the five minutes that the guard looks back. */
export const usualCounting = 30_000
const patience = 10_000
/** What is counted while the server is unavailable; outcomes beyond it are left out. */
const most = 10_000

export function createEvaluationCounter({ server, every, onFault }: CounterOptions): EvaluationCounter {
  /** An outcome is one object as long as its flag is unchanged. */
  let counted = new Map<Evaluation, Counted>()
  /** Sent, without an answer: sent again unchanged, because the server may have it. */
  let unsent: Report | undefined
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()
  let isClosed = false

  const add = (evaluation: Evaluation, { flag, count }: Counted) => {
    const known = counted.get(evaluation)
    if (known !== undefined) known.count += count
    else if (counted.size < most) counted.set(evaluation, { flag, count })
  }
  const wake = () => {
    if (timer !== undefined || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      flush().catch(onFault)
    }, every)
    timer.unref()
  }
  const deliver = async (report: Report) => {
    try {
      await post(server, report)
      unsent = undefined
      return true
    } catch (error) {
      onFault(error)
      // A server that refuses the key, or does not know the call, refuses it again.
      unsent = error instanceof Refused ? undefined : report
      if (unsent !== undefined) wake()
      return false
    }
  }
  const send = async () => {
    if (unsent !== undefined && !(await deliver(unsent))) return
    const taken = [...counted]
    counted = new Map()
    for (let first = 0; first < taken.length; first += limits.evaluationOutcomes) {
      const next = first + limits.evaluationOutcomes
      if (await deliver({ id: randomUUID(), counted: taken.slice(first, next) })) continue
      if (unsent !== undefined) for (const [evaluation, one] of taken.slice(next)) add(evaluation, one)
      return
    }
  }
  const flush = () => {
    sending = sending.then(send)
    return sending
  }

  return {
    record(flag, evaluation) {
      const known = counted.get(evaluation)
      if (known !== undefined) known.count += 1
      else if (evaluation.variation !== undefined) {
        add(evaluation, { flag, count: 1 })
        wake()
      }
    },
    flush,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await flush()
    },
  }
}

async function post({ url, key }: Server, { id, counted }: Report): Promise<void> {
  const evaluations = counted.map(([{ variation, reason, split }, { flag, count }]) => ({
    ...{ flag, variation, reason, count },
    ...(split !== undefined && { split: split.id, epoch: split.epoch }),
  }))
  const response = await fetch(`${url}/sdk/v1/evaluations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, evaluations }),
    signal: AbortSignal.timeout(patience),
  })
  await response.body?.cancel()
  if (response.ok || response.status === 404) return
  throw faultOf(response)
}
