// Sends what is queued: in batches, some seconds after the first event. A batch keeps its id when it is sent again, so
// that the server stores it once. Retries are limited; what the server refuses is not sent again.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { backoff, pause, spread } from '../backoff.ts'
import { Busy, faultOf, type Server } from '../fetch-rule-set.ts'
import { newId } from './new-id.ts'
import type { Queue, QueuedEvent } from './queue.ts'

export interface DeliveryTiming {
  /** Milliseconds between the first event and its batch. */
  collect: number
  attempts: number
  longestBackoff: number
}

export const usualDelivery: DeliveryTiming = { collect: 5_000, attempts: 10, longestBackoff: 60_000 }

export interface Delivery {
  /** Something was queued. */
  wake(): void
  /** Sends everything now; resolves when it was sent, dropped, or the time is over. */
  flush(timeLimit: number): Promise<void>
  /** Sends what is left within the time, and then nothing more. */
  close(timeLimit: number): Promise<void>
  sent(): number
}

interface DeliveryOptions {
  server: Server
  queue: Queue
  timing: DeliveryTiming
  onFault(error: unknown): void
}

const patience = 15_000
/** Smaller bodies are not worth compressing. */
const compressedFrom = 1_024
const zip = promisify(gzip)

export function createDelivery({ server, queue, timing, onFault }: DeliveryOptions): Delivery {
  const stopping = new AbortController()
  const { signal } = stopping
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let hurry = new AbortController()
  let sent = 0

  const sendBatch = async (batch: readonly QueuedEvent[]) => {
    const id = newId(Date.now())
    const body = await writeBody(batch)
    for (let failures = 0; ; failures += 1) {
      try {
        await post(server, { id, body, signal })
        sent += batch.length
        return onFault(undefined)
      } catch (error) {
        if (signal.aborted) return queue.drop('unavailable', batch.length)
        onFault(error)
        if (!mayRepeat(error)) return queue.drop('refused', batch.length)
        if (failures + 1 >= timing.attempts) return queue.drop('unavailable', batch.length)
        const least = error instanceof Unanswered ? error.retryAfter : 0
        const wait = Math.max(least, backoff(failures, timing.longestBackoff))
        // Who waits for `flush` gets one attempt more, at once.
        await pause(wait, AbortSignal.any([signal, hurry.signal]))
        hurry = new AbortController()
      }
    }
  }
  const drain = async () => {
    for (let batch = queue.take(); batch.length > 0; batch = queue.take()) {
      if (signal.aborted) queue.drop('unavailable', batch.length)
      else await sendBatch(batch)
    }
  }
  const start = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    running ??= drain()
      .catch(onFault)
      .finally(() => {
        running = undefined
        if (queue.count() > 0) wake()
      })
    return running
  }
  const wake = () => {
    if (timer !== undefined || running !== undefined || signal.aborted) return
    timer = setTimeout(start, spread(timing.collect))
    timer.unref()
  }
  const flush = async (timeLimit: number) => {
    if (queue.count() === 0 && running === undefined) return
    hurry.abort()
    await within(timeLimit, start())
  }

  return {
    wake,
    flush,
    async close(timeLimit) {
      await flush(timeLimit)
      clearTimeout(timer)
      stopping.abort()
      await running
      queue.drop('unavailable', queue.count())
    },
    sent: () => sent,
  }
}

async function post(
  { url, key }: Server,
  { id, body, signal }: { id: string; body: Body; signal: AbortSignal },
): Promise<void> {
  const response = await fetch(`${url}/intake/v1/events?batch=${id}&sent=${Date.now()}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'text/plain',
      ...(body.encoding === undefined ? {} : { 'content-encoding': body.encoding }),
    },
    body: body.bytes,
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Unanswered(response)
}

/** A response other than "accepted". */
class Unanswered extends Error {
  readonly status: number
  readonly retryAfter: number

  constructor(response: Response) {
    const fault = faultOf(response)
    super(fault.message)
    this.status = response.status
    this.retryAfter = fault instanceof Busy ? fault.retryAfter : 0
  }
}

/** The same batch would be refused again, except when the server is busy or has failed. */
function mayRepeat(error: unknown): boolean {
  return !(error instanceof Unanswered) || error.status === 429 || error.status >= 500
}

interface Body {
  bytes: string | Uint8Array<ArrayBuffer>
  encoding: string | undefined
}

async function writeBody(batch: readonly QueuedEvent[]): Promise<Body> {
  const text = writeLines(batch)
  if (text.length < compressedFrom) return { bytes: text, encoding: undefined }
  return { bytes: new Uint8Array(await zip(text)), encoding: 'gzip' }
}

/** Each context once, before the events that refer to it. */
export function writeLines(batch: readonly QueuedEvent[]): string {
  const contexts = new Map<string, number>()
  const lines: string[] = []
  for (const { context, text } of batch) {
    let index = contexts.get(context)
    if (index === undefined) {
      index = contexts.size
      contexts.set(context, index)
      lines.push(`{"kind":"context","index":${index},${context.slice(1)}`)
    }
    lines.push(`{"context":${index},${text.slice(1)}`)
  }
  return `${lines.join('\n')}\n`
}

/** Keeps the process alive for at most this long. */
async function within(timeLimit: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeLimit)
  })
  await Promise.race([work, over])
  clearTimeout(timer)
}
