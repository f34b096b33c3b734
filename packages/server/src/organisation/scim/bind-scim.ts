// SCIM 2.0 (RFC 7644) at `/scim/v2`. Its requests, answers and errors are those of the standard, so it is beside the
// management API: a token for SCIM works here and nowhere else, and no other credential works here.

import { scimPath } from '@telltale/core/contract/scim'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { describeKind, describeService } from '@telltale/core/scim/discovery'
import { printScimError, ScimError } from '@telltale/core/scim/scim-error'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publicOrigin } from '../../access/public-origin.ts'
import type { ScimTokenRow } from '../../platform/engines/postgres/scim-schema.ts'
import { ownOrigin } from '../../platform/http/address.ts'
import { unavailable } from '../../platform/http/problems.ts'
import { addressKey, createRateLimit } from '../../platform/http/rate-limit.ts'
import { readJsonBody } from '../../platform/http/server.ts'
import type { Services } from '../../platform/services.ts'
import { groupHandlers } from './group-handlers.ts'
import type { ScimHandler, ScimHandlers } from './scim-handler.ts'
import { toScimError } from './to-scim-error.ts'
import { findScimToken, noteRequest } from './tokens.ts'
import { userHandlers } from './user-handlers.ts'

const mediaType = 'application/scim+json'

export async function bindScim(server: FastifyInstance, services: Services): Promise<void> {
  const tokens = new WeakMap<FastifyRequest, ScimTokenRow>()
  const refusals = new WeakMap<FastifyRequest, string>()
  const identify = createIdentify(services)

  await server.register(
    (scope, _options, done) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser([mediaType, 'application/json'], readJsonBody)
      scope.setErrorHandler((error, request, reply) => {
        const refusal = toScimError(error, request)
        refusals.set(request, refusal.error.message)
        if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds)
        if (refusal.error.status === 401) reply.header('www-authenticate', 'Bearer')
        return send(reply.code(refusal.error.status), printScimError(refusal.error))
      })
      scope.setNotFoundHandler(() => {
        throw new ScimError(404, undefined, 'There is nothing at this address of the SCIM endpoint.')
      })
      scope.addHook('onRequest', async (request) => {
        tokens.set(request, await identify(request))
      })
      scope.addHook('onResponse', async (request, reply) => {
        const token = tokens.get(request)
        if (token === undefined) return
        const noted = {
          ...{ tokenId: token.id, at: services.clock(), method: request.method, status: reply.statusCode },
          resource: resourceOf(request.url),
          detail: refusals.get(request)?.slice(0, limits.descriptionLength) ?? null,
        }
        services.background(noteRequest(services.db, noted), 'noting a request of SCIM')
      })
      const bind = createBind(scope, services, tokens)
      bindResource(bind, '/Users', userHandlers)
      bindResource(bind, '/Groups', groupHandlers)
      bindDiscovery(bind)
      done()
    },
    { prefix: scimPath },
  )
}

/** Only the first part of the path: ids and filters name users. */
function resourceOf(url: string): string {
  const [, resource = ''] = /^\/scim\/v2\/(\w{1,32})/.exec(url) ?? []
  return resource
}

function createIdentify(services: Services) {
  const { db, elapsed } = services
  const rate = createRateLimit(limits.scimRequests, elapsed)
  const credentials = createRateLimit(limits.credentialsRefused, elapsed)
  return async (request: FastifyRequest): Promise<ScimTokenRow> => {
    if (services.postgresState() === 'waiting') throw unavailable()
    const from = addressKey(request.ip)
    credentials.take(from)
    const value = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const token = value === undefined ? undefined : await findScimToken(db, value)
    if (token === undefined)
      throw problem('unauthenticated', 'The SCIM token is missing, unknown or revoked.')
    credentials.giveBack(from)
    rate.take(token.id)
    return token
  }
}

type Bind = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, handler: ScimHandler) => void

function createBind(
  scope: FastifyInstance,
  services: Services,
  tokens: WeakMap<FastifyRequest, ScimTokenRow>,
): Bind {
  return (method, url, handler) => {
    scope.route<{ Params: { id?: string }; Querystring: Record<string, unknown> }>({
      method,
      url,
      bodyLimit: limits.scimBodySize,
      handler: async (request, reply) => {
        const token = tokens.get(request)
        if (token === undefined) throw problem('unauthenticated')
        const origin = (await publicOrigin(services)) ?? ownOrigin(request, services.config)
        const answer = await handler({
          services,
          origin: {
            actor: { kind: 'token', id: token.id, name: `${token.name} (SCIM)` },
            requestId: request.id,
            now: services.clock(),
          },
          base: origin + scimPath,
          id: request.params.id ?? '',
          query: request.query,
          body: request.body,
        })
        if (method !== 'GET') await services.announcements.settled()
        if (answer.location !== undefined) reply.header('location', answer.location)
        return answer.body === undefined
          ? reply.code(answer.status ?? 204).send()
          : send(reply.code(answer.status ?? 200), answer.body)
      },
    })
  }
}

function send(reply: FastifyReply, body: object): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .type(`${mediaType}; charset=utf-8`)
    .serializer(JSON.stringify)
    .send(body)
}

function bindResource(bind: Bind, path: string, handlers: ScimHandlers): void {
  bind('GET', path, handlers.list)
  bind('POST', path, handlers.create)
  bind('GET', `${path}/:id`, handlers.read)
  bind('PUT', `${path}/:id`, handlers.replace)
  bind('PATCH', `${path}/:id`, handlers.patch)
  bind('DELETE', `${path}/:id`, handlers.delete)
}

function bindDiscovery(bind: Bind): void {
  bind('GET', '/ServiceProviderConfig', async ({ base }) => ({ body: describeService(base) }))
  for (const kind of ['ResourceTypes', 'Schemas'] as const) {
    const show: ScimHandler = async ({ base, id }) => {
      const body = describeKind(kind, { base, id: id || undefined })
      if (body === undefined) throw new ScimError(404, undefined, 'There is no such document.')
      return { body }
    }
    bind('GET', `/${kind}`, show)
    bind('GET', `/${kind}/:id`, show)
  }
}
