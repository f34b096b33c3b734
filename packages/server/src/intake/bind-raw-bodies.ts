// Routes whose handlers read the body themselves, with a limit on its unpacked size as well.

import type { FastifyInstance } from 'fastify'

/** Of every such route: the handler also decompresses, because it knows when to stop. */
const options = { helmet: false, compress: false, decompress: false } as const

export async function bindRawBodies(
  server: FastifyInstance,
  bind: (scope: FastifyInstance, options: RawBodyOptions) => void,
): Promise<void> {
  await server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (_request: unknown, payload: unknown) => payload)
    bind(scope, options)
    done()
  })
}

type RawBodyOptions = typeof options
