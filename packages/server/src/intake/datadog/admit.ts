// What the Datadog client's requests have in common: their destination, their key, and errors in that client's protocol.

import { errors } from '@telltale/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import type { SdkKeys } from '../../organisation/keys/sdk-key.ts'
import { toProblem } from '../../platform/http/problems.ts'
import { type Forward, readForward } from './read-forward.ts'

/** Where the client wants to send the request. Throws `Refused`. */
export function findForward({ url, params }: FastifyRequest): Forward {
  const rest: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, '*') : undefined
  const forward = readForward(url, typeof rest === 'string' ? rest : '')
  if (forward !== undefined) return forward
  throw new Refused(404, 'Supported Datadog paths: rum, replay, profile and profiling/quota.')
}

/** Keys are public: one in the URL is as safe as one in a header. Empty without one. */
export function tokenOf({ headers }: FastifyRequest, parameters: URLSearchParams): string {
  const header = headers['dd-client-token']
  const inUrl = parameters.get('dd-api-key') ?? parameters.get('dd-client-token')
  return inUrl ?? (typeof header === 'string' ? header : '')
}

/** Throws `Refused`, and the problems of keys. */
export async function admit(keys: SdkKeys, request: FastifyRequest, token: string): Promise<KnownKey> {
  if (token === '') throw new Refused(403, 'Send a client key of an environment as `clientToken`.')
  const key = await keys.authenticate(request, token)
  if (key.kind === 'client') return key
  throw new Refused(403, 'This is a server key; send a client key as `clientToken`.')
}

class Refused extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.name = 'Refused'
    this.status = status
  }
}

/** Every key error is a 403 in Datadog's protocol. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // An unread rest of the body would block the next request on the connection.
  request.raw.resume()
  if (error instanceof Refused) return respond(reply, error.status, error.message)
  const { status, code, context } = toProblem(error, request)
  if (context.retryAfterSeconds !== undefined) {
    reply.header('retry-after', Math.max(1, Math.ceil(context.retryAfterSeconds)))
  }
  return respond(reply, status === 401 ? 403 : status, context.detail ?? errors[code].title)
}

export function respond(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify({ errors: [{ status: String(status), detail }] }))
}
