// Supports the unmodified clients of Sentry by their DSN, `https://<key>@<host>/<number>`: `/api/<number>/envelope/`, and
// `/intake/sentry` as a `tunnel`. The number is any: the key names the environment. Answers follow that protocol: 200
// with the id of the event, 429 with the time to wait.

import { join } from 'node:path'
import { errors, problem } from '@telltale/core/errors'
import { type JsonObject, textIn } from '@telltale/core/telemetry/json'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import { queryValue, type SdkKeys } from '../../organisation/keys/sdk-key.ts'
import { createPrivateFolder } from '../../platform/data-folder/create-private-folder.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { toProblem } from '../../platform/http/problems.ts'
import { startRepeating } from '../../platform/process/repeat.ts'
import { receiving } from '../bind-intake.ts'
import { bindRawBodies } from '../bind-raw-bodies.ts'
import { browserOf } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import { createIntakeRate, requireQuota } from '../events/within-limits.ts'
import { openEventIds } from '../foreign-events/event-ids.ts'
import { createViewStates } from '../foreign-events/view-states.ts'
import { createVisits } from '../foreign-events/visits.ts'
import { openForeignFlags } from '../foreign-flags/carry-flags.ts'
import type { OtlpTakes } from '../otlp/open-otlp.ts'
import { readEnvelope } from './envelope.ts'
import { createPassOnSignals } from './pass-on-signals.ts'
import { type SentryParts, sentrySource } from './request.ts'
import { createTakeEvents } from './take-events.ts'
import { createTakeRecording } from './take-recording.ts'

const paths = ['/api/:number/envelope/', '/api/:number/envelope', '/intake/sentry'] as const

export async function bindSentry(
  server: FastifyInstance,
  services: IntakeServices,
  { keys, takes }: { keys: SdkKeys; takes: OtlpTakes },
): Promise<void> {
  const { intake, live, erasedPeople, log, config } = services
  const folder = join(dataPaths(config.dataFolder).spool, 'sentry')
  await createPrivateFolder(folder)
  const eventIds = await openEventIds(join(folder, 'event-ids'), { now: intake.now, log })
  const flags = openForeignFlags(services, sentrySource)
  const parts: SentryParts = {
    ...{ intake, live, erasedPeople, config, eventIds, carryFlags: flags.carry },
    ...{ visits: createVisits(), views: createViewStates() },
  }
  const stops = [
    startRepeating(log, { what: "writing ids of Sentry's events", every: 1_000 }, eventIds.keep),
    startRepeating(log, { what: "deleting old ids of Sentry's events", every: 5_000 }, eventIds.tidy),
  ]
  server.addHook('onClose', async () => {
    flags.stop()
    for (const stop of stops) await stop()
    await eventIds.keep()
  })
  const takeEvents = createTakeEvents(parts, takes.readFinder)
  const takeRecording = createTakeRecording(parts)
  const passOnSignals = createPassOnSignals(takes, intake)
  const rate = createIntakeRate(services, sentrySource)
  const receive = receiving(services)

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const id = await receive(request, async (claim) => {
      const given = keyOf(request)
      let key = given === undefined ? undefined : await keys.authenticate(request, given)
      const envelope = await readEnvelope(
        {
          stream: request.raw,
          encoding: request.headers['content-encoding'],
          admit(headers) {
            // A tunnel names the key in the first line only.
            key ??= findKey(keys, request, headers)
            rate.take(key.environment.id)
          },
        },
        claim,
      )
      if (key === undefined) throw problem('invalid-key')
      const { environment, kind } = key
      if (kind === 'server' && request.headers.origin !== undefined) {
        throw problem('invalid-key', 'This is a server key; use a client key in browsers.')
      }
      requireQuota(intake, environment.id, sentrySource)
      intake.spool.requireRoom('essential', 0)
      const taken = {
        ...{ environment, envelope, claim, address: request.ip },
        browser: { ...browserOf(request), isServer: kind === 'server' },
        country: intake.countryOf(request.ip),
      }
      await takeRecording(taken)
      await passOnSignals(taken)
      const { isDropped } = await takeEvents(taken)
      intake.quotas.add(environment.id, envelope.sizeBytes)
      if (!isDropped) intake.usage.add(environment, '', { bytes: envelope.sizeBytes })
      return textIn(envelope.headers, 'event_id') ?? ''
    })
    reply.header('cache-control', 'no-store')
    // The browser client never reads the answer: each with a body would occupy one of the browser's six connections.
    return request.headers.origin === undefined ? reply.send({ id }) : reply.send()
  }

  await bindRawBodies(server, (scope, options) => {
    for (const url of paths) {
      scope.post(url, { ...options, errorHandler: refuse }, answer)
      refuseOtherMethods(scope, url, ['POST'])
    }
  })
}

const keyInHeader = /\bsentry_key=([\w-]{1,200})/

/** A DSN has no dots: `ser_…` stands for the server key `ser.…`. */
const asKey = (given: string | undefined) => given?.replace(/^ser_/, 'ser.')

function keyOf({ query, headers }: FastifyRequest): string | undefined {
  const header = headers['x-sentry-auth'] ?? headers.authorization
  const inHeader = typeof header === 'string' ? keyInHeader.exec(header)?.[1] : undefined
  return asKey(queryValue(query, 'sentry_key') ?? inHeader)
}

function findKey(keys: SdkKeys, { headers }: FastifyRequest, envelope: JsonObject): KnownKey {
  const dsn = textIn(envelope, 'dsn') ?? ''
  const given = asKey(/^https?:\/\/([\w-]{1,200})[:@]/.exec(dsn)?.[1])
  const key = given === undefined ? undefined : keys.find(given, headers.origin)
  if (key === undefined) throw problem('invalid-key', 'Send a known key in the DSN: http://<key>@<host>/1.')
  return key
}

const categories = '60::organization'

/** The client retries nothing but 429, after the time that it is told. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // An unread rest of the body would block the next request on the connection.
  request.raw.resume()
  const { status, code, context } = toProblem(error, request)
  const wait = context.retryAfterSeconds
  if (wait !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(wait)))
  if (status === 429)
    reply.header('x-sentry-rate-limits', wait === undefined ? categories : `${Math.ceil(wait)}::organization`)
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify({ detail: context.detail ?? errors[code].title }))
}
