// Browsers and clients preconnect. A connection without a request would keep the server from closing, because Node
// considers it busy.

import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export function closeUnusedConnections(server: FastifyInstance): void {
  const unused = new Set<Socket>()
  server.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', ({ socket }) => unused.delete(socket))
  server.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}
