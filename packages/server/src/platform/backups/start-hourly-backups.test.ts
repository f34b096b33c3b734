import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../../test/postgres.ts'
import { type Migration, readMigrations } from '../engines/postgres/migrate.ts'
import { type ControlPlane, openPostgres, type PostgresTarget } from '../engines/postgres/open.ts'
import { backupBeforeMigration } from './backup-before-migration.ts'
import { backupName, keepNewestBackups, listBackups } from './backup-files.ts'
import { describeState } from './control-plane-state.ts'
import { makeBackup } from './make-backup.ts'
import { type HourlyBackups, startHourlyBackups } from './start-hourly-backups.ts'

const hour = 3_600_000
const start = new Date('2026-11-21T10:00:00Z')
/** Short enough for a test to wait; the clock used in file names is advanced manually. */
const interval = 40

let folder: string
let target: PostgresTarget
let controlPlane: ControlPlane
let drop: () => Promise<void>
let now: Date
let failures: string[]
const running: HourlyBackups[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-hourly-'))
  const database = await createDatabase(inject('postgres'))
  target = database.target
  drop = database.drop
  controlPlane = openPostgres(target)
  now = start
  failures = []
})

afterEach(async () => {
  for (const hourly of running.splice(0)) await hourly.stop()
  await controlPlane.close()
  await drop()
  await rm(folder, { recursive: true, force: true })
})

async function startHourly(into = folder, options: { interval?: number } = {}): Promise<HourlyBackups> {
  const hourly = await startHourlyBackups({
    target,
    folder: into,
    kept: 3,
    version: '0.1.0',
    clock: () => now,
    log: { info: () => undefined, error: (_fields, message) => failures.push(message) },
    interval,
    random: () => 0.5,
    ...options,
  })
  running.push(hourly)
  return hourly
}

async function addProject(key: string): Promise<void> {
  await controlPlane.sql`
    INSERT INTO projects (id, key, name, created_at) VALUES (gen_random_uuid(), ${key}, 'P', now())`
}

const names = async (inside = folder) => (await readdir(inside)).sort()

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; await pause(10)) if (await holds()) return
  throw new Error('it did not happen')
}

test('a backup is made after changes only', async () => {
  const hourly = await startHourly()
  await until(async () => hourly.lastBackupAt() !== undefined)
  expect(hourly.lastBackupAt()).toEqual(start)
  expect(await names()).toEqual(['hourly-2026-11-21T10-00-00.000Z.backup.gz'])

  now = new Date(start.getTime() + hour)
  await pause(4 * interval)
  expect(await names()).toHaveLength(1)

  await addProject('changed')
  await until(async () => (await names()).length === 2)
  await until(async () => hourly.lastBackupAt()?.getTime() === now.getTime())
})

test('sign-ins and counted requests are no reason for a backup', async () => {
  await controlPlane.sql`
    INSERT INTO users (id, email, name, password_hash, role, created_at)
    VALUES ('01900000-0000-7000-8000-000000000001', 'a@example.com', 'A', 'h', 'owner', now())`
  await controlPlane.sql`
    INSERT INTO sign_in_providers (id, key, button_text, issuer, client_id, client_auth, secret, scopes, domains,
      accepts_unverified, grants, reauthenticates, enabled, created_at)
    VALUES ('01900000-0000-7000-8000-000000000002', 'okta', 'Okta', 'https://idp.example', 'a', 'client_secret_post', 's',
      '{}', '{}', false, '[]', true, true, now())`
  const state = () => describeState(controlPlane.sql, 'last')
  const before = await state()
  // Strangers can start these.
  await controlPlane.sql`
    INSERT INTO sign_in_flows (id, provider_id, purpose, state_hash, browser_hash, nonce, code_verifier, redirect_uri,
      created_at, expires_at)
    VALUES (gen_random_uuid(), '01900000-0000-7000-8000-000000000002', 'sign-in', 'h', 'h', 'n', 'v', 'u', now(), now())`
  await controlPlane.sql`
    INSERT INTO login_sessions (id, user_id, token_hash, created_at, rotated_at, last_used_at, expires_at, user_agent)
    VALUES (gen_random_uuid(), '01900000-0000-7000-8000-000000000001', 'h', now(), now(), now(), now(), 'x')`
  await controlPlane.sql`UPDATE users SET last_seen_at = now()`
  await controlPlane.sql.begin(async (transaction) => {
    // Without an environment.
    await transaction`SET LOCAL session_replication_role = replica`
    await transaction`
      INSERT INTO signed_user_counts (environment_id, day, source, signed, unsigned, invalid, expired)
      VALUES (gen_random_uuid(), '2026-11-21', 'flags', 1, 0, 0, 0)`
  })
  await controlPlane.sql`
    INSERT INTO audit_entries (id, at, actor, action, entity_kind, entity_id, entity_name, changes)
    SELECT gen_random_uuid(), now(), '{}', action, 'user', 'u', 'u', '[]'
    FROM unnest(ARRAY['session.begin', 'permission.refuse', 'audit.export']) AS action`
  expect(await state()).toBe(before)
  await addProject('changed')
  expect(await state()).not.toBe(before)
})

