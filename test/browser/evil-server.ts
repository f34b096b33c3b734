// A server that nobody may turn to.

import { once } from 'node:events'
import { createServer } from 'node:http'

export interface EvilServer {
  url: string
  /** Requests, and connections: one alone tells already that somebody watches. */
  heard: string[]
  close(): void
}

export async function startEvilServer(): Promise<EvilServer> {
  const heard: string[] = []
  const listener = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    response.end()
  })
  listener.on('connection', () => heard.push('a connection'))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, heard, close: () => listener.close() }
}
