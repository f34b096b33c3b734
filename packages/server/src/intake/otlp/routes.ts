// OpenTelemetry's protocol over HTTP: `/v1/traces` and `/v1/logs`, where its exporters send to by default. A server key
// or, from the pages of allowed origins, a client key is the credential.

import { errors } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SdkKeys } from '../../organisation/keys/sdk-key.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { toProblem } from '../../platform/http/problems.ts'
import { receiving } from '../bind-intake.ts'
import { bindRawBodies } from '../bind-raw-bodies.ts'
import { browserOf } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import { createIntakeRate } from '../events/within-limits.ts'
import { contentTypeOf, encodeReceipt, encodeStatus, encodingOf } from './encoding.ts'
import type { OtlpTakes } from './open-otlp.ts'
import { otlpSource } from './otlp-request.ts'
import type { TakeOtlp } from './take-request.ts'

/** A fault of the server must not cost data: clients drop what is answered with 500. */
const faultRetrySeconds = 30

interface OtlpEndpoint {
  path: string
  /** The member of the answer that counts what is rejected. */
  rejectedName: string
  take: TakeOtlp
}

export async function bindOtlp(
  server: FastifyInstance,
  services: IntakeServices,
  { keys, takes }: { keys: SdkKeys; takes: OtlpTakes },
): Promise<void> {
  const endpoints: OtlpEndpoint[] = [
    { path: '/v1/traces', rejectedName: 'rejectedSpans', take: takes.traces },
    { path: '/v1/logs', rejectedName: 'rejectedLogRecords', take: takes.logs },
  ]
  const rate = createIntakeRate(services, otlpSource)
  const receive = receiving(services)

  const answer = async (request: FastifyRequest, reply: FastifyReply, endpoint: OtlpEndpoint) => {
    const encoding = encodingOf(request.headers['content-type'])
    if (encoding === undefined) {
      return respondStatus(request, reply, {
        status: 415,
        message: 'Send application/x-protobuf or application/json.',
      })
    }
    const { environment, kind } = await keys.authenticate(request)
    rate.take(environment.id)
    const isEmpty = request.headers['content-length'] === '0'
    const receipt = await receive(request, (claim) =>
      endpoint.take({
        environment,
        encoding,
        browser: { ...browserOf(request), isServer: kind === 'server' },
        // The address of a server says nothing about users.
        country: kind === 'server' ? '' : services.intake.countryOf(request.ip),
        body: isEmpty ? undefined : { stream: request.raw, encoding: request.headers['content-encoding'] },
        claim,
      }),
    )
    return reply
      .code(200)
      .header('cache-control', 'no-store')
      .type(contentTypeOf(encoding))
      .send(encodeReceipt(receipt, { encoding, rejectedName: endpoint.rejectedName }))
  }

  await bindRawBodies(server, (scope, options) => {
    for (const endpoint of endpoints) {
      scope.post(endpoint.path, { ...options, errorHandler: refuse }, (request, reply) =>
        answer(request, reply, endpoint),
      )
      refuseOtherMethods(scope, endpoint.path, ['POST'])
    }
  })
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // An unread rest of the body would block the next request on the connection.
  request.raw.resume()
  const { status, code, context } = toProblem(error, request)
  const isFault = status === 500
  const retryAfter = isFault ? faultRetrySeconds : context.retryAfterSeconds
  if (retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfter)))
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  const message = [errors[code].title, context.detail].filter((text) => text !== undefined).join(' ')
  return respondStatus(request, reply, { status: isFault ? 503 : status, message })
}

function respondStatus(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, message }: { status: number; message: string },
): FastifyReply {
  const encoding = encodingOf(request.headers['content-type']) ?? 'json'
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(contentTypeOf(encoding))
    .send(encodeStatus(status, message, encoding))
}
