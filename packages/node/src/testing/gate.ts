// A proxy in front of a server, at a fixed address: when closed, the server is unreachable.

import { once } from 'node:events'
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net'

export interface Gate extends AsyncDisposable {
  url: string
  close(): Promise<void>
  open(): Promise<void>
  /** Bytes received from the server. */
  received(): number
}

/** `target`: the address of a server of HTTP, or of any other. */
export async function openGate(target: string | NetConnectOpts): Promise<Gate> {
  const place = typeof target === 'string' ? placeOf(new URL(target)) : target
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let ownPort = 0
  let received = 0

  const pass = (near: Socket) => {
    const far = connect(place)
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
      if (server !== undefined) return
      server = createServer(pass).listen(ownPort, '127.0.0.1')
      await once(server, 'listening')
      ownPort = (server.address() as AddressInfo).port
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
    url: `http://127.0.0.1:${ownPort}`,
    received: () => received,
    [Symbol.asyncDispose]: gate.close,
  }
}

const placeOf = ({ hostname, port }: URL): NetConnectOpts => ({ host: hostname, port: Number(port) })
