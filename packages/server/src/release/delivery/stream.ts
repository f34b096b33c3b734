// Event streams: OFREP's, which makes clients fetch again, and our own, which lists the changed flags.
// Neither contains values, because these depend on a context, which must not be in a URL.

import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import { queryValue } from '../../organisation/keys/sdk-key.ts'
import { corsHeaders } from '../../platform/http/open-to-pages.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { addressKey } from '../../platform/http/rate-limit.ts'
import type { ServedRuleSet } from './build-rule-set.ts'
import type { Delivery } from './delivery.ts'
import { channelOf, flagsMessage, refetchMessage, resyncMessage } from './publish.ts'
import { type ReadToken, readStreamToken } from './stream-token.ts'
import type { Message, OpenStream } from './streams.ts'

type StreamProtocol = keyof typeof paths

const paths = { ofrep: '/ofrep/v1/stream', sdk: '/sdk/v1/stream' } as const
const retrySeconds = 30
/** Time for a client to get the URL of its next stream before this one ends. */
const expiredGrace = 10_000
/** A change this recent may have happened between a client's last fetch and its stream. */
const recently = 30_000

export function bindStreams(scope: FastifyInstance, delivery: Delivery): void {
  const options = { helmet: false as const, compress: false as const, exposeHeadRoute: false }
  for (const protocol of ['ofrep', 'sdk'] as const) {
    for (const slash of ['', '/']) {
      const path = slash + paths[protocol]
      scope.get(path, options, (request, reply) => openStream(delivery, protocol, { request, reply }))
      refuseOtherMethods(scope, path, ['GET'])
    }
  }
}

interface StreamExchange {
  request: FastifyRequest
  reply: FastifyReply
  key: KnownKey
}

/**
 * Hands the response over to the stream. Throws `too-many-streams`, and `rate-limited` per address or
 * environment.
 */
export function beginStream({ streams }: Delivery, { request, reply, key }: StreamExchange): OpenStream {
  const environmentId = key.environment.id
  const address = addressKey(request.ip)
  const refusal = streams.refusalOf({ address, environmentId })
  if (refusal !== undefined) {
    throw problem('rate-limited', {
      retryAfterSeconds: retrySeconds,
      detail: `The limit of event streams per ${refusal} is reached. Flag requests still work: poll.`,
    })
  }
  if (streams.isFull()) {
    throw problem('too-many-streams', {
      retryAfterSeconds: retrySeconds,
      detail: 'Try again later, or poll.',
    })
  }
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...corsHeaders,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Prevents nginx from buffering messages.
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  })
  return { response: raw, keyId: key.id, environmentId, address, origin: request.headers.origin }
}

async function openStream(
  delivery: Delivery,
  protocol: StreamProtocol,
  { request, reply }: Omit<StreamExchange, 'key'>,
): Promise<FastifyReply> {
  const { key, isExpired } = await readCredential(delivery, protocol, request)
  const served = await delivery.ruleSets.get(key.environment.id)
  const stream = beginStream(delivery, { request, reply, key })
  if (isExpired) return sendAway(delivery, { reply, served, stream })

  const channel = channelOf(protocol, key.environment.id, key.kind)
  const first = firstMessages(delivery, { protocol, channel, served, request })
  delivery.streams.open(channel, stream, first)
  return reply
}

async function readCredential(
  delivery: Delivery,
  protocol: StreamProtocol,
  request: FastifyRequest,
): Promise<ReadToken> {
  const token = queryValue(request.query, 'token')
  if (token === undefined) {
    if (protocol === 'ofrep') throw problem('invalid-key', 'Missing stream token.')
    return { key: await delivery.keys.authenticate(request), isExpired: false }
  }
  const read = readStreamToken(token, { findKey: delivery.known.findById, now: delivery.now() })
  if (read === undefined) throw problem('invalid-key', 'Invalid stream token.')
  delivery.keys.admit(read.key, request)
  return read
}

/** A refused client would retry every second; telling it to fetch again gives it a new URL. */
function sendAway(
  { streams, now }: Delivery,
  { reply, served, stream }: { reply: FastifyReply; served: ServedRuleSet; stream: OpenStream },
): FastifyReply {
  streams.open('expired', stream, [refetchMessage(served.version, now())])
  const ending = setTimeout(() => reply.raw.end(), expiredGrace)
  ending.unref()
  reply.raw.once('close', () => clearTimeout(ending))
  return reply
}

interface Opening {
  protocol: StreamProtocol
  channel: string
  served: ServedRuleSet
  request: FastifyRequest
}

function firstMessages(
  { streams, now }: Delivery,
  { protocol, channel, served, request }: Opening,
): Message[] {
  const { version, changedAt } = served
  const isOfrep = protocol === 'ofrep'
  const last = request.headers['last-event-id']
  if (typeof last === 'string' && last !== '') {
    if (last === version) return []
    return streams.since(channel, last) ?? [isOfrep ? refetchMessage(version, now()) : resyncMessage(version)]
  }
  if (!isOfrep) return [flagsMessage(version)]
  return now() - changedAt < recently ? [refetchMessage(version, now())] : []
}
