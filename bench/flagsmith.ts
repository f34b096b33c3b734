// Measures Flagsmith's identities API with 50 flags, where traits are stored before the response: throughput and
// latency. `npm run bench:flagsmith`; the load generator runs on the same machine.

import { connect } from 'node:net'
import { clientKey, startTelltale } from './delivery/start-telltale.ts'

const path = '/flagsmith/api/v1/identities/'
const span = 10_000
const wanted = { rate: 2_000, mean: 7 }
/** Concurrent requests: the target rate times the target mean latency. */
const connections = 14

interface Scenario {
  name: string
  body(number: number): unknown
}

const identityOf = (number: number) => `user-${number % 20_000}`
const scenarios: Scenario[] = [
  {
    name: 'kept traits as they were',
    body: (number) => ({
      identifier: identityOf(number % 2_000),
      traits: [
        { trait_key: 'plan', trait_value: 'pro' },
        { trait_key: 'age', trait_value: 30 },
      ],
    }),
  },
  {
    name: 'no traits given, the kept ones read',
    body: (number) => ({ identifier: identityOf(number % 2_000) }),
  },
  {
    name: 'another trait every time',
    body: (number) => ({
      identifier: identityOf(number),
      traits: [{ trait_key: 'visits', trait_value: number }],
    }),
  },
]

const telltale = await startTelltale({ flags: 50 })
const lines = ['| identities, 50 flags | answers/s | mean | p99 | wanted | |', '|---|--:|--:|--:|--:|---|']
for (const scenario of scenarios) {
  await run(scenario, 3_000)
  const times = await run(scenario, span)
  const sorted = times.toSorted((left, right) => left - right)
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  const rate = (times.length / span) * 1_000
  const verdict = rate >= wanted.rate && mean <= wanted.mean ? 'reached' : 'missed'
  lines.push(
    `| ${scenario.name} | ${rate.toFixed(0)} | ${mean.toFixed(1)} ms | ${p99.toFixed(1)} ms | ${wanted.rate}/s, ${wanted.mean} ms | ${verdict} |`,
  )
}
await telltale.stop()
process.stdout.write(`${lines.join('\n')}\n`)

/** Latency of each response in milliseconds. */
async function run({ body }: Scenario, length: number): Promise<number[]> {
  const { hostname, port } = new URL(telltale.url)
  const end = performance.now() + length
  const times: number[] = []
  let number = 0
  const next = () => {
    number += 1
    const text = JSON.stringify(body(number))
    return `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nx-environment-key: ${clientKey}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  }
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let sentAt = 0
      let missing = 0
      const send = () => {
        sentAt = performance.now()
        socket.write(next())
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        missing = missing === 0 ? lengthOf(chunk) - chunk.length : missing - chunk.length
        if (missing > 0) return
        times.push(performance.now() - sentAt)
        if (performance.now() < end) send()
        else {
          socket.destroy()
          resolve()
        }
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  return times
}

/** Length of the response that begins with this chunk, which contains its headers. Throws on an error response. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString('latin1', 0, 2_048)
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head)
  const body = /content-length: (\d+)/i.exec(head)?.[1] ?? '0'
  return head.indexOf('\r\n\r\n') + 4 + Number(body)
}
