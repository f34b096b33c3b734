// The network between a server and its PostgreSQL, which a test can cut.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { PostgresTarget } from '../../../packages/server/src/platform/engines/postgres/open.ts'

export interface Link extends AsyncDisposable {
  /** As `DATABASE_URL`. */
  url: string
  cut(): void
  restore(): void
}

export async function openLink(target: PostgresTarget): Promise<Link> {
  let isCut = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = target.kind === 'socket' ? connect(socketOf(target)) : connect(placeOf(target.url))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      // The other side learns of it by the end of its own connection.
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the link has no port')
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: urlOf(target, address.port),
    cut() {
      isCut = true
      end()
    },
    restore() {
      isCut = false
    },
    async [Symbol.asyncDispose]() {
      server.close()
      end()
    },
  }
}

const socketOf = ({ host, port }: { host: string; port: number }) => `${host}/.s.PGSQL.${port}`

function placeOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port || 5432) }
}

function urlOf(target: PostgresTarget, port: number): string {
  const url =
    target.kind === 'url' ? new URL(target.url) : new URL(`postgresql://localhost/${target.database}`)
  if (target.kind === 'socket') {
    url.username = target.username
    url.password = target.password
  }
  url.host = `127.0.0.1:${port}`
  return url.href
}
