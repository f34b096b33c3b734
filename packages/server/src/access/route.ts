// Binds a call of the contract to its handler. The order of the checks is the order of this file: identify the
// caller, check permissions, validate the input, run the handler, send the response.

import {
  type AcceptedOf,
  type BodyOf,
  type Call,
  type ParamsOf,
  parameterNames,
  type QueryOf,
} from '@telltale/core/contract/call'
import { pathParameters } from '@telltale/core/contract/parameters'
import { type Fault, Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { ProjectPermission } from '@telltale/core/permissions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { ChangeOrigin } from '../platform/engines/postgres/change.ts'
import { Accepted } from '../platform/http/accepted.ts'
import { isSecure, ownOrigin } from '../platform/http/address.ts'
import { type Cookies, cookiesOf } from '../platform/http/cookies.ts'
import { Download } from '../platform/http/download.ts'
import { EventStream } from '../platform/http/event-stream.ts'
import { unavailable } from '../platform/http/problems.ts'
import { addressKey, type RateLimit } from '../platform/http/rate-limit.ts'
import { hashSecret, tokenOfLink } from '../platform/http/secret.ts'
import { isStorable } from '../platform/http/strict-json.ts'
import { type Check, compileCheck } from '../platform/http/validate.ts'
import type { MemoryClaim } from '../platform/memory/memory-budget.ts'
import type { Services } from '../platform/services.ts'
import { checkAccess, checkBodyEnvironment, type ProjectAccess } from './access.ts'
import { actorOf, type Caller, identify, type KnownCaller, type Person } from './caller.ts'
import type { Guess, GuessLimits } from './guess-limits.ts'
import { pathValues } from './path-values.ts'
import type { NoteRefusal } from './refused.ts'
import { endWithRight } from './still-may.ts'

type CallerOf<C extends Call> = C['permission'] extends 'anyone'
  ? Caller
  : C['permission'] extends 'person'
    ? Person
    : KnownCaller

/** The validated input of a handler. */
export interface RouteRequest<C extends Call> {
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  caller: CallerOf<C>
  /** The project of the path, for calls that need a permission in it. */
  project: C['permission'] extends ProjectPermission ? ProjectAccess : undefined
  origin: ChangeOrigin
  /** The client's base version (`If-Match`), if sent. */
  ifMatch: number | undefined
  /** The memory claim of the body, until the response is sent. */
  memory: MemoryClaim
  userAgent: string
  /** The public address of this installation, for links. */
  ownOrigin: string
  cookie: Cookies
}

/** The reply; or, where the call may open a change request instead, the opened request. */
type AnswerOf<C extends Call> = C['stream'] extends true
  ? EventStream
  : C['download'] extends string
    ? Download
    : Static<C['reply']> | ([AcceptedOf<C>] extends [never] ? never : Accepted<AcceptedOf<C>>)

/** `Needs`: the services of its module. */
export type Handler<C extends Call, Needs> = (
  services: Needs,
  requested: RouteRequest<C>,
) => Promise<AnswerOf<C>>
export type Handlers<Group extends Record<string, Call>, Needs> = {
  readonly [Name in keyof Group]: Handler<Group[Name], Needs>
}

export interface RateLimits {
  management: RateLimit
  guesses: GuessLimits
  /** Counts rejected credentials by address. */
  credentials: RateLimit
}

interface Binding<Needs extends Services> {
  call: Call
  handler: Handler<Call, Needs>
  services: Needs
  rates: RateLimits
  noteRefusal: NoteRefusal
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    project: ProjectAccess | undefined
  }
}

