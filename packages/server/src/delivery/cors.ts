// Delivery is asked by pages of any site, never with cookies: the key decides, not the browser.

import type { FastifyInstance } from 'fastify'

const daySeconds = 86_400

const headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization, X-API-Key, If-None-Match, Last-Event-ID',
  'access-control-max-age': String(daySeconds),
}

/** Every answer of this scope carries the headers, refusals too. */
export function allowEveryOrigin(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}

export function answerPreflights(scope: FastifyInstance, path: string): void {
  scope.options(path, async (_request, reply) => reply.headers(preflightHeaders).code(204).send())
}

/** For answers that are written past Fastify. */
export const corsHeaders: Readonly<Record<string, string>> = headers
