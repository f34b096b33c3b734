// Sends every error as RFC 9457 problem details.

import { type ErrorCode, errors, isErrorCode, Problem, problem } from '@telltale/core/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable, reasonOf } from '../engines/postgres/open.ts'

const engineRetrySeconds = 2
/** Of the path: no valid one is longer. */
const longestInstance = 1_000

export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: Problem): FastifyReply {
  const { detail, errors: faults, current, permission, lanes, shorter, rollouts } = refusal.context
  const { retryAfterSeconds } = refusal.context
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterSeconds)))
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer')

  const details = {
    type: `/errors/${refusal.code}`,
    title: errors[refusal.code].title,
    status: refusal.status,
    ...(detail === undefined ? {} : { detail }),
    // Only the path: a query may contain secrets.
    instance: (request.url.split('?', 1)[0] ?? '/').slice(0, longestInstance),
    requestId: request.id,
    ...(faults === undefined ? {} : { errors: faults }),
    ...(current === undefined ? {} : { current }),
    ...(permission === undefined ? {} : { permission }),
    ...(lanes === undefined ? {} : { lanes }),
    ...(shorter === undefined ? {} : { shorter }),
    ...(rollouts === undefined ? {} : { rollouts }),
  }
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(details)
}

/** Maps any thrown value to an error of the catalogue. Unexpected errors are logged and return no details. */
export function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error

  if (isUnavailable(error)) {
    request.log.warn({ reason: reasonOf(error) }, 'PostgreSQL is not available')
    return unavailable()
  }
  if (isUnstorableText(error)) {
    return problem('invalid-request', 'The request contains a character that cannot be stored.')
  }
  const refused = fromFastify(error)
  if (refused) return refused

  request.log.error({ err: error }, 'a request failed')
  return problem('internal')
}

/** The error while PostgreSQL is unavailable. */
export function unavailable(): Problem {
  return problem('engine-unavailable', {
    detail: 'The control plane is unavailable. Try again.',
    retryAfterSeconds: engineRetrySeconds,
  })
}

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-encoding',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-body',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-body',
  FST_CP_ERR_INVALID_CONTENT_ENCODING: 'unsupported-encoding',
  FST_ERR_BAD_URL: 'not-found',
  FST_ERR_INVALID_URL: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
}

/**
 * NUL, or a lone surrogate, in input without a schema: PostgreSQL's `character_not_in_repertoire` and related errors.
 */
const unstorable = new Set(['22021', '22P05'])

function isUnstorableText(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && unstorable.has(at.code)) return true
  }
  return false
}

function fromFastify(error: unknown): Problem | undefined {
  if (!isFastifyError(error)) return undefined

  const code = fastifyCodes[error.code]
  if (!code || !isErrorCode(code)) return undefined
  // Messages about a URL contain all of it.
  return code === 'not-found' ? problem(code) : problem(code, error.message)
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
