// Supports the unmodified Datadog browser client with its `proxy` option: `/intake/datadog` when that is a string, and
// the paths below it when it is a function. Responses follow that client's protocol: it checks only the status, retries
// 429 and 5xx, and treats everything else as delivered.

import { join } from 'node:path'
import { errors } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { SdkKeys } from '../../organisation/keys/sdk-key.ts'
import { createPrivateFolder } from '../../platform/data-folder/create-private-folder.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { toProblem } from '../../platform/http/problems.ts'
import { startRepeating } from '../../platform/process/repeat.ts'
import { receiving } from '../bind-intake.ts'
import { bindRawBodies } from '../bind-raw-bodies.ts'
import { browserOf } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import { createIntakeRate } from '../events/within-limits.ts'
import { openEventIds } from '../foreign-events/event-ids.ts'
import { openForeignFlags } from '../foreign-flags/carry-flags.ts'
import { createTakeProfile } from './profile.ts'
import { answerQuota } from './quota.ts'
import { type Forward, readForward } from './read-forward.ts'
import { createTakeReplay } from './replay.ts'
import { type DatadogParts, datadogSource, type TakeRequest } from './request.ts'
import { openTakeRum } from './rum.ts'
import { createDatadogSessions } from './sessions.ts'
import { createDatadogViews } from './views.ts'

const base = '/intake/datadog'

export async function bindDatadog(
  server: FastifyInstance,
  services: IntakeServices,
  keys: SdkKeys,
): Promise<void> {
  const { intake, live, erasedPeople, background, log, config } = services
  const folder = join(dataPaths(config.dataFolder).spool, 'datadog')
  await createPrivateFolder(folder)
  const eventIds = await openEventIds(join(folder, 'event-ids'), { now: intake.now, log })
  const flags = openForeignFlags(services, datadogSource)
  const parts: DatadogParts = {
    intake,
    live,
    erasedPeople,
    log,
    config,
    eventIds,
    sessions: createDatadogSessions(),
    views: createDatadogViews(),
    carryFlags: flags.carry,
  }
  const rum = await openTakeRum(parts, join(folder, 'views.log'))
  const stopForgetting = erasedPeople.onChange(() => background(rum.forgetErased(), 'erasing open views'))
  const stops = [
    startRepeating(log, { what: 'writing event ids', every: 1_000 }, eventIds.keep),
    startRepeating(log, { what: 'writing final states of views', every: 5_000 }, async () => {
      await eventIds.tidy()
      await rum.reportSilent()
    }),
  ]
  server.addHook('onClose', async () => {
    stopForgetting()
    flags.stop()
    for (const stop of stops) await stop()
    await eventIds.keep()
    await rum.close()
  })
  const takes: Record<Exclude<Forward['track'], 'quota'>, TakeRequest> = {
    rum: rum.take,
    replay: createTakeReplay(parts),
    profile: createTakeProfile(parts),
  }
  const rate = createIntakeRate(services, datadogSource)
  const receive = receiving(services)

  const answer = async (request: FastifyRequest, reply: FastifyReply, method: 'GET' | 'POST') => {
    const { track, parameters } = findForward(request)
    const environment = await admit(keys, request, parameters)
    rate.take(environment.id)
    reply.header('cache-control', 'no-store')
    if (track === 'quota') return reply.send(answerQuota(environment, intake.reductions))
    if (method === 'GET') return respond(reply, 405, 'Send it by POST.')
    await receive(request, (claim) =>
      takes[track]({
        environment,
        parameters,
        browser: browserOf(request),
        country: intake.countryOf(request.ip),
        isBeacon: isBeacon(request, parameters),
        contentType: request.headers['content-type'] ?? '',
        body: request.raw,
        claim,
      }),
    )
    return reply.code(202).send({})
  }

  await bindRawBodies(server, (scope, raw) => {
    const options = { ...raw, errorHandler: refuse, exposeHeadRoute: false }
    for (const url of [base, `${base}/*`]) {
      scope.post(url, options, (request, reply) => answer(request, reply, 'POST'))
      scope.get(url, options, (request, reply) => answer(request, reply, 'GET'))
      refuseOtherMethods(scope, url, ['GET', 'POST'])
    }
  })
}

function findForward({ url, params }: FastifyRequest): Forward {
  const rest: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, '*') : undefined
  const forward = readForward(url, typeof rest === 'string' ? rest : '')
  if (forward !== undefined) return forward
  throw new Refused(404, 'Supported Datadog paths: rum, replay, profile and profiling/quota.')
}

/** Keys are public: one in the URL is as safe as one in a header. */
async function admit(
  keys: SdkKeys,
  request: FastifyRequest,
  parameters: URLSearchParams,
): Promise<KnownEnvironment> {
  const header = request.headers['dd-client-token']
  const given =
    parameters.get('dd-api-key') ??
    parameters.get('dd-client-token') ??
    (typeof header === 'string' ? header : '')
  if (given === '') throw new Refused(403, 'Send a client key of an environment as `clientToken`.')
  const { kind, environment } = await keys.authenticate(request, given)
  if (kind !== 'client') throw new Refused(403, 'This is a server key; send a client key as `clientToken`.')
  return environment
}

function isBeacon({ headers }: FastifyRequest, parameters: URLSearchParams): boolean {
  return parameters.get('_dd.api') === 'beacon' || headers['sec-fetch-mode'] === 'no-cors'
}

class Refused extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.name = 'Refused'
    this.status = status
  }
}

/** Every key error is a 403 in Datadog's protocol. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // An unread rest of the body would block the next request on the connection.
  request.raw.resume()
  if (error instanceof Refused) return respond(reply, error.status, error.message)
  const { status, code, context } = toProblem(error, request)
  if (context.retryAfterSeconds !== undefined) {
    reply.header('retry-after', Math.max(1, Math.ceil(context.retryAfterSeconds)))
  }
  return respond(reply, status === 401 ? 403 : status, context.detail ?? errors[code].title)
}

function respond(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify({ errors: [{ status: String(status), detail }] }))
}
