// One process of an edge: flags from memory, followed from a server and kept on disk. It has neither PostgreSQL nor a
// telemetry engine.

import { join } from 'node:path'
import { edgeLimits } from '@telltale/core/edge-limits'
import type { Timing } from '@telltale/node/follow'
import { createRequestAttributes } from '../../intake/events/request-attributes.ts'
import { createSdkKeys, isRevoked, mayBeUsedFrom } from '../../organisation/keys/sdk-key.ts'
import { storedFiles } from '../../platform/data-folder/stored-file.ts'
import { unavailable } from '../../platform/http/problems.ts'
import { createBackground } from '../../platform/process/background.ts'
import { createClosing } from '../../platform/process/closing.ts'
import { createDraining } from '../../platform/process/draining.ts'
import type { Log } from '../../platform/process/log.ts'
import type { Delivery } from '../../release/delivery/delivery.ts'
import { publish } from '../../release/delivery/publish.ts'
import { createStreams } from '../../release/delivery/streams.ts'
import { rememberReports } from '../../release/evaluations/report-ids.ts'
import { createEdgeApp } from './edge-app.ts'
import type { EdgeConfig } from './edge-config.ts'
import { createStaleness } from './edge-health.ts'
import { createEdgeKeys } from './edge-keys.ts'
import { createEdgeEnvironment, type EdgeEnvironment } from './follow-environment.ts'
import { createReportedCounts } from './report-counts.ts'
import { openEdgeTelemetry } from './telemetry/open-edge-telemetry.ts'
import { openRelayServer } from './telemetry/send-request.ts'

export interface ServeEdgeOptions {
  config: EdgeConfig
  log: Log
  clock?: () => Date
  timing?: Timing
  /** Milliseconds between two requests for settings and keys. */
  settingsEvery?: number
  /** Data folders of processes that there are no longer: their telemetry is passed on. */
  leftFolders?: readonly string[]
}

export interface RunningEdge {
  url: string
  /** Reports that it is not ready, and still answers for the configured time. */
  drain(): Promise<void>
  stop(): Promise<void>
}

export async function serveEdge(options: ServeEdgeOptions): Promise<RunningEdge> {
  const { config, log, clock = () => new Date() } = options
  const closing = createClosing(log)
  try {
    const now = () => clock().getTime()
    const background = createBackground(log)
    closing.add('work in the background', () => background.settled())
    const environments: EdgeEnvironment[] = []
    const keys = createEdgeKeys(environments)
    const staleness = createStaleness(environments)
    const keyOf = (id: string) => keys.environmentOf(id)?.key
    const server = openRelayServer(config.server)
    closing.add('connections to the server', server.close)
    const telemetry = openEdgeTelemetry({
      ...{ server, keyOf, now, log },
      folder: telemetryFolder(config.dataFolder),
      leftFolders: (options.leftFolders ?? []).map(telemetryFolder),
      largestBytes: config.spoolSize,
    })
    closing.add('telemetry', telemetry.stop)
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
        onDocument(id) {
          keys.update()
          telemetry.begin(id)
        },
        onContact: staleness.update,
        timing: options.timing,
        settingsEvery: options.settingsEvery,
      })
      environments.push(environment)
      closing.add('an environment', environment.stop)
    }
    const evaluationCounts = createReportedCounts({ server: config.server, keyOf, clock, log })
    closing.add('evaluation counts', () => evaluationCounts.stop())

    const delivery: Delivery = {
      known: keys,
      keys: createSdkKeys(keys, { clock, noteUse: () => undefined }),
      ruleSets: ruleSetsOf(keys),
      streams,
      evaluationCounts,
      reportIds: rememberReports(),
      // Identities are listed by the server, from what it evaluates and from telemetry.
      identityNotes: { note: () => undefined },
      signedUserCounts: { count: () => undefined },
      reductions: {
        of: ({ id }) => ({
          pausesRecording: keys.environmentOf(id)?.document()?.pausesRecording === true,
        }),
      },
      recordingPlans: { of: (id) => keys.environmentOf(id)?.document()?.recording },
      // Countries are known to the server alone.
      requestAttributes: createRequestAttributes(() => ''),
      now,
    }
    const started = Promise.all(environments.map((each) => each.start()))
    await Promise.race([started, patience()])

    const app = await createEdgeApp({
      ...{ config, log, draining, delivery, environments, staleness, telemetry, server, keyOf },
    })
    closing.add('the HTTP server', () => app.close())
    const url = await app.listen({ port: config.port, host: config.host })
    return { url, drain: () => draining.drain(config.drainTime), stop: closing.close }
  } catch (error) {
    await closing.close()
    throw error
  }
}

const telemetryFolder = (dataFolder: string) => join(dataFolder, 'telemetry')

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
