// A server that hands out the library and records what it sends, read as the wire has it: for tests that need answers no
// healthy server gives.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { EventContext, EventKind, EventOf } from '@telltale/core/contract/events'
import { bundlePart, bundleScript } from '../../scripts/build/sdk.ts'

/** An event with its context in place of the index. */
export type SentEvent<Kind extends EventKind = EventKind> = Kind extends EventKind
  ? Omit<EventOf<Kind>, 'context'> & { context: EventContext; batch: string }
  : never

export interface SentBatch {
  id: string
  status: number
  /** Compressed, at least in part. */
  isCompressed: boolean
  bodyBytes: number
  headers: IncomingMessage['headers']
  sentAt: number
  events: SentEvent[]
}

export interface Answer {
  status: number
  headers?: Record<string, string>
}

export interface Intake extends AsyncDisposable {
  url: string
  batches: SentBatch[]
  /** Requests that asked for permission first. */
  preflights: string[]
  /** What the next batches are answered with; then 202. */
  answers: Answer[]
  config: object
  /** Stored once, whatever was repeated. */
  events<Kind extends EventKind>(kind: Kind): SentEvent<Kind>[]
  /** The answer of a bulk evaluation. */
  flags: object[]
  forget(): void
}

const cors = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag, Retry-After' }
const names = {
  live: 'telltale-live-00000000.js',
  sampled: 'telltale-sampled-00000000.js',
  toolbar: 'telltale-toolbar-00000000.js',
}

export async function startIntake(): Promise<Intake> {
  const files = new Map([
    ['/sdk/v1/telltale.js', await bundleScript(names)],
    [`/sdk/v1/${names.live}`, await bundlePart('live')],
    [`/sdk/v1/${names.sampled}`, await bundlePart('sampled')],
  ])
  const server = createServer((request, response) => void answer(request, response))
  const intake: Intake = {
    url: '',
    batches: [],
    preflights: [],
    answers: [],
    flags: [],
    config: { environment: 'production', sampling: { session: 100 }, privacyLevel: 'mask-inputs' },
    events: (kind) => eventsOf(intake.batches, kind),
    forget() {
      intake.batches.length = intake.preflights.length = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const body = await readBody(request)
    const file = files.get(url.pathname)
    const json = (value: object) =>
      response.writeHead(200, { ...cors, 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (request.method === 'OPTIONS') {
      intake.preflights.push(url.pathname)
      const headers = {
        ...cors,
        'access-control-allow-headers': 'Content-Type, Authorization, If-None-Match',
      }
      return response.writeHead(204, headers).end()
    }
    if (file) return response.writeHead(200, { ...cors, 'content-type': 'text/javascript' }).end(file)
    if (url.pathname === '/sdk/v1/config') return json(intake.config)
    if (url.pathname === '/ofrep/v1/evaluate/flags') return json({ flags: intake.flags })
    if (url.pathname !== '/intake/v1/events') return response.writeHead(404, cors).end()
    const { status, headers = {} } = intake.answers.shift() ?? { status: 202 }
    intake.batches.push(readBatch(request, { url, body, status }))
    return response.writeHead(status, { ...cors, ...headers }).end('{"accepted":0,"dropped":[]}')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the intake has no port')
  intake.url = `http://127.0.0.1:${address.port}`
  return intake
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Received {
  url: URL
  body: Buffer
  status: number
}

function readBatch(request: IncomingMessage, { url, body, status }: Received): SentBatch {
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b
  const text = (isCompressed ? gunzipSync(body) : body).toString()
  const contexts = new Map<number, EventContext>()
  const id = url.searchParams.get('batch') ?? ''
  const events: SentEvent[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const value = JSON.parse(line)
    if (value.kind === 'context') contexts.set(value.index, value)
    else events.push({ ...value, context: contexts.get(value.context), batch: id })
  }
  const sentAt = Number(url.searchParams.get('sent'))
  return { id, status, isCompressed, bodyBytes: body.length, headers: request.headers, sentAt, events }
}

function eventsOf<Kind extends EventKind>(batches: readonly SentBatch[], kind: Kind): SentEvent<Kind>[] {
  const isKind = (event: SentEvent): event is SentEvent<Kind> => event.kind === kind
  const accepted = new Map(batches.filter(({ status }) => status < 300).map((batch) => [batch.id, batch]))
  return [...accepted.values()].flatMap(({ events }) => events.filter(isKind))
}
