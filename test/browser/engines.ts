// One PostgreSQL and one telemetry engine for all browser tests: starting both took a server longer than starting itself.
// Each server gets its own databases on them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickhouse } from '../../packages/server/src/platform/engines/clickhouse/open.ts'
import { startClickhouse } from '../../packages/server/src/platform/engines/clickhouse/start.ts'
import { migrate } from '../../packages/server/src/platform/engines/postgres/migrate.ts'
import { openPostgres } from '../../packages/server/src/platform/engines/postgres/open.ts'
import { startPostgres } from '../../packages/server/src/platform/engines/postgres/start.ts'
import { createDatabase, inDatabase, templateDatabase } from '../postgres.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const { TELLTALE_TEST_ENGINES: given } = process.env

interface Engines {
  /** Addresses without a database, as `DATABASE_URL` and `CLICKHOUSE_URL` name them. */
  postgres: string
  clickhouse: string
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
  const store = clickhouse.target()
  const engine = new URL(store.url)
  engine.username = store.username ?? ''
  engine.password = store.password ?? ''
  const engines: Engines = { postgres: address.href, clickhouse: engine.href }
  await makeTemplate(engines)
  process.env.TELLTALE_TEST_ENGINES = JSON.stringify(engines)
  return async () => {
    await Promise.all([postgres.stop(), clickhouse.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeTemplate({ postgres }: Engines): Promise<void> {
  const admin = openPostgres({ kind: 'url', url: postgres })
  await admin.sql.unsafe(`CREATE DATABASE ${templateDatabase}`)
  await admin.close()
  const template = openPostgres(inDatabase({ kind: 'url', url: postgres }, templateDatabase))
  await migrate(template.sql)
  await template.close()
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

  const store = new URL(engines.clickhouse)
  const database = `telltale_test_${process.pid}_${Math.random().toString(36).slice(2)}`
  store.pathname = `/${database}`
  return {
    settings: { ...settings, CLICKHOUSE_URL: store.href },
    drop: async () => {
      await drop()
      await dropStore(new URL(engines.clickhouse), database)
    },
  }
}

async function dropStore({ origin, username, password }: URL, database: string): Promise<void> {
  const engine = openClickhouse(() => ({ url: origin, username, password, database: 'default' }))
  await engine.command(`DROP DATABASE IF EXISTS ${database} SYNC`)
  await engine.close()
}
