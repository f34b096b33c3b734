// One telemetry engine for the whole run of the tests, started when the first test file asks for it: most need none.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import type { TelemetryOptions } from '../packages/server/src/platform/engines/clickhouse/connect.ts'
import type { ClickhouseTarget } from '../packages/server/src/platform/engines/clickhouse/open.ts'
import {
  type EmbeddedClickhouse,
  startClickhouse,
} from '../packages/server/src/platform/engines/clickhouse/start.ts'
import type { Telemetry } from '../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { type Cluster, clusterName, startCluster } from './cluster/start-cluster.ts'
import { createStoreOn, type TestStore } from './store.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with where the engine is, and starts it when it does not run yet. */
    clickhouse: string
    /** Whether the tests of this project run on a cluster. */
    onCluster: boolean
  }
}

const clusterPath = '/cluster'
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

let stop: () => Promise<void> = async () => undefined

export async function setup(project: TestProject): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-test-'))
  let engine: Promise<EmbeddedClickhouse> | undefined
  let cluster: Promise<Cluster> | undefined
  async function open(path: string): Promise<ClickhouseTarget> {
    if (path === clusterPath) {
      cluster ??= startCluster()
      return { url: (await cluster).url }
    }
    engine ??= startClickhouse({ dataFolder: folder, log: quiet })
    return (await engine).target()
  }
  const server = createServer(async (request, response) => {
    try {
      response.end(JSON.stringify(await open(request.url ?? '/')))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the test server has no port')
  project.provide('clickhouse', `http://127.0.0.1:${address.port}`)
  stop = async () => {
    server.close()
    server.closeAllConnections()
    await (await engine?.catch(() => undefined))?.stop()
    await (await cluster?.catch(() => undefined))?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
}

export const teardown = () => stop()

/** A database of this test's own on the shared engine; who uses it makes its tables. */
export async function createStore(): Promise<TestStore> {
  const onCluster = inject('onCluster')
  const answer = await fetch(inject('clickhouse') + (onCluster ? clusterPath : '/'))
  if (!answer.ok) throw new Error(await answer.text())
  const target = (await answer.json()) as ClickhouseTarget
  return createStoreOn(target, onCluster ? clusterName : undefined)
}

/** For tests that need none: it is well, and has nothing to say. */
export function connectNoTelemetry(_options: TelemetryOptions) {
  const telemetry: Telemetry = {
    read: async () => {
      throw new Error('this test runs without a telemetry engine: startTelltale({ telemetry: true })')
    },
    insert: async () => ({ kind: 'retry', reason: 'this test runs without an engine', isKnown: true }),
    command: async () => undefined,
    remove: async () => undefined,
    files: async () => [],
    disks: async () => [],
    standsAlone: true,
    state: () => ({ state: 'external' }),
    untilUsable: async () => undefined,
  }
  return { telemetry, open: () => undefined, close: async () => undefined }
}
