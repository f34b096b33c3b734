// Sends batches at a steady rate from a process of its own, and tells how long each answer took from the moment that it was
// due: a server that falls behind is not waited for. A batch that is refused or breaks is sent again under its id.

import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { visit } from './traffic.ts'

const [url = '', rate = '1000', seconds = '10'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
]
const traffic = visit({ users: 20_000, clock: () => Date.now(), random: Math.random })
const times: number[] = []
const answerTimes: number[] = []
const running = new Set<Promise<void>>()
let sent = 0
let events = 0
let refused = 0

const begun = performance.now()
const end = Number(seconds) * 1_000
for (;;) {
  const due = (events / Number(rate)) * 1_000
  const now = performance.now() - begun
  if (due > end) break
  if (due > now) {
    await pause(due - now)
    continue
  }
  const batch = traffic.next().value
  const body = gzipSync(batch.map((line) => `${JSON.stringify(line)}\n`).join(''), { level: 1 })
  events += batch.length - 1
  const sending = deliver(body, begun + due).finally(() => running.delete(sending))
  running.add(sending)
}
const sendingTime = performance.now() - begun
await Promise.all(running)
agent.destroy()
const at = (found: number[], share: number) =>
  found.sort((left, right) => left - right)[Math.floor(found.length * share)] ?? Number.NaN
process.send?.({
  batches: sent,
  events,
  refused,
  seconds: sendingTime / 1_000,
  p50: at(answerTimes, 0.5),
  p99: at(answerTimes, 0.99),
  dueP50: at(times, 0.5),
  dueP99: at(times, 0.99),
})

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
  sent += 1
}

function post(batch: string, body: Buffer): Promise<number> {
  const path = `/intake/v1/events?key=bench-client-key&batch=${batch}&sent=${Date.now()}`
  return new Promise((resolve) => {
    const headers = { 'user-agent': browsers[sent % browsers.length], 'content-length': body.length }
    const asked = request(url + path, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', () => resolve(0))
    asked.end(body)
  })
}