export function bindRoute<Needs extends Services>(
  server: FastifyInstance,
  { call, handler, services, rates, noteRefusal }: Binding<Needs>,
): void {
  const read = compileInput(call)
  const schemas = { reply: { ...call.reply }, accepted: { ...call.accepted } }

  /** Runs work that may be refused, and records refusals in the audit log. */
  async function noted<Done>(request: FastifyRequest, work: () => Promise<Done>): Promise<Done> {
    try {
      return await work()
    } catch (error) {
      const { email } = asObject(request.body)
      noteRefusal({
        call,
        caller: request.caller,
        requestId: request.id,
        projectKey: pathParameter(request, 'project'),
        isInside: request.project !== undefined,
        email: typeof email === 'string' ? email : undefined,
        error,
      })
      throw error
    }
  }

  server.route({
    method: call.method,
    url: call.path,
    ...(call.stream && { exposeHeadRoute: false }),
    // Limits how much an anonymous caller can make the server parse.
    ...(call.permission === 'anyone' && { bodyLimit: limits.anonymousBodySize }),
    ...(call.upload !== undefined && { bodyLimit: call.upload }),
    ...(call.large !== undefined && { bodyLimit: call.large }),
    // Before the body is read, so that nothing is parsed for unknown callers.
    onRequest: async (request, reply) => {
      refuseWhileWaiting(services)
      if (call.permission !== 'anyone') {
        const from = addressKey(request.ip)
        rates.credentials.take(from)
        request.caller = await identify(services, request, reply).catch((error: unknown) => {
          // An unavailable database does not mean that the credential is wrong.
          if (!isUnauthenticated(error)) rates.credentials.giveBack(from)
          throw error
        })
        rates.credentials.giveBack(from)
      }
      rates.management.take(rateKey(request))
      refuseCoding(request)
      request.project = await noted(request, () =>
        checkAccess(services.db, request.caller, {
          ...{ permission: call.permission, stepUp: call.stepUp === true },
          path: pathValues(request),
          environmentInBody: call.environmentInBody === true,
          now: services.clock(),
        }),
      )
    },
    handler: async (request, reply) => {
      const input = read(request)
      const requested = describeRequest(call, services, { request, reply, input })
      const answer = await noted(request, async () => {
        if (call.environmentInBody)
          checkBodyEnvironment(request.project, call.permission, asObject(input.body))
        const make = () => handler(services, requested)
        if (call.guessable === undefined) return make()
        return call.guessable === 'refusals'
          ? rates.guesses.useLink(request.ip, make)
          : rates.guesses.attempt(guessOf(call.guessable, request), make)
      })

      // Waits until this server serves the change, so that later reads include it.
      if (call.method !== 'GET') await services.announcements.settled()

      if (answer instanceof EventStream) {
        const { permission } = call
        const { caller } = request
        endWithRight(services, reply.raw, { caller, permission, path: pathValues(request) })
        return openStream(request, reply, answer)
      }
      if (answer instanceof Download) return sendDownload(reply, answer)
      reply.header('cache-control', 'no-store')
      if (answer instanceof Accepted) {
        return sendJson(reply.code(202).header('location', answer.address), schemas.accepted, answer.body)
      }
      const etag = call.versioned ? versionOf(answer) : undefined
      if (etag !== undefined) reply.header('etag', `"${etag}"`)
      reply.code(call.status ?? 200)
      return call.status === 204 ? reply.send() : sendJson(reply, schemas.reply, answer)
    },
  })
}

/** Serializers are compiled on first use: compiling all of them took a third of the startup time. */
function sendJson(reply: FastifyReply, schema: Record<string, unknown>, body: unknown): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .serializer(reply.compileSerializationSchema(schema))
    .send(body)
}

/** Uploaded content must never run here as a page or a script. */
function sendDownload(reply: FastifyReply, { type, content, isImmutable }: Download): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      'cache-control': isImmutable ? 'private, max-age=31536000, immutable' : 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    .send(content)
}

function openStream(request: FastifyRequest, reply: FastifyReply, { begin }: EventStream): FastifyReply {
  reply.hijack()
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
    // Prevents nginx from buffering messages.
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  })
  begin(reply.raw)
  return reply
}

interface Input {
  params: Record<string, string>
  query: unknown
  body: unknown
}

function compileInput(call: Call): (request: FastifyRequest) => Input {
  const names = parameterNames(call.path)
  const parameters = names.map((name) => ({ name, check: compileCheck(pathParameters[name]) }))
  const checkQuery = compileCheck<TSchema>(call.query ?? emptyQuery)
  const checkBody = call.body && compileCheck<TSchema>(call.body)

  return (request) => {
    const params = Object.fromEntries(
      parameters.map(({ name, check }) => {
        const value = pathParameter(request, name) ?? ''
        if ('faults' in check(value)) throw problem('not-found')
        return [name, value]
      }),
    )
    const query = call.query ? Value.Convert(call.query, { ...asObject(request.query) }) : request.query
    const ofBody =
      call.upload === undefined ? bodyFaults(checkBody, request.body) : uploadFaults(request.body)
    const faults = [...inQuery(queryFaults(checkQuery, query)), ...ofBody]
    if (faults.length > 0) throw problem('invalid-request', { errors: faults.slice(0, limits.faultsListed) })

    return { params, query, body: request.body }
  }
}

/** Enough to distinguish browsers in the list of sessions. */
const userAgentLength = 256

const emptyQuery = { type: 'object', additionalProperties: false } as const

