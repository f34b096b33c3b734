// Sends the same requests over a few persistent connections, each as soon as the previous response has arrived.

import { connect, type Socket } from 'node:net'

const connections = 16

export interface LoadRequest {
  url: string
  path: string
  headers: Record<string, string>
  /** Used in rotation. */
  bodies: string[]
  /** Each connection begins this many bodies after the one before. */
  apart?: number
}

/** Responses received within `span` milliseconds. */
export async function load(
  { url, path, headers, bodies, apart = 7 }: LoadRequest,
  span: number,
): Promise<number> {
  const { hostname, port } = new URL(url)
  const head = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const requests = bodies.map((body) =>
    Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('')}content-length: ${body.length}\r\n\r\n${body}`),
  )
  const end = performance.now() + span
  const runs = Array.from({ length: connections }, (_, index) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    return run(socket, { requests, first: index * apart, end })
  })
  return (await Promise.all(runs)).reduce((sum, count) => sum + count, 0)
}

function run(
  socket: Socket,
  { requests, first, end }: { requests: Buffer[]; first: number; end: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let missing = 0
    const send = () => socket.write(requests[(first + count) % requests.length] ?? Buffer.alloc(0))
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      missing = missing === 0 ? lengthOf(chunk) - chunk.length : missing - chunk.length
      if (missing > 0) return
      count += 1
      if (performance.now() < end) send()
      else {
        socket.destroy()
        resolve(count)
      }
    })
  })
}

/** Length of the response that begins with this chunk, which contains its headers. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString('latin1', 0, 1_024)
  const body = /content-length: (\d+)/i.exec(head)?.[1] ?? '0'
  return head.indexOf('\r\n\r\n') + 4 + Number(body)
}
