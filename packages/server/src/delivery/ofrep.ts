// OFREP: one flag, or all of them, evaluated for the context of the request. Everything comes from memory.

import { createHash } from 'node:crypto'
import type { Problem } from '@telltale/core/errors'
import type { EvaluationError } from '@telltale/core/evaluation/rule-set'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem, toProblem } from '../http/problems.ts'
import { answerAll, answerFlag, failure, findVisible } from './answers.ts'
import type { ServedRuleSet } from './build-rule-set.ts'
import { answerPreflights } from './cors.ts'
import type { Delivery } from './delivery.ts'
import { entityTag, isUnchanged } from './entity-tag.ts'
import type { KnownKey } from './known-keys.ts'
import { readContext } from './read-context.ts'
import { epochAt, streamToken } from './stream-token.ts'

const bulkPath = '/ofrep/v1/evaluate/flags'
const singlePath = `${bulkPath}/:key`

const statuses: Record<EvaluationError, number> = {
  FLAG_NOT_FOUND: 404,
  INVALID_CONTEXT: 400,
  TARGETING_KEY_MISSING: 400,
  GENERAL: 500,
}

/** What a client waits after its page was hidden before it closes its stream. */
const inactivityDelaySec = 120

export function bindOfrep(scope: FastifyInstance, delivery: Delivery): void {
  const options = { helmet: false as const, compress: false as const, errorHandler: refuse }
  // A base address that ends in a slash makes clients ask for `//ofrep`.
  for (const slash of ['', '/']) {
    scope.post(slash + bulkPath, { ...options, compress: { encodings: ['gzip'] } }, (request, reply) =>
      answerBulk(delivery, request, reply),
    )
    scope.post<{ Params: { key: string } }>(slash + singlePath, options, (request, reply) =>
      answerSingle(delivery, request, reply),
    )
    answerPreflights(scope, slash + bulkPath)
    answerPreflights(scope, slash + singlePath)
  }
}

async function answerSingle(
  delivery: Delivery,
  request: FastifyRequest<{ Params: { key: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = await delivery.keys.authenticate(request)
  const name = request.params.key
  const asked = readContext(request.body)
  if ('errorCode' in asked) return sendFailure(reply, 400, failure(name, asked.errorCode, asked.details))

  const { id } = key.environment
  const served = delivery.ruleSets.find(id) ?? (await delivery.ruleSets.get(id))
  const flag = findVisible(served, name, key)
  if (flag === undefined) {
    return sendFailure(reply, 404, failure(name, 'FLAG_NOT_FOUND', 'There is no such flag for this key.'))
  }
  const { errorCode, text } = answerFlag(served, flag, { context: asked.context, key })
  return sendText(reply, errorCode === undefined ? 200 : statuses[errorCode], text)
}

async function answerBulk(
  delivery: Delivery,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = await delivery.keys.authenticate(request)
  const asked = readContext(request.body)
  if ('errorCode' in asked) {
    return sendFailure(reply, 400, { errorCode: asked.errorCode, errorDetails: asked.details })
  }
  const { id } = key.environment
  const served = delivery.ruleSets.find(id) ?? (await delivery.ruleSets.get(id))
  const epoch = epochAt(delivery.now())
  // The epoch belongs to it: a client that is told "unchanged" keeps the address of its stream.
  const tag = entityTag(`${served.version}.${epoch.toString(36)}.${fingerprint(key, request.body)}`)
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  if (isUnchanged(request, tag)) return reply.code(304).send()

  const flags = answerAll(served, { context: asked.context, key })
  return sendText(reply, 200, `{"flags":[${flags}],${tailOf(served, key, epoch)}}`)
}

/** Tells apart whose answer it is: the context as it was sent, and the key. */
function fingerprint(key: KnownKey, body: unknown): string {
  const hash = createHash('sha256').update(key.id)
  if (Buffer.isBuffer(body)) hash.update(body)
  return hash.digest('base64url').slice(0, 22)
}

interface Tail {
  version: string
  epoch: number
  text: string
}

/** The same for every answer to a key, until its rule set changes or its token ages. */
const tails = new WeakMap<KnownKey, Tail>()

function tailOf({ version }: ServedRuleSet, key: KnownKey, epoch: number): string {
  const known = tails.get(key)
  if (known !== undefined && known.version === version && known.epoch === epoch) return known.text

  const metadata = { flagSetId: key.environment.key, version }
  const requestUri = `/ofrep/v1/stream?token=${streamToken(key, epoch)}`
  const eventStreams = [{ type: 'sse', endpoint: { requestUri }, inactivityDelaySec }]
  const text = `"metadata":${JSON.stringify(metadata)},"eventStreams":${JSON.stringify(eventStreams)}`
  tails.set(key, { version, epoch, text })
  return text
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)
}

function sendFailure(reply: FastifyReply, status: number, body: object): FastifyReply {
  return sendText(reply, status, JSON.stringify(body))
}

/** Clients show the reason of a failure only when it names the flag and an error code of OFREP. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal: Problem = toProblem(error, request)
  if (refusal.status !== 500) return sendProblem(request, reply, refusal)
  const { params } = request
  const key =
    typeof params === 'object' && params !== null && 'key' in params ? String(params.key) : undefined
  const details = `The server failed; the fault was logged under the request id ${request.id}.`
  return sendFailure(reply, 500, { key, errorCode: 'GENERAL', errorDetails: details })
}
