// Serves the built documentation at /docs, in the same version as the running server.

import { existsSync, readdirSync } from 'node:fs'
import { sep } from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Needs `sendFile`, which the routes of the console files register. */
export function bindDocs(server: FastifyInstance, folder: string): void {
  if (!existsSync(folder) || !server.hasReplyDecorator('sendFile')) return
  const files = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/')),
  )
  const find = (path: string) =>
    [path, `${path}.html`, `${path}index.html`].find((name) => /\.\w+$/.test(name) && files.has(name))

  server.route({
    method: ['HEAD', 'GET'],
    url: '/docs',
    handler: async (_request, reply) => reply.redirect('/docs/', 308),
  })
  server.route<{ Params: { '*': string } }>({
    method: ['HEAD', 'GET'],
    url: '/docs/*',
    handler: async ({ params }, reply) => {
      const found = find(params['*'].replace(/(?<=.)\/$/, ''))
      if (found === undefined) reply.code(404)
      return reply.sendFile(found ?? '404.html', folder)
    },
  })
}
