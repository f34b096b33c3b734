// Flag delivery: requests of applications and browsers, answered from memory.

import { limits } from '@telltale/core/limits'
import type { FastifyInstance } from 'fastify'
import { openKnownKeys } from '../organisation/keys/known-keys.ts'
import {
  createSdkKeys,
  createUseNotes,
  isRevoked,
  mayBeUsedFrom,
  type SdkKeys,
} from '../organisation/keys/sdk-key.ts'
import { storedFiles } from '../platform/data-folder/stored-file.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { Server } from '../platform/http/server.ts'
import { readRequest } from '../platform/memory/read-request.ts'
import type { Config } from '../platform/process/config.ts'
import type { Log } from '../platform/process/log.ts'
import type { Services } from '../platform/services.ts'
import type { Delivery } from './delivery/delivery.ts'
import { bindEdgeCall } from './delivery/edge-call.ts'
import { bindEvaluationsCall } from './delivery/evaluations-call.ts'
import { createOfrepLane } from './delivery/ofrep-lane.ts'
import { bindOfrep } from './delivery/ofrep-routes.ts'
import { publish } from './delivery/publish.ts'
import { bindRuleSetCalls } from './delivery/rule-set-call.ts'
import { createRuleSets } from './delivery/rule-sets.ts'
import { bindStreams } from './delivery/stream.ts'
import { createStreams } from './delivery/streams.ts'
import { createReportIds } from './evaluations/report-ids.ts'
import { bindFlagsmith, type TakeEvents } from './flagsmith/bind-flagsmith.ts'
import { createTraitsStore } from './flagsmith/traits-store.ts'
import type { IdentityNotes } from './identities/note-identity.ts'
import { bindToolbarCall } from './toolbar/open-toolbar-call.ts'

/** Returns the SDK keys, which the intake of telemetry uses as well. */
export async function bindDelivery(
  { server, openLane }: Server,
  services: Services &
    Pick<Delivery, 'evaluationCounts' | 'signedUserCounts' | 'reductions' | 'recordingPlans'> & {
      identityNotes: IdentityNotes
    },
  {
    metrics,
    takeEvents,
    requestAttributes,
  }: { metrics: Metrics; takeEvents: TakeEvents } & Pick<Delivery, 'requestAttributes'>,
): Promise<SdkKeys> {
  const now = () => services.clock().getTime()
  const files = storedFiles(services.config.dataFolder)
  const known = await openKnownKeys(services, files)
  const streams = createStreams({
    perAddress: services.config.streamsPerAddress,
    mayStay: ({ keyId, origin }) => {
      const key = known.findById(keyId)
      return key !== undefined && !isRevoked(key, now()) && mayBeUsedFrom(key, origin)
    },
  })
  const ruleSets = createRuleSets(services, {
    files,
    environmentsOf: known.environmentsOf,
    onChange: (environmentId, change) => publish(streams, environmentId, { change, now: now() }),
  })
  const { evaluationCounts, identityNotes, signedUserCounts, reductions, recordingPlans } = services
  const keys = createSdkKeys(known, { clock: services.clock, noteUse: createUseNotes(services) })
  const reportIds = createReportIds(services.db, now)
  const counts = { evaluationCounts, reportIds, identityNotes, signedUserCounts, reductions, recordingPlans }
  const delivery: Delivery = { known, keys, ruleSets, streams, ...counts, requestAttributes, now }

  services.draining.onBegin(streams.endWithin)
  // Before the server waits for connections to close: event streams stay open until closed here.
  server.addHook('preClose', async () => {
    known.stop()
    ruleSets.stop()
    streams.close()
  })
  await bindDeliveryCalls({ server, openLane }, delivery, {
    ...services,
    metrics,
    bindMore(scope) {
      bindEdgeCall(scope, delivery)
      bindToolbarCall(scope, delivery)
      const { sql } = services
      const store = createTraitsStore({ sql, now, room: identityNotes.room })
      bindFlagsmith(scope, delivery, { store, takeEvents })
    },
  })
  return keys
}

interface DeliveryCallsOptions {
  config: Pick<Config, 'trustedProxies'>
  log: Log
  metrics: Pick<Metrics, 'durationsOf'>
  /** Further calls with the same limits of bodies. */
  bindMore(scope: FastifyInstance): void
}

/** The calls that are answered from memory alone, which an edge answers as well. */
export async function bindDeliveryCalls(
  { server, openLane }: Server,
  delivery: Delivery,
  { config, log, metrics, bindMore }: DeliveryCallsOptions,
): Promise<void> {
  openLane(createOfrepLane(delivery, { config, log }, metrics.durationsOf))
  await server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    // Bodies are parsed in the handlers, so that errors in a context become OFREP responses.
    scope.addHook('onRoute', (route) => {
      route.bodyLimit ??= limits.evaluationBodySize
      route.config = { memory: 'flags', ...route.config }
    })
    scope.addContentTypeParser('*', readRequest)
    bindOfrep(scope, delivery)
    bindStreams(scope, delivery)
    bindRuleSetCalls(scope, delivery)
    bindEvaluationsCall(scope, delivery)
    bindMore(scope)
    done()
  })
}
