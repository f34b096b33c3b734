// Serves the built console: hashed assets for ever, its page for every address of the console.

import { existsSync } from 'node:fs'
import staticFiles from '@fastify/static'
import { problem } from '@telltale/core/errors'
import type { FastifyInstance } from 'fastify'

const yearSeconds = 31_536_000

/** Paths of the server's own, which are never an address of the console. */
const serverPaths = /^\/(api|assets|demo|errors|health|metrics|ofrep|sdk|flagsmith|intake|v1)(\/|$)/

export async function bindConsole(server: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = existsSync(folder)
  if (isBuilt) {
    await server.register(staticFiles, {
      root: folder,
      preCompressed: true,
      index: false,
      wildcard: false,
      cacheControl: false,
      setHeaders: (response, path) => {
        const isHashed = path.includes('/assets/')
        response.setHeader('vary', 'accept-encoding')
        response.setHeader(
          'cache-control',
          isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
        )
      },
    })
  }

  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !serverPaths.test(path)
    if (!isPage || !isBuilt) throw problem('not-found', `There is nothing at ${path.slice(0, 200)}.`)

    return reply.sendFile('index.html')
  })
}
