// Supports the unmodified web client of Grafana Faro: its `url` is `/intake/faro/<client key>`, or `/intake/faro` with
// the key as `apiKey`. Answers are what the client waits for: 202 without a body, and 429 or 503 with the time to wait.

import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryValue, type SdkKeys } from '../../organisation/keys/sdk-key.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { receiving } from '../bind-intake.ts'
import { bindRawBodies } from '../bind-raw-bodies.ts'
import { browserOf } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import { createIntakeRate, requireQuota } from '../events/within-limits.ts'
import { createViewStates } from '../foreign-events/view-states.ts'
import { createVisits } from '../foreign-events/visits.ts'
import { openForeignFlags } from '../foreign-flags/carry-flags.ts'
import type { OtlpTakes } from '../otlp/open-otlp.ts'
import { faroSource } from './request.ts'
import { createTakeFaro } from './take-faro.ts'

const paths = ['/intake/faro/:key', '/intake/faro'] as const

export async function bindFaro(
  server: FastifyInstance,
  services: IntakeServices,
  { keys, takes }: { keys: SdkKeys; takes: OtlpTakes },
): Promise<void> {
  const { intake, live, erasedPeople } = services
  const flags = openForeignFlags(services, faroSource)
  server.addHook('onClose', async () => flags.stop())
  const take = createTakeFaro(
    {
      ...{ intake, live, erasedPeople, carryFlags: flags.carry },
      ...{ visits: createVisits(), viewStates: createViewStates() },
    },
    takes,
  )
  const rate = createIntakeRate(services, faroSource)
  const receive = receiving(services)

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { environment, kind } = await keys.authenticate(request, queryValue(request.params, 'key'))
    if (kind === 'server') throw problem('invalid-key', 'This is a server key; use a client key in browsers.')
    rate.take(environment.id)
    requireQuota(intake, environment.id, faroSource)
    await receive(request, (claim) =>
      take({
        ...{ environment, claim, address: request.ip, browser: browserOf(request) },
        country: intake.countryOf(request.ip),
        body: { stream: request.raw, encoding: request.headers['content-encoding'] },
      }),
    )
    return reply.code(202).header('cache-control', 'no-store').send()
  }

  await bindRawBodies(server, (scope, options) => {
    for (const url of paths) {
      scope.post(url, options, answer)
      refuseOtherMethods(scope, url, ['POST'])
    }
  })
}
