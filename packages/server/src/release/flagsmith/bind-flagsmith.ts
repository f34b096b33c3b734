// Flagsmith's SDK API, for its unmodified clients: `/flagsmith/api/v1/` in place of their own server. Responses
// and errors have Flagsmith's format; each call has a separate file.

import { errors } from '@telltale/core/errors'
import { isContext } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryValue } from '../../organisation/keys/sdk-key.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { toProblem } from '../../platform/http/problems.ts'
import { clientAddressOf } from '../../platform/http/relayed.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
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
import type { TraitsStore } from './traits-store.ts'

/** Further names are ignored: no client evaluates this many. */
const mostNames = 5_000

/**
 * `POST analytics/flags/`: how often an application evaluated each flag in its client. Requests to this server
 * were counted when they were served, so only server keys count here, whose clients may evaluate locally.
 */
function takeAnalytics({ evaluationCounts }: Delivery) {
  return (requested: FlagsmithRequest): Answer => {
    const { key, served } = requested
    const counts = jsonOf(requested)
    if (!isContext(counts)) throw new Refused(400, { detail: 'Expected a map from feature names to counts.' })
    if (key.kind === 'server') {
      const names = new Map([...served.flags.values()].map((flag) => [nameOf(flag), flag.key]))
      for (const [name, count] of Object.entries(counts).slice(0, mostNames)) {
        const flag = names.get(name)
        const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count > 0
        if (flag === undefined || !isCount) continue
        evaluationCounts.countElsewhere(key.environment.id, flag, count)
        evaluationCounts.meterOf(key).count += Math.min(count, limits.evaluationsPerOutcome)
      }
    }
    return { value: {} }
  }
}

const base = '/flagsmith/api/v1'
const quiet = { helmet: false as const, errorHandler: refuse, exposeHeadRoute: false }

type Call = (requested: FlagsmithRequest) => Answer | Promise<Answer>

/** Handles the events of Flagsmith's clients. */
export type TakeEvents = (requested: FlagsmithRequest, request: FastifyRequest) => Promise<object>

/** Answers a call by another server. Throws `Refused`. */
export type AnswerElsewhere = (requested: FlagsmithRequest, request: FastifyRequest) => Promise<Answer>

interface FlagsmithParts {
  store: TraitsStore
  takeEvents: TakeEvents
  /** At an edge: for calls that need kept traits. */
  elsewhere?: AnswerElsewhere
}

export function bindFlagsmith(
  scope: FastifyInstance,
  delivery: Delivery,
  { store, takeEvents, elsewhere }: FlagsmithParts,
): void {
  const identities = identitiesCall(delivery, store)
  const traits = traitsCalls(delivery, store)
  const calls: Record<string, Partial<Record<'GET' | 'POST' | 'PUT', Call>>> = {
    '/flags': { GET: answerFlags(delivery) },
    '/identities': { GET: identities.get, POST: identities.post },
    '/traits': { POST: keeping(traits.post) },
    '/traits/bulk': { PUT: keeping(traits.putAll) },
    '/traits/increment-value': { POST: keeping(traits.increment) },
    '/environment-document': { GET: answerDocument(delivery) },
    '/analytics/flags': { POST: takeAnalytics(delivery) },
  }
  for (const [path, methods] of Object.entries(calls)) {
    // Clients end every path with a slash; manual requests often do not.
    for (const url of [`${base}${path}/`, `${base}${path}`]) {
      for (const [method, call] of Object.entries(methods)) {
        scope.route({ ...quiet, method, url, handler: answering(delivery, call, elsewhere) })
      }
      refuseOtherMethods(scope, url, Object.keys(methods))
    }
  }
  // The URL of events is also configurable; the client appends `v1/events`.
  for (const url of ['/flagsmith/v1/events', `${base}/v1/events`]) {
    const options = {
      ...quiet,
      bodyLimit: limits.intakeCompressedSize,
      config: { memory: 'telemetry' as const },
    }
    scope.post(url, options, async (request, reply) => {
      const requested = await prepare(delivery, request)
      return respond(reply, 202, await takeEvents(requested, request))
    })
    refuseOtherMethods(scope, url, ['POST'])
  }
  // The URL of the stream is a separate option, used with and without the API's path.
  for (const prefix of ['/flagsmith', base]) {
    scope.get<{ Params: { key: string } }>(
      `${prefix}/sse/environments/:key/stream`,
      { ...quiet, compress: false },
      async (request, reply) => {
        const key = await delivery.keys.authenticate(request, request.params.key)
        const { version, changedAt } = await delivery.ruleSets.get(key.environment.id)
        const stream = beginStream(delivery, { request, reply, key })
        const channel = channelOf('flagsmith', key.environment.id, key.kind)
        // A client that reconnects learns of changes in between; a client with this version ignores the
        // message.
        delivery.streams.open(channel, stream, [updatedMessage(version, changedAt)])
        return reply
      },
    )
  }
}

/** Of a call that stores traits. */
function keeping(call: Call): Call {
  return (requested) => requested.elsewhere?.() ?? call(requested)
}

function answering(delivery: Delivery, call: Call, elsewhere: AnswerElsewhere | undefined) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const requested = await prepare(delivery, request)
    if (elsewhere !== undefined) requested.elsewhere = () => elsewhere(requested, request)
    const answer = await call(requested)
    return reply
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-store',
        'x-flagsmith-document-updated-at': String(requested.served.changedAt / 1_000),
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
  const address = key.kind === 'client' ? clientAddressOf(request) : undefined
  const bytes = Buffer.isBuffer(body) ? body : undefined
  await takeParseTurn(bytes?.length ?? 0)
  return { key, served, query, body: bytes, address, claim }
}

/**
 * Errors in Flagsmith's format: clients read the status, developers read `detail`. Every error of a key is 403
 * there.
 */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refused) return respond(reply, error.status, error.body)
  const { status, code, context } = toProblem(error, request)
  if (context.retryAfterSeconds !== undefined)
    reply.header('retry-after', Math.ceil(context.retryAfterSeconds))
  const detail = context.detail ?? errors[code].title
  return respond(reply, status === 401 ? 403 : status, { detail })
}

function respond(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify(body))
}

/** `GET flags/`: all flags without an identity, or one by name. */
function answerFlags({ evaluationCounts: counts }: Delivery) {
  return ({ key, served, query }: FlagsmithRequest): Answer => {
    const name = queryValue(query, 'feature')
    const text = flagsText(served, { key, context: {}, hasIdentity: false, counts }, name)
    if (name === undefined) return { text }
    if (text === '[]') throw new Refused(404, { detail: 'Given feature not found' })
    return { text: text.slice(1, -1) }
  }
}
