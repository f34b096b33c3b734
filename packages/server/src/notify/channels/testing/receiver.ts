// A server that receives webhooks: it stores requests and responds as configured.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  path: string
}

export interface Receiver extends AsyncDisposable {
  url: string
  received: readonly Received[]
  /** Sets the response to all further requests. */
  answer(how: (response: ServerResponse) => void): void
  /** Resolves with the nth request, counted from 1. */
  request(number: number): Promise<Received>
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Map<number, (one: Received) => void>()
  let how = (response: ServerResponse): void => {
    response.end('ok')
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = {
        headers: request.headers,
        body: Buffer.concat(parts).toString('utf8'),
        path: request.url ?? '',
      }
      received.push(one)
      waiting.get(received.length)?.(one)
      how(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the receiver has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    answer: (next) => {
      how = next
    },
    request: (number) => {
      const there = received[number - 1]
      if (there !== undefined) return Promise.resolve(there)
      return new Promise((resolve) => waiting.set(number, resolve))
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
