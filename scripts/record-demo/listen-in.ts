// A proxy between a browser and the demo's server that keeps what the SDK sends.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Sent {
  kind: 'events' | 'replay' | 'asset'
  query: URLSearchParams
  body: Buffer
}

export interface ListeningIn extends AsyncDisposable {
  url: string
  sent: Sent[]
  /** Resolves when nothing has been sent for a while. */
  untilQuiet(): Promise<void>
  /** Delays or replaces a response of the shop's API. */
  meddle: ((path: string) => { delay?: number; status?: number } | undefined) | undefined
}

const quiet = 2_500
const kinds = new Set(['events', 'replay', 'asset'])

export async function listenIn(target: string): Promise<ListeningIn> {
  let lastAt = Date.now()
  const listening: ListeningIn = {
    url: '',
    sent: [],
    meddle: undefined,
    async untilQuiet() {
      lastAt = Date.now()
      while (Date.now() - lastAt < quiet) await pause(100)
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '/', target)
    const kind = /^\/intake\/v1\/(\w+)$/.exec(url.pathname)?.[1] ?? ''
    if (kinds.has(kind)) {
      lastAt = Date.now()
      listening.sent.push({ kind: kind as Sent['kind'], query: url.searchParams, body })
    }
    const changed = listening.meddle?.(url.pathname)
    if (changed?.delay) await pause(changed.delay)
    if (changed?.status) {
      response.writeHead(changed.status, { 'content-type': 'application/json' }).end('{}')
      return
    }
    const headers = toHeaders(request.headers)
    const answer = await fetch(url, {
      method: request.method ?? 'GET',
      headers,
      redirect: 'manual',
      ...(body.length > 0 && { body }),
    }).catch(() => undefined)
    if (answer === undefined) {
      response.destroy()
      return
    }
    const passed = Object.fromEntries(
      [...answer.headers].filter(
        ([name]) => !/^(content-encoding|content-length|transfer-encoding)$/.test(name),
      ),
    )
    response.writeHead(answer.status, passed)
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  listening.url = `http://localhost:${port}`
  return listening
}

function toHeaders(given: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(given).filter(
    ([name]) => !/^(host|connection|content-length|accept-encoding|origin|referer)$/.test(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
