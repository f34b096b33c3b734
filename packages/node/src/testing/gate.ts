// A proxy in front of a server, at a fixed address: when closed, the server is unreachable.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface Gate extends AsyncDisposable {
  url: string
  close(): Promise<void>
  open(): Promise<void>
  /** Bytes received from the server. */
  received(): number
}

export async function openGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let place = 0
  let received = 0

  const pass = (near: Socket) => {
    const far = connect(Number(port), hostname)
    far.on('data', (bytes) => {
      received += bytes.length
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }
  const gate = {
    async open() {
      server = createServer(pass).listen(place, '127.0.0.1')
      await once(server, 'listening')
      place = (server.address() as AddressInfo).port
    },
    async close() {
      const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
      for (const socket of sockets) socket.destroy()
      server = undefined
      await closed
    },
  }
  await gate.open()
  return {
    ...gate,
    url: `http://127.0.0.1:${place}`,
    received: () => received,
    [Symbol.asyncDispose]: gate.close,
  }
}
