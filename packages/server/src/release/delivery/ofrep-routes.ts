// OFREP routes in Fastify, for requests that the fast path does not handle.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { sendProblem, toProblem } from '../../platform/http/problems.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
import type { ServedRuleSet } from './build-rule-set.ts'
import type { Delivery } from './delivery.ts'
import {
  answerBulk,
  answerSingle,
  bulkPath,
  type OfrepAnswer,
  type OfrepQuestion,
  refuse,
  singlePath,
} from './ofrep.ts'
import { headersOf } from './ofrep-lane.ts'

export function bindOfrep(scope: FastifyInstance, delivery: Delivery): void {
  const options = { helmet: false as const, compress: false as const, errorHandler: refuseAll }
  const zipped = { ...options, compress: { encodings: ['gzip' as const] } }
  const bulk = async (request: FastifyRequest, reply: FastifyReply) => {
    const { key, served } = await prepare(delivery, request)
    const known = request.headers['if-none-match']
    const question = questionOf(request, { key, delivery })
    return send(reply, answerBulk(served, question, { known, now: delivery.now() }))
  }
  // Clients request `//ofrep` if their base URL ends with a slash.
  for (const slash of ['', '/']) {
    scope.post(slash + bulkPath, zipped, bulk)
    scope.post(`${slash}${bulkPath}/`, zipped, bulk)
    // Older clients put the key into the path without encoding, including slashes.
    for (const path of [singlePath, `${bulkPath}/*`]) {
      scope.post(slash + path, options, async (request, reply) => {
        const { key, served } = await prepare(delivery, request)
        const question = questionOf(request, { key, delivery })
        return send(reply, answerSingle(served, flagOf(request) ?? '', question))
      })
    }
    for (const path of [bulkPath, `${bulkPath}/`, singlePath, `${bulkPath}/*`]) {
      refuseOtherMethods(scope, slash + path, ['POST'])
    }
  }
}

function questionOf(request: FastifyRequest, of: Pick<OfrepQuestion, 'key' | 'delivery'>): OfrepQuestion {
  return { ...of, body: bodyOf(request), address: () => request.ip, header: headersOf(request) }
}

/** The flag's key in the path. */
function flagOf({ params }: FastifyRequest): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  if ('key' in params) return String(params.key)
  return '*' in params ? String(params['*']) : undefined
}

async function prepare(
  { keys, ruleSets }: Delivery,
  request: FastifyRequest,
): Promise<{ key: KnownKey; served: ServedRuleSet }> {
  const key = await keys.authenticate(request)
  const { id } = key.environment
  await takeParseTurn(bodyOf(request)?.length ?? 0)
  return { key, served: ruleSets.find(id) ?? (await ruleSets.get(id)) }
}

function bodyOf({ body }: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(body) ? body : undefined
}

function send(reply: FastifyReply, { status, text, tag }: OfrepAnswer): FastifyReply {
  if (tag !== undefined) reply.header('etag', tag).header('cache-control', 'private, no-cache')
  if (status === 304) return reply.code(304).send()
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)
}

/** Clients show the reason of a failure only if it contains the flag and an OFREP error code. */
function refuseAll(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toProblem(error, request)
  if (refusal.status !== 500) return sendProblem(request, reply, refusal)
  const details = `Internal error; see the server log, request id ${request.id}.`
  return send(reply, refuse(500, { flag: flagOf(request), errorCode: 'GENERAL', details }))
}
