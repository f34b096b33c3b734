// A server that takes telemetry as ours does, and shows a test what arrived.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export type Line = Record<string, unknown>

export interface RecordedIntake extends AsyncDisposable {
  url: string
  /** The events so far, each with the members of its context. */
  events: Line[]
  /** The id of every batch, in the order of its attempts. */
  batches: string[]
  keys: Set<string | undefined>
  /** The counts of evaluations, in the order in which they arrived. */
  counted: unknown[]
  /** Answers with this status from now on; undefined: the connection is closed. */
  answer(status: number | undefined, headers?: Record<string, string>): void
}

export async function openIntake(): Promise<RecordedIntake> {
  let answered: { status: number | undefined; headers: Record<string, string> } = { status: 202, headers: {} }
  const events: Line[] = []
  const batches: string[] = []
  const keys = new Set<string | undefined>()
  const counted: unknown[] = []
  const server = createServer(async (request, response) => {
    const { status, headers } = answered
    const url = new URL(request.url ?? '', 'http://intake')
    if (url.pathname === '/sdk/v1/evaluations') {
      const [counts] = await readLines(request)
      if (status === 202 && Array.isArray(counts?.evaluations)) counted.push(...counts.evaluations)
      return response.writeHead(status === 202 ? 204 : (status ?? 503)).end()
    }
    if (!url.pathname.startsWith('/intake/')) return response.writeHead(404).end()
    batches.push(url.searchParams.get('batch') ?? '')
    keys.add(request.headers.authorization)
    const lines = await readLines(request)
    if (status === undefined) return response.destroy()
    if (status === 202) events.push(...withContexts(lines))
    return response.writeHead(status, headers).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    batches,
    keys,
    counted,
    answer(status, headers = {}) {
      answered = { status, headers }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readLines(request: IncomingMessage): Promise<Line[]> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const bytes = Buffer.concat(parts)
  const text = String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes)
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function withContexts(lines: readonly Line[]): Line[] {
  const contexts = new Map<unknown, Line>()
  return lines.flatMap((line) => {
    if (line.kind !== 'context') return [{ ...contexts.get(line.context), ...line }]
    contexts.set(line.index, line)
    return []
  })
}
