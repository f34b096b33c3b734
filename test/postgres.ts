// One PostgreSQL for the whole run of the tests, with a migrated template from which every test file copies.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../packages/server/src/platform/engines/postgres/migrate.ts'
import { openPostgres, type PostgresTarget } from '../packages/server/src/platform/engines/postgres/open.ts'
import type { Sql } from '../packages/server/src/platform/engines/postgres/sql.ts'
import { startPostgres } from '../packages/server/src/platform/engines/postgres/start.ts'
import { isInMemory } from './memory-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresTarget
  }
}

const templateDatabase = 'telltale_template'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

let stop: () => Promise<void> = async () => undefined

export async function setup(project: TestProject): Promise<void> {
  const { target, stop: stopServer } = await provide()
  stop = stopServer
  await makeTemplate(target)
  project.provide('postgres', target)
}

export const teardown = () => stop()

/** The migrated database from which `createDatabase` copies. */
export async function makeTemplate(target: PostgresTarget): Promise<void> {
  const admin = openPostgres(target)
  await admin.sql.unsafe(`DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`)
  await admin.sql.unsafe(`CREATE DATABASE ${templateDatabase}`)
  // Most of the time was waiting for the disk. Tests of what survives a crash start their own PostgreSQL.
  if (target.kind === 'socket') await admin.sql.unsafe('ALTER ROLE CURRENT_USER SET synchronous_commit = off')
  await admin.close()

  const template = openPostgres(inDatabase(target, templateDatabase))
  await migrate(template.sql)
  await template.close()
}

/** A server that exists already (`TELLTALE_TEST_DATABASE_URL`), else an embedded one in a folder of its own. */
async function provide(): Promise<{ target: PostgresTarget; stop(): Promise<void> }> {
  const url = process.env.TELLTALE_TEST_DATABASE_URL
  if (url) return { target: { kind: 'url', url }, stop: async () => undefined }

  const folder = await mkdtemp(join(tmpdir(), 'telltale-test-'))
  const engine = await startPostgres({ dataFolder: folder, log: quiet })
  return {
    target: { kind: 'socket', ...engine.connection },
    stop: async () => {
      await engine.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same server, another database. */
export function inDatabase(target: PostgresTarget, database: string): PostgresTarget {
  if (target.kind === 'socket') return { ...target, database }

  const url = new URL(target.url)
  url.pathname = `/${database}`
  return { kind: 'url', url: url.href }
}

/** Copies the template into a database of this test's own, which is dropped at the end. */
export async function createDatabase(
  target: PostgresTarget,
  template: string = templateDatabase,
): Promise<{ target: PostgresTarget; drop(): Promise<void> }> {
  const name = `telltale_test_${process.pid}_${Math.random().toString(36).slice(2)}`
  // Copies files instead of writing every page to the log, but waits for the disk twice.
  const strategy = target.kind === 'socket' && isInMemory() ? 'STRATEGY FILE_COPY' : ''
  await administer(target, (sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} ${strategy}`))
  return {
    target: inDatabase(target, name),
    drop: () => administer(target, (sql) => sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

async function administer(target: PostgresTarget, run: (sql: Sql) => Promise<unknown>): Promise<void> {
  const { sql, close } = openPostgres(target, { poolSize: 1 })
  // Copying a template waits for other copies of it, longer than a statement or a lock of the product may take.
  await sql`SET statement_timeout = 60000`
  await sql`SET lock_timeout = 60000`
  await sql`SELECT pg_advisory_lock(4380003)`
  await run(sql)
  await close()
}
