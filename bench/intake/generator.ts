// Sends batches from a process of its own, and tells how long each answer took. At a rate, from the moment that each was
// due: a server that falls behind is not waited for. As fast as they are taken: made before, so that only sending is
// measured. A batch that is refused or breaks is sent again under its id.

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { type Line, userAgents, visit } from './traffic.ts'

export type Orders = { rate: number; seconds: number } | { events: number }

export interface Sent {
  events: number
  /** Of them, those that stand for themselves: what is last said of a view is not among the events. */
  listed: number
  refused: number
  seconds: number
  p50: number
  p99: number
  /** From when it was due: longer where the generator itself got no processor. */
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
  let asked = performance.now()
  while ((await post(batch, body)) !== 202) {
    refused += 1
    await pause(500)
    asked = performance.now()
  }
  answerTimes.push(performance.now() - asked)
  times.push(performance.now() - due)
}

function post(batch: string, body: Buffer): Promise<number> {
  const path = `/intake/v1/events?key=bench-client-key&batch=${batch}&sent=${Date.now()}`
  return new Promise((resolve) => {
    const headers = {
      'user-agent': userAgents[times.length % userAgents.length],
      'content-length': body.length,
    }
    const asked = request(url + path, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', () => resolve(0))
    asked.end(body)
  })
}
