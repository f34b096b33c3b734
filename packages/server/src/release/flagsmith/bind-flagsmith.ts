// Flagsmith's SDK API, for its clients as they are: `/flagsmith/api/v1/` in place of their own server. Answers and refusals
// are in its words; each call is answered by a file of its name.

import { errors } from '@telltale/core/errors'
import { isContext } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryValue } from '../../organisation/keys/sdk-key.ts'
import { toProblem } from '../../platform/http/problems.ts'
import { refuseOtherMethods } from '../../platform/http/server.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
import type { Services } from '../../platform/services.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { channelOf, updatedMessage } from '../delivery/publish.ts'
import { beginStream } from '../delivery/stream.ts'
import { answerDocument } from './environment-document-call.ts'
import { flagsText, nameOf } from './flag-texts.ts'
import type { Answer, FlagsmithRequest } from './flagsmith-request.ts'
import { jsonOf } from './flagsmith-request.ts'
import { identitiesCall } from './identities-call.ts'
import { Refused } from './refused.ts'
import { traitsCalls } from './traits-calls.ts'
import { createTraitsStore } from './traits-store.ts'

/** Names beyond this are passed over: no client evaluates so many. */
const mostNames = 5_000

/**
 * `POST analytics/flags/`: how often an application asked its client for each flag. What it asked this server for was counted
 * when it was served; so only servers' keys are counted here, whose clients may evaluate by themselves.
 */
function takeAnalytics({ evaluationCounts }: Delivery) {
  return (asked: FlagsmithRequest): Answer => {
    const { key, served } = asked
    const counts = jsonOf(asked)
    if (!isContext(counts)) throw new Refused(400, { detail: 'Expected a map from feature names to counts.' })
    if (key.kind === 'server') {
      const names = new Map([...served.flags.values()].map((flag) => [nameOf(flag), flag.key]))
      for (const [name, count] of Object.entries(counts).slice(0, mostNames)) {
        const flag = names.get(name)
        const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count > 0
        if (flag !== undefined && isCount) evaluationCounts.countElsewhere(key.environment.id, flag, count)
      }
    }
    return { value: {} }
  }
}

const base = '/flagsmith/api/v1'
const quiet = { helmet: false as const, errorHandler: refuse, exposeHeadRoute: false }

type Call = (asked: FlagsmithRequest) => Answer | Promise<Answer>

/** What becomes of its events. */
export type TakeEvents = (asked: FlagsmithRequest, request: FastifyRequest) => Promise<object>

export function bindFlagsmith(
  scope: FastifyInstance,
  delivery: Delivery,
  { sql, takeEvents }: Pick<Services, 'sql'> & { takeEvents: TakeEvents },
): void {
  const store = createTraitsStore({ sql, now: delivery.now, room: delivery.identityNotes.room })
  const identities = identitiesCall(delivery, store)
  const traits = traitsCalls(store)
  const calls: Record<string, Partial<Record<'GET' | 'POST' | 'PUT', Call>>> = {
    '/flags': { GET: answerFlags(delivery) },
    '/identities': { GET: identities.get, POST: identities.post },
    '/traits': { POST: traits.post },
    '/traits/bulk': { PUT: traits.putAll },
    '/traits/increment-value': { POST: traits.increment },
    '/environment-document': { GET: answerDocument(delivery) },
    '/analytics/flags': { POST: takeAnalytics(delivery) },
  }
  for (const [path, methods] of Object.entries(calls)) {
    // Its clients end every path with a slash; people who try it by hand do not.
    for (const url of [`${base}${path}/`, `${base}${path}`]) {
      for (const [method, call] of Object.entries(methods)) {
        scope.route({ ...quiet, method, url, handler: answering(delivery, call) })
      }
      refuseOtherMethods(scope, url, Object.keys(methods))
    }
  }
  // So is the address of events, which the client ends with `v1/events`.
  for (const url of ['/flagsmith/v1/events', `${base}/v1/events`]) {
    const options = {
      ...quiet,
      bodyLimit: limits.intakeCompressedSize,
      config: { memory: 'telemetry' as const },
    }
    scope.post(url, options, async (request, reply) => {
      const asked = await prepare(delivery, request)
      return say(reply, 202, await takeEvents(asked, request))
    })
    refuseOtherMethods(scope, url, ['POST'])
  }
  // The address of the stream is an option of its own: with the API's in it, and without.
  for (const prefix of ['/flagsmith', base]) {
    scope.get<{ Params: { key: string } }>(
      `${prefix}/sse/environments/:key/stream`,
      { ...quiet, compress: false },
      async (request, reply) => {
        const key = await delivery.keys.authenticate(request, request.params.key)
        const { version, changedAt } = await delivery.ruleSets.get(key.environment.id)
        const stream = beginStream(delivery, { request, reply, key })
        const channel = channelOf('flagsmith', key.environment.id, key.kind)
        // Who comes back learns what happened meanwhile; who knows it already passes over it.
        delivery.streams.open(channel, stream, [updatedMessage(version, changedAt)])
        return reply
      },
    )
  }
}

function answering(delivery: Delivery, call: Call) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const asked = await prepare(delivery, request)
    const answer = await call(asked)
    return reply
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-store',
        'x-flagsmith-document-updated-at': String(asked.served.changedAt / 1_000),
        ...answer.headers,
      })
      .send('text' in answer ? answer.text : JSON.stringify(answer.value))
  }
}

async function prepare({ keys, ruleSets }: Delivery, request: FastifyRequest): Promise<FlagsmithRequest> {
  const given = request.headers['x-environment-key']
  if (typeof given !== 'string' || given === '') {
    throw new Refused(403, {
      detail: 'Authentication credentials were not provided: send X-Environment-Key.',
    })
  }
  const key = await keys.authenticate(request, given)
  const { id } = key.environment
  const served = ruleSets.find(id) ?? (await ruleSets.get(id))
  const { query, body, memory: claim } = request
  const address = key.kind === 'client' ? request.ip : undefined
  const bytes = Buffer.isBuffer(body) ? body : undefined
  await takeParseTurn(bytes?.length ?? 0)
  return { key, served, query, body: bytes, address, claim }
}

/** In the words of Flagsmith: clients look at the status, people at `detail`. Whatever is wrong with a key is 403 there. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refused) return say(reply, error.status, error.body)
  const { status, code, context } = toProblem(error, request)
  if (context.retryAfterSeconds !== undefined)
    reply.header('retry-after', Math.ceil(context.retryAfterSeconds))
  const detail = context.detail ?? errors[code].title
  return say(reply, status === 401 ? 403 : status, { detail })
}

function say(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify(body))
}

/** `GET flags/`: all flags without an identity, or the one of a name. */
function answerFlags({ evaluationCounts: counts }: Delivery) {
  return ({ key, served, query }: FlagsmithRequest): Answer => {
    const name = queryValue(query, 'feature')
    const text = flagsText(served, { key, context: {}, hasIdentity: false, counts }, name)
    if (name === undefined) return { text }
    if (text === '[]') throw new Refused(404, { detail: 'Given feature not found' })
    return { text: text.slice(1, -1) }
  }
}
