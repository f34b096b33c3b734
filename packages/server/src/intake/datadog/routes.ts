// Supports the unmodified Datadog browser client with its `proxy` option: `/intake/datadog` when that is a string, and
// the paths below it when it is a function. Responses follow that client's protocol: it checks only the status, retries
// 429 and 5xx, and treats everything else as delivered.

import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SdkKeys } from '../../organisation/keys/sdk-key.ts'
import { createPrivateFolder } from '../../platform/data-folder/create-private-folder.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { clientAddressOf, relayedBy } from '../../platform/http/relayed.ts'
import { startRepeating } from '../../platform/process/repeat.ts'
import { receiving } from '../bind-intake.ts'
import { bindRawBodies } from '../bind-raw-bodies.ts'
import { browserOf } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import { createIntakeRate } from '../events/within-limits.ts'
import { openEventIds } from '../foreign-events/event-ids.ts'
import { openForeignFlags } from '../foreign-flags/carry-flags.ts'
import { admit, findForward, refuse, respond, tokenOf } from './admit.ts'
import { createTakeProfile } from './profile.ts'
import { answerQuota } from './quota.ts'
import type { Forward } from './read-forward.ts'
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
    const { environment } = await admit(keys, request, tokenOf(request, parameters))
    rate.take(environment.id)
    reply.header('cache-control', 'no-store')
    if (track === 'quota') return reply.send(answerQuota(environment, intake.reductions))
    if (method === 'GET') return respond(reply, 405, 'Send it by POST.')
    await receive(request, (claim) =>
      takes[track]({
        environment,
        parameters,
        browser: browserOf(request),
        country: intake.countryOf(clientAddressOf(request)),
        waited: relayedBy(request)?.waited ?? 0,
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

function isBeacon({ headers }: FastifyRequest, parameters: URLSearchParams): boolean {
  return parameters.get('_dd.api') === 'beacon' || headers['sec-fetch-mode'] === 'no-cors'
}
