// Locks with the same number block each other: one server holds the lock of hourly backups as long as it runs.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../../../test/postgres.ts'
import { startHourlyBackups } from '../../backups/start-hourly-backups.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { lockTelemetryMigrations } from './lock-telemetry-migrations.ts'
import { type ControlPlane, openPostgres } from './open.ts'

const source = fileURLToPath(new URL('../../..', import.meta.url))
let database: Awaited<ReturnType<typeof createDatabase>>
let controlPlane: ControlPlane

beforeAll(async () => {
  database = await createDatabase(inject('postgres'))
  controlPlane = openPostgres(database.target)
})
afterAll(async () => {
  await controlPlane.close()
  await database.drop()
})

test('every lock has its own number', () => {
  const numbers = Object.values(advisoryLocks)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('every lock comes from the table, or is a hash of its subject', async () => {
  const names = (await readdir(source, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const texts = await Promise.all(names.map((name) => readFile(join(source, name), 'utf8')))
  const taken = texts
    .flatMap((text) => [...text.matchAll(/pg_\w*advisory\w*\(([^)]*)/g)])
    .map((match) => match[1])
  expect(taken.length).toBeGreaterThanOrEqual(Object.keys(advisoryLocks).length)
  expect(taken.filter((key) => !/^(\$\{advisoryLocks\.\w+\}|hashtextextended\()/.test(key ?? ''))).toEqual([])
})

test('telemetry migrations do not wait for the server with hourly backups', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-locks-'))
  const hourly = await startHourlyBackups({
    target: database.target,
    folder,
    kept: 1,
    version: '0.0.0',
    clock: () => new Date(),
    log: { info: () => undefined, error: () => undefined },
    interval: 20,
    random: () => 0,
  })
  try {
    await expect.poll(heldLocks, { timeout: 10_000 }).toContain(advisoryLocks.hourlyBackups)
    let ran = false
    await lockTelemetryMigrations(controlPlane.sql, { longestWait: 1_000 })(async () => {
      ran = true
    })
    expect(ran).toBe(true)
  } finally {
    await hourly.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

test("a server that waits for another's telemetry migrations times out with the reason", async () => {
  let finish: () => void = () => undefined
  const migrating = new Promise<void>((resolve) => {
    finish = resolve
  })
  const first = lockTelemetryMigrations(controlPlane.sql)(() => migrating)
  await expect.poll(heldLocks, { timeout: 10_000 }).toContain(advisoryLocks.telemetryMigrations)
  const second = lockTelemetryMigrations(controlPlane.sql, { longestWait: 50 })(async () => undefined)
  await expect(second).rejects.toThrow('Another server is still changing the tables of the telemetry store.')
  finish()
  await first
})

async function heldLocks(): Promise<number[]> {
  const rows = await controlPlane.sql<{ key: number }[]>`
    SELECT objid::integer AS key FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  return rows.map(({ key }) => key)
}
