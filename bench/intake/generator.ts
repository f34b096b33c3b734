// Sends batches from a separate process and reports the latency of each. At a fixed rate, latency is also measured
// from the scheduled time, without waiting for a slow server. At full speed, batches are prepared in advance, so that
// only sending is measured. A refused or failed batch is retried under the same id.

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { type Line, userAgents, visit } from './traffic.ts'

export type Orders = { rate: number; seconds: number } | { events: number }

export interface Sent {
  events: number
  /** Events without the states of views, of which only the last one per view counts. */
  listed: number
  refused: number
  seconds: number
  p50: number
  p99: number
  /** From the scheduled time: longer if the generator itself had to wait for a processor. */
  dueP50: number
  dueP99: number
}

const connections = 64
const [url = '', orders = '{}'] = process.argv.slice(2)
const wanted: Orders = JSON.parse(orders)
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const traffic = visit({ users: 20_000, clock: () => Date.now(), random: Math.random })
const times: number[] = []
const answerTimes: number[] = []
let refused = 0

const found = 'rate' in wanted ? await sendAtRate(wanted) : await sendAtOnce(wanted.events)
agent.destroy()
const at = (measured: number[], share: number) =>
  measured.sort((left, right) => left - right)[Math.floor(measured.length * share)] ?? Number.NaN
const sent: Sent = {
  ...found,
  refused,
  p50: at(answerTimes, 0.5),
  p99: at(answerTimes, 0.99),
  dueP50: at(times, 0.5),
  dueP99: at(times, 0.99),
}
process.send?.(sent)

async function sendAtRate({ rate, seconds }: { rate: number; seconds: number }) {
  const running = new Set<Promise<void>>()
  let events = 0
  let listed = 0
  const begun = performance.now()
  for (;;) {
    const due = (events / rate) * 1_000
    const now = performance.now() - begun
    if (due > seconds * 1_000) break
    if (due > now) {
      await pause(due - now)
      continue
    }
    const batch = traffic.next().value
    events += batch.length - 1
    listed += batch.filter(isListed).length
    const sending = deliver(pack(batch), begun + due).finally(() => running.delete(sending))
    running.add(sending)
  }
  const sendingTime = performance.now() - begun
  await Promise.all(running)
  return { events, listed, seconds: sendingTime / 1_000 }
}

async function sendAtOnce(most: number) {
  const bodies: Buffer[] = []
  let events = 0
  let listed = 0
  while (events < most) {
    const batch = traffic.next().value
    events += batch.length - 1
    listed += batch.filter(isListed).length
    bodies.push(pack(batch))
  }
  process.send?.('ready')
  await once(process, 'message')
  const begun = performance.now()
  const sendNext = async () => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop())
      await deliver(body, performance.now())
  }
  await Promise.all(Array.from({ length: connections }, sendNext))
  return { events, listed, seconds: (performance.now() - begun) / 1_000 }
}

function isListed({ kind }: Line): boolean {
  return kind !== 'context' && kind !== 'view_state'
}

function pack(batch: readonly Line[]): Buffer {
  return gzipSync(batch.map((line) => `${JSON.stringify(line)}\n`).join(''), { level: 1 })
}

async function deliver(body: Buffer, due: number): Promise<void> {
  const batch = newId()
  let requested = performance.now()
  while ((await post(batch, body)) !== 202) {
    refused += 1
    await pause(500)
    requested = performance.now()
  }
  answerTimes.push(performance.now() - requested)
  times.push(performance.now() - due)
}

function post(batch: string, body: Buffer): Promise<number> {
  const path = `/intake/v1/events?key=bench-client-key&batch=${batch}&sent=${Date.now()}`
  return new Promise((resolve) => {
    const headers = {
      'user-agent': userAgents[times.length % userAgents.length],
      'content-length': body.length,
    }
    const requested = request(url + path, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    requested.on('error', () => resolve(0))
    requested.end(body)
  })
}