function bodyFaults(check: Check<TSchema> | undefined, body: unknown): Fault[] {
  if (check)
    return body === undefined ? [{ pointer: '', message: 'is missing (JSON)' }] : faultsOf(check, body)

  return body === undefined || body === null ? [] : [{ pointer: '', message: 'must be empty' }]
}

function uploadFaults(body: unknown): Fault[] {
  const isThere = body instanceof Uint8Array && body.byteLength > 0
  return isThere ? [] : [{ pointer: '', message: 'is missing (application/octet-stream)' }]
}

function faultsOf(check: Check<TSchema>, value: unknown): Fault[] {
  const checked = check(value)
  return 'faults' in checked ? checked.faults : []
}

function queryFaults(check: Check<TSchema>, query: unknown): Fault[] {
  const unstorable = Object.entries(asObject(query)).filter(
    ([, value]) => typeof value === 'string' && !isStorable(value),
  )
  return [
    ...faultsOf(check, query),
    ...unstorable.map(([name]) => ({ pointer: `/${name}`, message: 'contains an invalid character' })),
  ]
}

function inQuery(faults: Fault[]): Fault[] {
  return faults.map(({ pointer, message }) => ({ pointer: `?${pointer.slice(1)}`, message }))
}

function describeRequest(
  call: Call,
  services: Services,
  { request, reply, input }: { request: FastifyRequest; reply: FastifyReply; input: Input },
): RouteRequest<Call> {
  const { config } = services

  const requested = {
    params: input.params,
    query: input.query,
    body: input.body,
    caller: request.caller,
    project: request.project,
    origin: {
      actor: actorOf(request.caller),
      requestId: request.id,
      now: services.clock(),
      idempotency: call.idempotent ? idempotencyOf(request, input) : undefined,
    },
    ifMatch: ifMatchOf(request),
    memory: request.memory,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentLength),
    ownOrigin: ownOrigin(request, config),
    cookie: cookiesOf(request, reply, { secure: isSecure(request, config) }),
  }
  // The type follows from the schemas and the permission of the call, which were checked above.
  return requested as unknown as RouteRequest<Call>
}

function idempotencyOf(request: FastifyRequest, input: Input): ChangeOrigin['idempotency'] {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > limits.idempotencyKeyLength) {
    throw problem(
      'invalid-request',
      `An Idempotency-Key must have 1 to ${limits.idempotencyKeyLength} characters.`,
    )
  }
  return {
    key,
    scope: `${rateKey(request)} ${request.method} ${request.routeOptions.url}`,
    request: [input.params, input.body],
  }
}

function ifMatchOf(request: FastifyRequest): number | undefined {
  const given = request.headers['if-match']
  if (given === undefined || given === '*') return undefined

  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(given)?.[1]
  if (version === undefined)
    throw problem('invalid-request', 'If-Match must be the ETag of an earlier response.')
  return Number(version)
}

/** The target of a guess. For a signed-in caller it is the account of the session, not that of the body. */
function guessOf(guessable: 'failures' | 'always', request: FastifyRequest): Guess {
  const { caller, ip } = request
  const countsAll = guessable === 'always'
  if (caller.kind !== 'anonymous') {
    return { kind: 'confirm', address: ip, account: caller.user.email.toLowerCase(), countsAll }
  }
  const { email, token } = asObject(request.body)
  const link = typeof token === 'string' ? hashSecret(tokenOfLink(token)) : undefined
  const account = typeof email === 'string' ? email.toLowerCase() : undefined
  return { kind: countsAll ? 'request' : 'sign-in', address: ip, account, link, countsAll }
}

function rateKey(request: FastifyRequest): string {
  const { caller } = request
  if (caller.kind === 'token') return `token ${caller.token.id}`
  return caller.kind === 'person' ? `user ${caller.user.id}` : `address ${addressKey(request.ip)}`
}

function refuseCoding(request: FastifyRequest): void {
  const coding = request.headers['content-encoding']
  if (coding !== undefined && coding !== 'identity') {
    throw problem(
      'unsupported-encoding',
      `The management API does not support the content encoding "${coding}".`,
    )
  }
}

function versionOf(answer: unknown): number | undefined {
  const { version } = asObject(answer)
  return typeof version === 'number' ? version : undefined
}

function pathParameter(request: FastifyRequest, name: string): string | undefined {
  return pathValues(request)[name]
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Rejects requests until the tables have the schema of this version. */
function refuseWhileWaiting({ postgresState }: Services): void {
  if (postgresState() === 'waiting') throw unavailable()
}

const isUnauthenticated = (error: unknown) => error instanceof Problem && error.code === 'unauthenticated'
