// What Telltale's own clients ask for beside values: server SDKs the whole rule set, browsers the settings of their
// environment.

import { createHash } from 'node:crypto'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerPreflights } from './cors.ts'
import type { Delivery } from './delivery.ts'
import { entityTag, isUnchanged } from './entity-tag.ts'
import type { KnownEnvironment } from './known-keys.ts'

const ruleSetPath = '/sdk/v1/ruleset'
const configPath = '/sdk/v1/config'

export function bindRuleSetCalls(scope: FastifyInstance, delivery: Delivery): void {
  const options = { helmet: false as const, compress: { encodings: ['gzip'] as 'gzip'[] } }

  scope.get(ruleSetPath, options, async (request, reply) => {
    const key = await delivery.keys.authenticate(request)
    if (key.kind !== 'server') throw problem('invalid-key', 'The rule set is for server keys only.')
    const { version, text } = await delivery.ruleSets.get(key.environment.id)
    return sendTagged({ request, reply }, { tag: entityTag(version), text })
  })

  scope.get(configPath, options, async (request, reply) => {
    const { environment } = await delivery.keys.authenticate(request)
    const text = JSON.stringify(describeEnvironment(environment))
    const version = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    return sendTagged({ request, reply }, { tag: entityTag(version), text })
  })

  answerPreflights(scope, ruleSetPath)
  answerPreflights(scope, configPath)
}

function describeEnvironment({ key, sampling, privacyLevel }: KnownEnvironment): object {
  const { evaluationBodySize, streamHeartbeat } = limits
  return { environment: key, sampling, privacyLevel, limits: { evaluationBodySize, streamHeartbeat } }
}

function sendTagged(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { tag, text }: { tag: string; text: string },
): FastifyReply {
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  if (isUnchanged(request, tag)) return reply.code(304).send()

  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}
