// Clients that send batch after batch without pause, ignoring `Retry-After`, in a separate process.

import { randomUUID } from 'node:crypto'
import { Agent, request as startRequest } from 'node:http'
import { gzipSync } from 'node:zlib'

/** Per second. */
export interface Flood {
  accepted: number
  /** With 503 and `Retry-After`. */
  refused: number
  others: number
}

const [url = '', key = '', clients = '1', seconds = '1'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const agent = new Agent({ keepAlive: true, maxSockets: Number(clients) })
const eventsPerBatch = 50
/** Packed in advance, because packing is the work of browsers: they are sent repeatedly with new batch ids. */
const bodies = Array.from({ length: 40 }, makeBody)
const counts = { accepted: 0, refused: 0, others: 0 }

function makeBody(): Buffer {
  const ids = { session: randomUUID(), tab: randomUUID(), view: randomUUID(), anonymousId: randomUUID() }
  const context = { kind: 'context', index: 0, ...ids, url: 'https://shop.example/cart/17' }
  const events = Array.from({ length: eventsPerBatch }, (_, index) => ({
    kind: 'custom',
    id: randomUUID(),
    at: Date.now(),
    context: 0,
    name: `step ${index % 7}`,
    attributes: { amount: index, currency: 'EUR' },
  }))
  return gzipSync([context, ...events].map((line) => JSON.stringify(line)).join('\n'))
}

function send(body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const path = `/intake/v1/events?key=${key}&batch=${randomUUID()}&sent=${Date.now()}`
    const headers = { 'content-length': body.length, 'user-agent': 'Mozilla/5.0 Firefox/140.0' }
    const sent = startRequest({ agent, hostname, port, path, method: 'POST', headers }, (answer) => {
      const isRefused = answer.statusCode === 503 && Number(answer.headers['retry-after']) > 0
      counts[answer.statusCode === 202 ? 'accepted' : isRefused ? 'refused' : 'others'] += 1
      answer.resume()
      answer.on('close', resolve)
    })
    sent.on('error', () => {
      counts.others += 1
      resolve()
    })
    sent.end(body)
  })
}

const span = Number(seconds) * 1_000
const end = performance.now() + span
process.send?.('begun')
await Promise.all(
  Array.from({ length: Number(clients) }, async (_, index) => {
    for (let turn = index; performance.now() < end; turn++)
      await send(bodies[turn % bodies.length] ?? makeBody())
  }),
)
const { accepted, refused, others } = counts
const perSecond = (count: number) => (count * 1_000) / span
const flood: Flood = { accepted: perSecond(accepted), refused: perSecond(refused), others: perSecond(others) }
process.send?.(flood, () => process.exit())
