// What pages of any site ask for, never with cookies: flags, the library, telemetry. The key decides, not the browser; so
// every answer below these paths may be read by the page that asked, refusals and paths that do not exist too.

import type { FastifyInstance } from 'fastify'

const daySeconds = 86_400
/** A base address that ends in a slash makes clients ask for `//ofrep`. */
const openPaths = /^\/+(ofrep|sdk|intake|flagsmith)(\/|\?|$)/

export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, x-request-id, x-flagsmith-document-updated-at',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'access-control-allow-headers': [
    'Content-Type, Authorization, X-API-Key, If-None-Match, Last-Event-ID',
    'DD-CLIENT-TOKEN, X-Environment-Key, Flagsmith-SDK-User-Agent, Flagsmith-Application-Name, Flagsmith-Application-Version',
  ].join(', '),
  'access-control-max-age': String(daySeconds),
}

/** Its client may send a beacon with the cookies of this host, which are not looked at; and asks with a header of its own. */
const datadogPath = /^\/+intake\/+datadog(\/|\?|$)/

function originHeaders(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {}
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' }
}

/** Answers the preflights themselves: no route below these paths has to. */
export function openToPages(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!openPaths.test(request.url)) return
    reply.headers(corsHeaders)
    if (datadogPath.test(request.url)) reply.headers(originHeaders(request.headers.origin))
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) {
      await reply.headers(preflightHeaders).code(204).send()
    }
  })
}
