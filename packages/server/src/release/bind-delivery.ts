// Flag delivery: requests of applications and browsers, answered from memory.

import { limits } from '@telltale/core/limits'
import { openKnownKeys } from '../organisation/keys/known-keys.ts'
import { createSdkKeys, isRevoked, mayBeUsedFrom, type SdkKeys } from '../organisation/keys/sdk-key.ts'
import { storedFiles } from '../platform/data-folder/stored-file.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { Server } from '../platform/http/server.ts'
import { readRequest } from '../platform/memory/read-request.ts'
import type { Services } from '../platform/services.ts'
import type { Delivery } from './delivery/delivery.ts'
import { bindEvaluationsCall } from './delivery/evaluations-call.ts'
import { createOfrepLane } from './delivery/ofrep-lane.ts'
import { bindOfrep } from './delivery/ofrep-routes.ts'
import { publish } from './delivery/publish.ts'
import { bindRuleSetCalls } from './delivery/rule-set-call.ts'
import { createRuleSets } from './delivery/rule-sets.ts'
import { bindStreams } from './delivery/stream.ts'
import { createStreams } from './delivery/streams.ts'
import { bindFlagsmith, type TakeEvents } from './flagsmith/bind-flagsmith.ts'
import { bindToolbarCall } from './toolbar/open-toolbar-call.ts'

/** Returns the SDK keys, which the intake of telemetry uses as well. */
export async function bindDelivery(
  { server, openLane }: Server,
  services: Services &
    Pick<Delivery, 'evaluationCounts' | 'identityNotes' | 'signedUserCounts' | 'reductions'>,
  { metrics, takeEvents }: { metrics: Metrics; takeEvents: TakeEvents },
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
  const { evaluationCounts, identityNotes, signedUserCounts, reductions } = services
  const keys = createSdkKeys(services, known)
  const counts = { evaluationCounts, identityNotes, signedUserCounts, reductions }
  const delivery: Delivery = { known, keys, ruleSets, streams, ...counts, now }

  services.draining.onBegin(streams.endWithin)
  // Before the server waits for connections to close: event streams stay open until closed here.
  server.addHook('preClose', async () => {
    known.stop()
    ruleSets.stop()
    streams.close()
  })
  openLane(createOfrepLane(delivery, services, metrics.durationsOf))
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
    bindToolbarCall(scope, delivery)
    bindFlagsmith(scope, delivery, { sql: services.sql, takeEvents })
    done()
  })
  return keys
}
