// One PostgreSQL and one telemetry engine for all browser tests: starting both took a server longer than starting itself.
// Each server gets its own databases on them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickhouseTarget } from '../../packages/server/src/platform/engines/clickhouse/open.ts'
import { startClickhouse } from '../../packages/server/src/platform/engines/clickhouse/start.ts'
import { startPostgres } from '../../packages/server/src/platform/engines/postgres/start.ts'
import { createDatabase, makeTemplate } from '../postgres.ts'
import { createStoreOn } from '../store.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const { TELLTALE_TEST_ENGINES: given } = process.env
/** On a busy machine, milliseconds. */
const opening = 60_000

interface Engines {
  /** As `DATABASE_URL` names it. */
  postgres: string
  clickhouse: ClickhouseTarget
}

/** Before all tests: starts both and names them to the workers; what it returns stops them. */
export default async function start(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-engines-'))
  const [postgres, clickhouse] = await Promise.all([
    startPostgres({ dataFolder: join(folder, 'postgres'), log: quiet }),
    startClickhouse({ dataFolder: join(folder, 'clickhouse'), log: quiet }),
  ])
  const { host, port, username, password, database } = postgres.connection
  const address = new URL(`postgres://localhost:${port}/${database}`)
  address.username = username
  address.password = password
  address.searchParams.set('host', host)
  const engines: Engines = { postgres: address.href, clickhouse: clickhouse.target() }
  await makeTemplate({ kind: 'url', url: engines.postgres })
  process.env.TELLTALE_TEST_ENGINES = JSON.stringify(engines)
  return async () => {
    await Promise.all([postgres.stop(), clickhouse.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

/** The server starts without its telemetry store and opens it afterwards; until then, its API refuses what needs it. */
export async function untilTelemetry(url: string): Promise<void> {
  const until = Date.now() + opening
  for (;;) {
    const answer = await fetch(`${url}/health/ready`)
    const { degraded }: { degraded: string[] } = await answer.json()
    if (!degraded.includes('clickhouse')) return
    if (Date.now() > until) throw new Error('the telemetry store is not open')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface Databases {
  /** For the environment of the server. */
  settings: Record<string, string>
  drop(): Promise<void>
}

/** Without engines for all, as in a benchmark, the server starts its own. */
export async function createDatabases({ telemetry }: { telemetry: boolean }): Promise<Databases> {
  if (given === undefined) return { settings: {}, drop: async () => undefined }

  const engines: Engines = JSON.parse(given)
  const { target, drop } = await createDatabase({ kind: 'url', url: engines.postgres })
  if (target.kind !== 'url') throw new Error('the engine for all tests has no address')
  const settings = { DATABASE_URL: target.url }
  if (!telemetry) return { settings, drop }

  const store = createStoreOn(engines.clickhouse)
  return {
    settings: { ...settings, CLICKHOUSE_URL: store.url },
    drop: async () => {
      await drop()
      await store.drop()
    },
  }
}
