// CORS for requests from pages of any site, without cookies: flags, the library, telemetry. The key authorizes them,
// not the browser, so the requesting page may read every response below these paths, including errors and unknown
// paths.

import type { FastifyInstance } from 'fastify'

const daySeconds = 86_400
/** A base URL with a trailing slash makes clients request `//ofrep`. */
const openPaths = /^\/+(ofrep|sdk|intake|flagsmith|v1\/+traces|v1\/+logs|api\/+\d+\/+envelope)(\/|\?|$)/

export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Retry-After, X-Sentry-Rate-Limits, x-request-id, x-flagsmith-document-updated-at',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'access-control-allow-headers': [
    'Content-Type, Content-Encoding, Authorization, X-API-Key, If-None-Match, Last-Event-ID',
    // OpenTelemetry's instrumentations may add these to every request of a page.
    'traceparent, tracestate, baggage',
    'DD-CLIENT-TOKEN, X-Sentry-Auth, X-Faro-Session-Id, Idempotency-Key, X-Environment-Key, Flagsmith-SDK-User-Agent, Flagsmith-Application-Name, Flagsmith-Application-Version',
  ].join(', '),
  'access-control-max-age': String(daySeconds),
}

/** Datadog's client may send beacons with cookies of this host, which are ignored, and sends a custom header. */
const datadogPath = /^\/+intake\/+datadog(\/|\?|$)/

function originHeaders(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {}
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' }
}

/** Answers preflights here, so that routes below these paths do not have to. */
export function openToPages(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!openPaths.test(request.url)) return done()
    reply.headers(corsHeaders)
    if (datadogPath.test(request.url)) reply.headers(originHeaders(request.headers.origin))
    const isPreflight = request.method === 'OPTIONS' && request.headers.origin !== undefined
    if (isPreflight) reply.headers(preflightHeaders).code(204).send()
    else done()
  })
}
