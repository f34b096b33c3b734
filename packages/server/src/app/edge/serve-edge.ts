// One process of an edge: flags from memory, followed from a server and kept on disk. It has neither PostgreSQL nor a
// telemetry engine.

import { join } from 'node:path'
import { edgeLimits } from '@telltale/core/edge-limits'
import type { Timing } from '@telltale/node/follow'
import { createSdkKeys, isRevoked, mayBeUsedFrom } from '../../organisation/keys/sdk-key.ts'
import { storedFiles } from '../../platform/data-folder/stored-file.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { openToPages } from '../../platform/http/open-to-pages.ts'
import { unavailable } from '../../platform/http/problems.ts'
import { createServer } from '../../platform/http/server.ts'
import { closeUnusedConnections } from '../../platform/http/unused-connections.ts'
import { defaultCapacityBytes } from '../../platform/memory/default-capacity.ts'
import { createMemoryBudget } from '../../platform/memory/memory-budget.ts'
import { createBackground } from '../../platform/process/background.ts'
import { createClosing } from '../../platform/process/closing.ts'
import { createDraining, type Draining } from '../../platform/process/draining.ts'
import type { Log } from '../../platform/process/log.ts'
import { ownFolder } from '../../platform/process/own-folder.ts'
import { bindDeliveryCalls } from '../../release/bind-delivery.ts'
import type { Delivery } from '../../release/delivery/delivery.ts'
import { bindLibrary } from '../../release/delivery/library.ts'
import { publish } from '../../release/delivery/publish.ts'
import { createStreams } from '../../release/delivery/streams.ts'
import type { EdgeConfig } from './edge-config.ts'
import { bindEdgeHealth, staleSince } from './edge-health.ts'
import { createEdgeKeys } from './edge-keys.ts'
import { createEdgeEnvironment, type EdgeEnvironment } from './follow-environment.ts'
import { createReportedCounts } from './report-counts.ts'

export interface ServeEdgeOptions {
  config: EdgeConfig
  log: Log
  clock?: () => Date
  timing?: Timing
  /** Milliseconds between two requests for settings and keys. */
  settingsEvery?: number
}

export interface RunningEdge {
  url: string
  /** Reports that it is not ready, and still answers for the configured time. */
  drain(): Promise<void>
  stop(): Promise<void>
}

const library = (name: string) => join(ownFolder, '..', name, 'dist')
/** Header of every answer while the server is away. */
const staleHeader = 'x-telltale-stale-since'

export async function serveEdge(options: ServeEdgeOptions): Promise<RunningEdge> {
  const { config, log, clock = () => new Date() } = options
  const closing = createClosing(log)
  try {
    const now = () => clock().getTime()
    const background = createBackground(log)
    closing.add('work in the background', () => background.settled())
    const environments: EdgeEnvironment[] = []
    const keys = createEdgeKeys(environments)
    const streams = openStreams(config, keys, now)
    const draining = createDraining()
    draining.onBegin(streams.endWithin)
    for (const key of config.keys) {
      const environment = createEdgeEnvironment({
        server: config.server,
        key,
        files: storedFiles(config.dataFolder),
        log,
        now,
        background: background.run,
        onRules: (id, change) => publish(streams, id, { change, now: now() }),
        onDocument: keys.update,
        timing: options.timing,
        settingsEvery: options.settingsEvery,
      })
      environments.push(environment)
      closing.add('an environment', environment.stop)
    }
    const evaluationCounts = createReportedCounts({
      server: config.server,
      keyOf: (id) => keys.environmentOf(id)?.key,
      clock,
      log,
    })
    closing.add('evaluation counts', () => evaluationCounts.stop())

    const delivery: Delivery = {
      known: keys,
      keys: createSdkKeys(keys, { clock, noteUse: () => undefined }),
      ruleSets: ruleSetsOf(keys),
      streams,
      evaluationCounts,
      // Identities are listed by the server, from what it evaluates and from telemetry.
      identityNotes: { note: () => undefined },
      signedUserCounts: { count: () => undefined },
      reductions: {
        of: ({ id }) => ({
          pausesRecording: keys.environmentOf(id)?.document()?.pausesRecording === true,
        }),
      },
      now,
    }
    const started = Promise.all(environments.map((each) => each.start()))
    await Promise.race([started, patience()])

    const app = await createEdgeApp({ config, log, draining, delivery, environments })
    closing.add('the HTTP server', () => app.close())
    const url = await app.listen({ port: config.port, host: config.host })
    return { url, drain: () => draining.drain(config.drainTime), stop: closing.close }
  } catch (error) {
    await closing.close()
    throw error
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, edgeLimits.edgeStartPatience.value).unref())
}

function openStreams(config: EdgeConfig, keys: Pick<Delivery['known'], 'findById'>, now: () => number) {
  return createStreams({
    perAddress: config.streamsPerAddress,
    most: edgeLimits.edgeStreams.value,
    perEnvironment: edgeLimits.edgeStreams.value,
    mayStay: ({ keyId, origin }) => {
      const key = keys.findById(keyId)
      return key !== undefined && !isRevoked(key, now()) && mayBeUsedFrom(key, origin)
    },
  })
}

function ruleSetsOf(keys: Pick<ReturnType<typeof createEdgeKeys>, 'environmentOf'>): Delivery['ruleSets'] {
  const find = (id: string) => keys.environmentOf(id)?.served()
  return {
    find,
    async get(id) {
      const served = find(id)
      if (served === undefined) throw unavailable()
      return served
    },
    stop: () => undefined,
  }
}

interface AppParts {
  config: EdgeConfig
  log: Log
  draining: Draining
  delivery: Delivery
  environments: readonly EdgeEnvironment[]
}

async function createEdgeApp({ config, log, draining, delivery, environments }: AppParts) {
  const memory = createMemoryBudget(config.requestMemory ?? defaultCapacityBytes())
  const opened = await createServer({ config: { ...config, publicUrl: undefined }, draining, log, memory })
  const { server } = opened
  const metrics = createMetrics({})
  closeUnusedConnections(server)
  metrics.measure(server)
  openToPages(server)
  bindEdgeHealth(server, { config, draining, environments, metrics })
  server.addHook('preClose', async () => delivery.streams.close())
  await bindDeliveryCalls(
    {
      server,
      openLane: (lane) =>
        opened.openLane((request, response) => {
          const since = staleSince(environments)
          if (since !== undefined) response.setHeader(staleHeader, new Date(since).toISOString())
          return lane(request, response)
        }),
    },
    delivery,
    { config, log, metrics, bindMore: () => undefined },
  )
  await bindLibrary(server, { scripts: library('sdk'), packages: [] })
  return server
}
