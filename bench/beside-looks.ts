// Measures how a look of the guard delays flag requests and the intake: the built server on the same engine and the
// same processors, with requests at a steady rate, alternating between running looks and none, so that other load on
// the machine affects both equally.

import { setTimeout as pause } from 'node:timers/promises'
import { clientKey, startFlagServer } from '../test/browser/flag-server.ts'
import { chrome } from '../test/browser/seed-events.ts'
import { context, event, send, toLines } from '../test/intake/visitor.ts'

const turns = 7
const answerEvery = 10
const batchEvery = 50

export interface BesideLooks {
  /** Duration of each look in milliseconds. */
  looks: number[]
  /** p99 in milliseconds. */
  answers: { alone: number; beside: number }
  batches: { alone: number; beside: number }
}

export async function measureBesideLooks(
  engineUrl: string,
  look: () => Promise<unknown>,
): Promise<BesideLooks> {
  process.env.CLICKHOUSE_URL = engineUrl
  await using server = await startFlagServer({ telemetry: true })
  await server.create('checkout', 'boolean', { off: false, on: true })
  const answer = async () => {
    const reply = await fetch(`${server.url}/ofrep/v1/evaluate/flags/checkout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clientKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey: 'somebody' } }),
    })
    await reply.arrayBuffer()
  }
  const batch = () => {
    const lines = [
      context({ url: 'https://shop.example/' }),
      event('view'),
      event('vital', { name: 'LCP', value: 900 }),
    ]
    return send(server.url, toLines(lines), { key: clientKey, headers: { 'user-agent': chrome } })
  }
  const times = {
    answers: { alone: [] as number[], beside: [] as number[] },
    batches: { alone: [] as number[], beside: [] as number[] },
  }
  const during = async (when: 'alone' | 'beside', work: () => Promise<unknown>) => {
    let isOver = false
    const steadily = async (every: number, into: number[], one: () => Promise<unknown>) => {
      while (!isOver) {
        const began = performance.now()
        await one()
        into.push(performance.now() - began)
        await pause(Math.max(0, every - (performance.now() - began)))
      }
    }
    const loads = [
      steadily(answerEvery, times.answers[when], answer),
      steadily(batchEvery, times.batches[when], batch),
    ]
    await work()
    isOver = true
    await Promise.all(loads)
  }
  const looks: number[] = []
  await during('alone', () => pause(2_000))
  times.answers.alone.length = times.batches.alone.length = 0
  for (let turn = 0; turn < turns; turn += 1) {
    await during('beside', async () => {
      const began = performance.now()
      await look()
      looks.push(performance.now() - began)
    })
    await during('alone', () => pause(Math.max(1_000, looks.at(-1) ?? 0)))
  }
  const slowest = (all: number[]) =>
    all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? Number.NaN
  return {
    looks,
    answers: { alone: slowest(times.answers.alone), beside: slowest(times.answers.beside) },
    batches: { alone: slowest(times.batches.alone), beside: slowest(times.batches.beside) },
  }
}
