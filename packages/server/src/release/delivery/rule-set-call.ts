// Routes for Telltale's own SDKs: server SDKs get the rule set, as a whole or as a delta; browsers get the
// settings of their environment.

import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { queryValue } from '../../organisation/keys/sdk-key.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { createBrowserConfigs } from './browser-config.ts'
import type { Delivery } from './delivery.ts'
import { entityTag, isUnchanged } from './entity-tag.ts'
import { deltaText, wholeText } from './rule-set-text.ts'

const ruleSetPath = '/sdk/v1/ruleset'
const configPath = '/sdk/v1/config'

export function bindRuleSetCalls(scope: FastifyInstance, delivery: Delivery): void {
  const options = { helmet: false as const, compress: { encodings: ['gzip'] as 'gzip'[] } }

  scope.get(ruleSetPath, options, async (request, reply) => {
    const key = await delivery.keys.authenticate(request)
    if (key.kind !== 'server') throw problem('invalid-key', 'The rule set requires a server key.')
    const served = await delivery.ruleSets.get(key.environment.id)
    const since = queryValue(request.query, 'since')
    const tag = entityTag(served.version)
    reply.header('etag', tag).header('cache-control', 'private, no-cache')
    if (isUnchanged(request, tag)) return reply.code(304).send()

    const delta = since === undefined ? undefined : deltaText(served, since)
    return sendJson(reply, delta ?? (await wholeText(served)))
  })

  const configOf = createBrowserConfigs(delivery)
  scope.get(configPath, options, async (request, reply) => {
    const { environment } = await delivery.keys.authenticate(request)
    const { text, tag } = configOf(environment)
    reply.header('etag', tag).header('cache-control', 'private, no-cache')
    return isUnchanged(request, tag) ? reply.code(304).send() : sendJson(reply, text)
  })

  for (const path of [ruleSetPath, configPath]) refuseOtherMethods(scope, path, ['GET', 'HEAD'])
}

function sendJson(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
}
