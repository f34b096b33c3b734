// Answers 405 for addresses that exist, when the method does not.

import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Rejects methods that a path does not support. */
export function refuseOtherMethods(server: FastifyInstance, path: string, methods: readonly string[]): void {
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (method) => !methods.includes(method),
  )
  server.route({
    method: others,
    url: path,
    exposeHeadRoute: false,
    onRequest: async (_request, reply) => refuse(reply, methods),
    handler: () => undefined,
  })
}

export type RefuseMethod = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * The same for many paths, with the parameters of routes (`/projects/:project`), for the handler of unknown
 * addresses: a route for each refused method would be most of the routes of a server. Throws `method-not-allowed`.
 */
export function createMethodRefusals(routes: readonly { path: string; method: string }[]): RefuseMethod {
  const methods = new Map<string, string[]>()
  for (const { path, method } of routes) {
    const taken = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...taken])
  }
  const addresses = [...methods].map(([path, allowed]) => ({ parts: path.split('/'), allowed }))

  return (request, reply) => {
    const parts = (request.url.split('?', 1)[0] ?? '').split('/')
    const found = addresses.find((address) => matches(address.parts, parts))
    if (found) refuse(reply, found.allowed)
  }
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
  )
}

function refuse(reply: FastifyReply, methods: readonly string[]): never {
  reply.header('allow', methods.join(', '))
  throw problem('method-not-allowed', `Allowed here: ${methods.join(', ')}.`)
}
