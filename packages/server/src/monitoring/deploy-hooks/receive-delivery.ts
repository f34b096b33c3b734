// Receives deliveries. The signature is over the bytes of the body, so they are read as they are, and parsed only after it
// has been checked.

import { createHmac } from 'node:crypto'
import { deployHookPath } from '@telltale/core/contract/deploy-hooks'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { validate as isId } from 'uuid'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { addressKey, createRateLimit } from '../../platform/http/rate-limit.ts'
import { isSameSecret } from '../../platform/http/secret.ts'
import { readStrictJson } from '../../platform/http/strict-json.ts'
import { readRequest } from '../../platform/memory/read-request.ts'
import type { Services } from '../../platform/services.ts'
import { createDeploy } from '../deploys/create-deploy.ts'
import { findHookById, noteDelivery } from './queries.ts'
import { readDelivery } from './read-delivery.ts'

type HookRequest = FastifyRequest<{
  Params: { hook: string }
  Querystring: { environment?: string | string[] }
}>

export async function bindDeployHooks(server: FastifyInstance, services: Services): Promise<void> {
  const rate = createRateLimit(services.config.managementRate, services.elapsed)
  const url = `${deployHookPath}/:hook`
  await server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', readRequest)
    scope.post(url, { bodyLimit: limits.bodySize }, async (request: HookRequest, reply) => {
      rate.take(`address ${addressKey(request.ip)}`)
      const { status, body } = await receive(services, request)
      return reply.code(status).header('cache-control', 'no-store').send(body)
    })
    done()
  })
  refuseOtherMethods(server, url, ['POST'])
}

async function receive(services: Services, request: HookRequest): Promise<{ status: number; body: object }> {
  const { db, clock } = services
  const { hook: id } = request.params
  const found = isId(id) ? await findHookById(db, id) : undefined
  if (found === undefined) throw problem('not-found', 'There is no such deploy webhook.')
  const { hook, environment, project } = found
  const bytes = request.body instanceof Uint8Array ? Buffer.from(request.body) : Buffer.alloc(0)
  checkSignature(bytes, { given: header(request, 'x-hub-signature-256'), secret: hook.secret })

  const named = request.query.environment
  const body = parse(bytes)
  const read = readDelivery({
    event: header(request, 'x-github-event'),
    body,
    environments: typeof named === 'string' ? [named] : [environment.key, environment.name],
  })
  const now = clock()
  if ('ignored' in read) {
    await noteDelivery(db, hook.id, { at: now, result: `Ignored: ${read.ignored}` })
    return { status: 202, body: read }
  }
  const key = header(request, 'x-github-delivery') ?? header(request, 'idempotency-key')
  const sender = header(request, 'x-github-event') === undefined ? 'Deploy webhook' : 'GitHub'
  const deploy = await createDeploy(
    db,
    {
      actor: { kind: 'system', id: hook.id, name: sender },
      requestId: request.id,
      now,
      idempotency:
        key === undefined
          ? undefined
          : {
              key: key.slice(0, limits.idempotencyKeyLength),
              scope: `deploy-hook ${hook.id}`,
              request: body,
            },
    },
    { project, environment, deploy: read.deploy },
  )
  await noteDelivery(db, hook.id, { at: now, result: `Recorded ${deploy.version}` })
  return { status: 201, body: { deploy } }
}

/** As GitHub signs: `sha256=` and the hexadecimal HMAC of the body. */
function checkSignature(
  bytes: Buffer,
  { given, secret }: { given: string | undefined; secret: string },
): void {
  const expected = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
  if (given === undefined || !isSameSecret(given, expected)) {
    throw problem(
      'unauthenticated',
      'X-Hub-Signature-256 is missing or does not match the secret of this webhook.',
    )
  }
}

function parse(bytes: Uint8Array): unknown {
  const read = readStrictJson(bytes)
  if ('value' in read) return read.value
  throw problem(read.kind === 'malformed' ? 'malformed-body' : 'invalid-request', { errors: read.faults })
}

function header({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
