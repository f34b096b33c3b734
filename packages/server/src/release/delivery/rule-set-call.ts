// Routes for Telltale's own SDKs: server SDKs get the rule set, as a whole or as a delta; browsers get the
// settings of their environment.

import { createHash } from 'node:crypto'
import type { PrivacyRule } from '@telltale/core/contract/environments'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { queryValue } from '../../organisation/keys/sdk-key.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
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

  scope.get(configPath, options, async (request, reply) => {
    const { environment } = await delivery.keys.authenticate(request)
    const text = JSON.stringify(describeEnvironment(environment, delivery.reductions))
    const tag = entityTag(createHash('sha256').update(text).digest('base64url').slice(0, 22))
    reply.header('etag', tag).header('cache-control', 'private, no-cache')
    return isUnchanged(request, tag) ? reply.code(304).send() : sendJson(reply, text)
  })

  for (const path of [ruleSetPath, configPath]) refuseOtherMethods(scope, path, ['GET', 'HEAD'])
}

function describeEnvironment(environment: KnownEnvironment, reductions: Delivery['reductions']): object {
  const { key, privacyLevel } = environment
  const isPaused = reductions.of(environment)?.pausesRecording === true
  // What would be dropped is better not sent.
  const sampling = isPaused ? { ...environment.sampling, replay: 0, profile: 0 } : environment.sampling
  const { evaluationBodySize, streamHeartbeat } = limits
  return {
    environment: key,
    sampling,
    privacyLevel,
    masking: describeMasking(environment),
    capture: describeCapture(environment),
    limits: { evaluationBodySize, streamHeartbeat },
  }
}

/** What replays mask in addition to their level. Unmask rules are withheld from browsers while they have no effect. */
function describeMasking({ unmaskAllowed = false, privacyRules = [] }: KnownEnvironment): object {
  const selectors = (wanted: PrivacyRule['action']) =>
    privacyRules.filter(({ action }) => action === wanted).map(({ selector }) => selector)
  return {
    permitsUnmask: unmaskAllowed,
    rules: {
      mask: selectors('mask'),
      unmask: unmaskAllowed ? selectors('unmask') : [],
      block: selectors('block'),
    },
  }
}

/** What replays record beside the page. `masked`: names whose values the environment masks everywhere. */
function describeCapture({ consoleRecorded = false, requestRules = [], scrub }: KnownEnvironment): object {
  const isOn = consoleRecorded || requestRules.length > 0
  return {
    console: consoleRecorded,
    requests: requestRules,
    masked: isOn ? [...(scrub?.parameters ?? []), ...(scrub?.attributes ?? [])] : [],
  }
}

function sendJson(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
}
