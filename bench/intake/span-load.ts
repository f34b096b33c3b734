// Sends spans for some time: at a constant rate, or as fast as the server answers.

import { setTimeout as pause } from 'node:timers/promises'
import type { Measured } from '../delivery/measured.ts'

export interface SpanLoad {
  perSecond: number
  sent: number
  /** Seconds by which the latest request came after its time. */
  late: number
  /** Bytes, of the server, at most. */
  memory: number
}

interface LoadPlan {
  seconds: number
  /** Spans a second; 0: as fast as it answers. */
  rate: number
  connections: number
  spansPerRequest: number
  send(): Promise<void>
}

const lookInterval = 1_000

export async function sendLoad(server: Measured, plan: LoadPlan): Promise<SpanLoad> {
  const { seconds, rate, connections, spansPerRequest, send } = plan
  const begun = performance.now()
  const end = begun + seconds * 1_000
  const interval = rate === 0 ? 0 : (spansPerRequest / rate) * 1_000
  let turn = 0
  let sent = 0
  let late = 0
  let memory = 0
  const work = async () => {
    for (;;) {
      const due = begun + turn * interval
      if (Math.max(due, performance.now()) >= end && (interval === 0 || due >= end)) return
      turn += 1
      const wait = due - performance.now()
      if (wait > 0) await pause(wait)
      else if (interval > 0) late = Math.max(late, -wait / 1_000)
      await send()
      sent += spansPerRequest
    }
  }
  let isOver = false
  const looking = async () => {
    while (!isOver) {
      memory = Math.max(memory, (await server.measure()).memory)
      await pause(lookInterval)
    }
  }
  const looks = looking()
  await Promise.all(Array.from({ length: connections }, work))
  const perSecond = sent / ((performance.now() - begun) / 1_000)
  isOver = true
  await looks
  return { perSecond, sent, late, memory }
}
