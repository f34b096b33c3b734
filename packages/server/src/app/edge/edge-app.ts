// The HTTP server of an edge: its routes, and what they have in common.

import { join } from 'node:path'
import { Gauge } from 'prom-client'
import { createAdmission } from '../../intake/events/admission.ts'
import { createMetrics, type Metrics } from '../../platform/http/metrics.ts'
import { openToPages } from '../../platform/http/open-to-pages.ts'
import { createServer, keepAliveTimeout } from '../../platform/http/server.ts'
import { closeUnusedConnections } from '../../platform/http/unused-connections.ts'
import { defaultCapacityBytes } from '../../platform/memory/default-capacity.ts'
import { createMemoryBudget } from '../../platform/memory/memory-budget.ts'
import type { Draining } from '../../platform/process/draining.ts'
import type { Log } from '../../platform/process/log.ts'
import { ownFolder } from '../../platform/process/own-folder.ts'
import { bindDeliveryCalls } from '../../release/bind-delivery.ts'
import type { Delivery } from '../../release/delivery/delivery.ts'
import { bindLibrary } from '../../release/delivery/library.ts'
import { bulkPath, singlePath } from '../../release/delivery/ofrep.ts'
import { bindEdgeFlagsmith } from './bind-edge-flagsmith.ts'
import { answerDirectly } from './direct/direct-answers.ts'
import { createOfrepAnswers } from './direct/ofrep-answers.ts'
import type { EdgeConfig } from './edge-config.ts'
import { bindEdgeHealth, type Staleness } from './edge-health.ts'
import type { EdgeEnvironment } from './follow-environment.ts'
import { bindEdgeIntake } from './telemetry/bind-edge-intake.ts'
import type { EdgeTelemetry } from './telemetry/open-edge-telemetry.ts'
import type { RelayServer } from './telemetry/send-request.ts'

const library = (name: string) => join(ownFolder, '..', name, 'dist')
/** Header of every answer while the server is away. */
const staleHeader = 'x-telltale-stale-since'

interface AppParts {
  config: EdgeConfig
  log: Log
  draining: Draining
  delivery: Delivery
  environments: readonly EdgeEnvironment[]
  staleness: Staleness
  telemetry: EdgeTelemetry
  server: RelayServer
  keyOf(environmentId: string): string | undefined
}

export async function createEdgeApp(parts: AppParts) {
  const { config, log, draining, delivery, environments, staleness, telemetry } = parts
  const memory = createMemoryBudget(config.requestMemory ?? defaultCapacityBytes())
  const opened = await createServer({ config: { ...config, publicUrl: undefined }, draining, log, memory })
  const { server } = opened
  const metrics = createMetrics({})
  const direct = countDirectAnswers(metrics)
  const routes = createOfrepAnswers({
    delivery,
    onAnswer: direct.count,
    moreLines() {
      const since = staleness.since()
      return since === undefined ? '' : `${staleHeader}: ${since}\r\n`
    },
  })
  answerDirectly(server.server, routes, { isClosing: draining.hasBegun, idleTimeout: keepAliveTimeout })
  closeUnusedConnections(server)
  metrics.measure(server)
  openToPages(server)
  bindEdgeHealth(server, { config, draining, environments, metrics, staleness, telemetry })
  const admission = createAdmission()
  server.addHook('preClose', async () => {
    admission.stop()
    delivery.streams.close()
  })
  await bindEdgeIntake(server, { delivery, telemetry, memory, admission })
  await bindDeliveryCalls(
    {
      server,
      openLane: (lane) =>
        opened.openLane((request, response) => {
          const since = staleness.since()
          if (since !== undefined) response.setHeader(staleHeader, since)
          return lane(request, response)
        }),
    },
    delivery,
    {
      ...{ config, log, metrics },
      bindMore: (scope) =>
        bindEdgeFlagsmith(scope, delivery, {
          ...{ mode: config.identities, server: parts.server, keyOf: parts.keyOf, telemetry },
        }),
    },
  )
  await bindLibrary(server, { scripts: library('sdk'), packages: [] })
  return server
}

/** Answers on the socket are not in the histogram of durations: measuring one takes a good part of its time. */
function countDirectAnswers({ registry }: Metrics) {
  const counts = new Map<string, { route: string; status: number; count: number }>()
  new Gauge({
    name: 'telltale_edge_direct_answers',
    help: 'Requests for flags that were answered without the HTTP server, since the start.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      for (const { route, status, count } of counts.values()) this.set({ route, status }, count)
    },
  })
  return {
    count(isBulk: boolean, status: number) {
      const route = isBulk ? bulkPath : singlePath
      const name = `${status}${route}`
      const known = counts.get(name)
      if (known !== undefined) known.count += 1
      else counts.set(name, { route, status, count: 1 })
    },
  }
}