test('a restarted server continues the schedule', async () => {
  await makeBackup(controlPlane.sql, 'hourly', { folder, kept: 3, version: '0.1.0', now: start })
  await addProject('changed')

  const early = await startHourly(folder, { interval: 2_000 })
  expect(early.lastBackupAt()).toEqual(start)
  await pause(400)
  await early.stop()
  expect(await names()).toHaveLength(1)

  now = new Date(start.getTime() + 2_000)
  await startHourly(folder, { interval: 2_000 })
  await until(async () => (await names()).length === 2)
})

test('one of two servers makes the backups, and the other takes over', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  const first = await startHourly(one)
  await until(async () => (await listBackups(one)).length === 1)
  await startHourly(other)
  await addProject('seen-by-one')
  now = new Date(start.getTime() + hour)
  await until(async () => (await listBackups(one)).length === 2)
  await pause(3 * interval)
  expect(await listBackups(other)).toEqual([])

  await first.stop()
  await until(async () => (await listBackups(other)).length === 1)
})

test('a failed backup is reported, and the next one is attempted', async () => {
  await writeFile(join(folder, 'file'), '')
  await startHourly(join(folder, 'file', 'backups'))
  await until(async () => failures.length >= 3)
  expect(failures.slice(0, 3)).toEqual([
    'the backups cannot be read',
    'the hourly backup failed',
    'the hourly backup failed',
  ])
  await rm(join(folder, 'file'))
  await until(async () => (await listBackups(join(folder, 'file', 'backups'))).length === 1)
})

test('only the newest of each kind are kept', async () => {
  const at = (number: number) => new Date(start.getTime() + number * hour)
  for (const number of [3, 1, 2, 5, 4]) {
    await writeFile(join(folder, backupName('hourly', at(number))), '')
    await writeFile(join(folder, backupName('before-migration', at(number))), '')
  }
  await writeFile(join(folder, 'hourly-of-my-own.backup.gz'), '')
  await writeFile(join(folder, 'notes.txt'), '')
  await writeFile(join(folder, 'hourly-x.backup.gz.1.unfinished'), '')
  await writeFile(join(folder, 'hourly-x.backup.gz.2.unfinished'), '')
  await utimes(join(folder, 'hourly-x.backup.gz.1.unfinished'), start, new Date(Date.now() - 48 * hour))

  await keepNewestBackups(folder, 'hourly', 2)
  expect(
    (await listBackups(folder)).filter(({ kind }) => kind === 'hourly').map((backup) => backup.at),
  ).toEqual([at(5), at(4)])
  expect((await listBackups(folder)).filter(({ kind }) => kind === 'before-migration')).toHaveLength(5)
  expect(await names()).toEqual(
    expect.arrayContaining(['hourly-of-my-own.backup.gz', 'notes.txt', 'hourly-x.backup.gz.2.unfinished']),
  )
  expect(await names()).not.toContain('hourly-x.backup.gz.1.unfinished')
})

test('only data to be migrated is backed up before', async () => {
  const known = await readMigrations()
  const next: Migration = { name: '9003_next', hash: 'next', statements: ['SELECT 1'] }
  const place = { folder: join(folder, 'backups'), kept: 2, version: '0.1.0', now: start }

  expect(await backupBeforeMigration(controlPlane.sql, place)).toBeUndefined()
  const written = await backupBeforeMigration(controlPlane.sql, { ...place, migrations: [...known, next] })
  expect(written?.header.lastMigration).toBe(known.at(-1)?.name)
  expect(await names(place.folder)).toEqual(['before-migration-2026-11-21T10-00-00.000Z.backup.gz'])

  const { target: empty, drop: dropEmpty } = await createDatabase(inject('postgres'), 'template0')
  const without = openPostgres(empty)
  expect(await backupBeforeMigration(without.sql, place)).toBeUndefined()
  await without.close()
  await dropEmpty()
})

test('a migration without its backup does not start, and reports the failure', async () => {
  const known = await readMigrations()
  const next: Migration = { name: '9003_next', hash: 'next', statements: ['SELECT 1'] }
  await mkdir(join(folder, 'real'))
  await writeFile(join(folder, 'file'), '')
  const place = { folder: join(folder, 'file'), kept: 2, version: '0.1.0', now: start }
  await expect(
    backupBeforeMigration(controlPlane.sql, { ...place, migrations: [...known, next] }),
  ).rejects.toThrow(/EEXIST|ENOTDIR/)
})
