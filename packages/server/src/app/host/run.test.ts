import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../../test/postgres.ts'
import { hashPassword, verifyPassword } from '../../organisation/users/password.ts'
import { listBackups } from '../../platform/backups/backup-files.ts'
import { lockDataFolder } from '../../platform/data-folder/lock.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { connectTelemetry } from '../../platform/engines/clickhouse/connect.ts'
import { connectPostgres } from '../../platform/engines/connect-postgres/connect.ts'
import { migrate } from '../../platform/engines/postgres/migrate.ts'
import { type ControlPlane, openPostgres } from '../../platform/engines/postgres/open.ts'
import { hashSecret } from '../../platform/http/secret.ts'
import { readConfig } from '../../platform/process/config.ts'
import { createLog } from '../../platform/process/log.ts'
import { readHostConfig } from './open-database.ts'
import { runHostCommand } from './run.ts'
import type { HostWorld } from './world.ts'

const limit = 60_000
const now = new Date('2026-11-21T10:00:00.000Z')
const userId = '01900000-0000-7000-8000-000000000001'

let parent: string
let dataFolder: string
let said: string[]
let complaints: string[]
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'telltale-host-'))
  await chmod(parent, 0o755)
  dataFolder = join(parent, 'data')
  // One embedded installation for all tests: a stopped server with data.
  await whileServed(async ({ sql }) => {
    await migrate(sql)
    await sql`
      INSERT INTO users (id, email, name, password_hash, role, created_at)
      VALUES (${userId}, 'ada@example.com', 'Ada', ${await hashPassword('the password she forgot')}, 'owner', now())`
  })
}, limit)

afterAll(async () => {
  for (const { close } of opened) await close()
  await rm(parent, { recursive: true, force: true })
})

beforeEach(() => {
  said = []
  complaints = []
})

/** Opens the data folder as `serve` does, without the rest of a server. */
async function whileServed(run: (controlPlane: ControlPlane) => Promise<void>): Promise<void> {
  const lock = await lockDataFolder(dataFolder)
  const postgres = await connectPostgres(readHostConfig({ env: {} }, dataFolder), createLog('silent'))
  try {
    await run(postgres)
  } finally {
    await postgres.close()
    await lock.release()
  }
}

async function run(line: string[], world: Partial<HostWorld> = {}): Promise<number> {
  const [name = '', ...args] = line
  return runHostCommand(name, args, {
    env: { TELLTALE_LOG_LEVEL: 'silent' },
    print: (text) => void said.push(text),
    complain: (text) => void complaints.push(text),
    readLine: async () => '',
    untilStopSignal: async () => undefined,
    now: () => now,
    version: '0.1.0',
    ...world,
  })
}

/** A separate database for this test, by URL: as on a team's server, but not on the tests' server. */
async function openRemote(template?: string): Promise<ControlPlane & { url: string }> {
  const { target, drop } = await createDatabase(inject('postgres'), template)
  const controlPlane = openPostgres(target)
  opened.push({ close: controlPlane.close }, { close: drop })
  if (target.kind === 'url') return { ...controlPlane, url: target.url }

  const door = createServer((client) => {
    const server = connect(join(target.host, `.s.PGSQL.${target.port}`))
    pipeline(client, server, client, () => undefined)
  })
  await once(door.listen(0, '127.0.0.1'), 'listening')
  opened.push({ close: async () => void door.close() })
  const address = door.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { username, password, database } = target
  return { ...controlPlane, url: `postgres://${username}:${password}@127.0.0.1:${port}/${database}` }
}

test('a backup of a running or stopped server is restored into a new folder', {
  timeout: limit,
}, async () => {
  await whileServed(async () => {
    expect(await run(['backup', '--data', dataFolder])).toBe(0)
  })
  const [manual] = await listBackups(dataPaths(dataFolder).backups)
  expect(manual).toMatchObject({ kind: 'manual', at: now })
  expect(said[0]).toMatch(
    /^Written to .*manual-.*: 1 rows in \d+ tables, made on 2026-11-21T10:00:00.000Z by version 0.1.0/,
  )

  const file = join(parent, 'mine.gz')
  said = []
  expect(await run(['backup', '--data', dataFolder, '--to', file, '--json'])).toBe(0)
  expect(said).toHaveLength(1)
  expect(JSON.parse(said[0] ?? '')).toMatchObject({ file, rows: 1, createdAt: now.toISOString() })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await run(['backup', '--data', dataFolder, '--to', file])).toBe(1)
  expect(complaints).toEqual([`${file} already exists. Nothing was written.`])

  const fresh = join(parent, 'fresh')
  complaints = []
  expect(await run(['restore', file, '--data', fresh]), complaints.join()).toBe(0)
  expect(await run(['restore', file, '--data', fresh])).toBe(1)
  expect(complaints.join()).toContain('already contains an installation')
  expect(await run(['restore', file, '--data', fresh, '--replace'])).toBe(0)
  expect(said.join('\n')).toContain('before-restore-')
  expect(said.join('\n')).not.toContain('Restart')
  said = []
  expect(await run(['restore', file, '--data', fresh, '--replace', '--json'])).toBe(0)
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    {
      file,
      rows: 1,
      replaced: expect.stringContaining('before-restore-'),
      missingKeys: [],
      needsRestart: false,
    },
  ])
  expect(await readdir(fresh)).not.toContain('telltale.lock')
})

test('a folder without an installation is not changed', async () => {
  const nowhere = join(parent, 'nowhere')
  expect(await run(['backup', '--data', nowhere])).toBe(1)
  expect(complaints[0]).toContain(`There is no installation in ${nowhere}`)
  expect(await run(['restore', join(parent, 'no-such-file'), '--data', nowhere])).toBe(1)
  expect(await readdir(parent)).not.toContain('nowhere')
})

test('invalid usage prints the help', async () => {
  const wrong = [
    ['restore'],
    ['restore', 'a', 'b'],
    ['backup', '--too', 'x'],
    ['reset-password'],
    ['move-database', 'mysql://x'],
    ['toString'],
  ]
  for (const line of wrong) expect(await run(line), line.join(' ')).toBe(2)
  expect(complaints).toContain('Usage: restore FILE [--data FOLDER] [--replace] [--json]')
})

test('a password reset link works like a mailed one, and is audited', {
  timeout: limit,
}, async () => {
  const { sql, url } = await openRemote()
  await sql`
    INSERT INTO users (id, email, name, password_hash, role, created_at)
    VALUES (${userId}, 'ada@example.com', 'Ada', 'none', 'owner', now())`
  const env = { DATABASE_URL: url, TELLTALE_LOG_LEVEL: 'silent', TELLTALE_DATA: join(parent, 'unused') }
  expect(await run(['reset-password', 'ADA@example.com'], { env }), complaints.join()).toBe(0)

  const token = /\/password-reset#(\S+)/.exec(said.join('\n'))?.[1] ?? ''
  const [reset] =
    await sql`SELECT user_id, token_hash, extract(epoch FROM expires_at)::int AS expires_at, used_at FROM password_resets`
  expect(reset).toEqual({
    user_id: userId,
    token_hash: hashSecret(token),
    expires_at: now.getTime() / 1000 + 3600,
    used_at: null,
  })
  const entries = await sql`SELECT actor, action, entity_id, changes::text FROM audit_entries`
  expect(entries).toMatchObject([
    {
      actor: { kind: 'host', id: null, name: 'command line' },
      action: 'user.issue-password-reset',
      entity_id: userId,
    },
  ])
  expect(JSON.stringify(entries)).not.toContain(token)

  expect(
    await run(['reset-password', 'ada@example.com'], {
      env: { ...env, TELLTALE_PUBLIC_URL: 'https://t.example.com' },
    }),
  ).toBe(0)
  expect(said.join('\n')).toContain('https://t.example.com/password-reset#ttp_')
  said = []
  expect(await run(['reset-password', 'ada@example.com', '--json'], { env })).toBe(0)
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    { email: 'ada@example.com', address: null, path: expect.stringMatching(/^\/password-reset#ttp_/) },
  ])
  expect(await run(['reset-password', 'eve@example.com'], { env })).toBe(1)
  expect(complaints).toEqual(['There is no user with the e-mail address eve@example.com.'])
})

test('a password from stdin is set, and ends all sessions', {
  timeout: limit,
}, async () => {
  const { sql, url } = await openRemote()
  const env = { DATABASE_URL: url, TELLTALE_LOG_LEVEL: 'silent', TELLTALE_DATA: join(parent, 'unused') }
  await sql`
    INSERT INTO users (id, email, name, password_hash, role, created_at)
    VALUES (${userId}, 'ada@example.com', 'Ada', 'none', 'owner', now())`
  await sql`
    INSERT INTO login_sessions (id, user_id, token_hash, created_at, rotated_at, last_used_at, expires_at, user_agent)
    VALUES (gen_random_uuid(), ${userId}, 'h', now(), now(), now(), now() + interval '1 day', 'x')`
  await sql`
    INSERT INTO password_resets (id, user_id, token_hash, created_at, expires_at)
    VALUES (gen_random_uuid(), ${userId}, 'h', now(), now())`

  const set = ['reset-password', 'ada@example.com', '--password-stdin']
  expect(await run(set, { env, readLine: async () => 'short' })).toBe(1)
  expect(complaints).toEqual(['password must have at least 12 characters'])
  expect(await sql`SELECT 1 FROM login_sessions`).toHaveLength(1)

  const password = 'nine purple tandem bicycles'
  expect(await run(set, { env, readLine: async () => password })).toBe(0)
  const [user] = await sql<{ hash: string }[]>`SELECT password_hash AS hash FROM users`
  expect(user?.hash).toMatch(/^\$argon2id\$/)
  expect(await verifyPassword(user?.hash ?? '', password)).toBe(true)
  expect(await sql`SELECT 1 FROM login_sessions UNION ALL SELECT 1 FROM password_resets`).toHaveLength(0)
  expect(await sql`SELECT action, actor->>'kind' AS by FROM audit_entries`).toEqual([
    { action: 'user.reset-password', by: 'host' },
  ])
  expect(said.join('\n')).not.toContain(password)

  await sql`UPDATE users SET second_factor = true, totp_secret = 'A', totp_confirmed_at = now()`
  expect(await run(['reset-second-factor', 'ada@example.com', '--json'], { env })).toBe(0)
  expect(JSON.parse(said.at(-1) ?? '')).toEqual({ email: 'ada@example.com', secondFactor: false })
  expect(await sql`SELECT second_factor, totp_secret FROM users`).toEqual([
    { second_factor: false, totp_secret: null },
  ])

  await sql`INSERT INTO installation (id, created_at) VALUES (1, now()) ON CONFLICT DO NOTHING`
  await sql`UPDATE installation SET single_sign_on_only = true`
  expect(await run(['allow-passwords', '--json'], { env }), complaints.join()).toBe(0)
  expect(JSON.parse(said.at(-1) ?? '')).toEqual({ singleSignOnOnly: false })
  expect(await sql`SELECT single_sign_on_only FROM installation`).toEqual([{ single_sign_on_only: false }])
})

test('the audit log is verified, and a removed entry fails the command', { timeout: limit }, async () => {
  const { sql, url } = await openRemote()
  const env = { DATABASE_URL: url, TELLTALE_LOG_LEVEL: 'silent', TELLTALE_DATA: join(parent, 'unused') }
  await sql`
    INSERT INTO audit_entries (id, at, actor, action, entity_kind, entity_id, entity_name, changes)
    VALUES (${userId}, now(), '{"kind":"system","id":null,"name":"x"}', 'user.create', 'user', 'u', 'ada', '[]')`
  expect(await run(['verify-audit'], { env }), complaints.join()).toBe(0)
  expect(said.join('\n')).toContain('1 entries wait for their seal')

  await sql.unsafe('ALTER TABLE audit_entries DISABLE TRIGGER USER; DELETE FROM audit_entries')
  expect(await run(['verify-audit'], { env })).toBe(1)
  expect(complaints.join('\n')).toContain(`the entry was removed.\nEntry ${userId}`)
  expect(await run(['verify-audit', '--json'], { env })).toBe(1)
  expect(JSON.parse(said.at(-1) ?? '')).toMatchObject({ broken: { entryId: userId } })
  expect(await run(['verify-audit', '--head', 'x'], { env })).toBe(2)
})

test('the database moves to an external server, completely or not at all', { timeout: limit }, async () => {
  const { sql, url } = await openRemote('template0')
  expect(await run(['move-database', url, '--data', dataFolder]), complaints.join()).toBe(0)
  expect(await sql`SELECT email FROM users`).toEqual([{ email: 'ada@example.com' }])
  expect(said.join('\n')).toContain('Restart the server with DATABASE_URL')
  expect(said.join('\n')).not.toContain('is running')

  const move = ['move-database', url, '--data', dataFolder]
  expect(await run(move)).toBe(1)
  expect(complaints.join()).toContain('already contains an installation')
  expect((await readdir(dataPaths(dataFolder).backups)).filter((name) => name.includes('copy'))).toEqual([])
})

test('the telemetry engine runs separately with a password until it is stopped', {
  timeout: limit,
}, async () => {
  const data = join(parent, 'engine')
  let answers: unknown[] = []
  const untilStopSignal = async () => {
    const url = /CLICKHOUSE_URL=(\S+)/.exec(said.join('\n'))?.[1] ?? ''
    const servers = [0, 1].map(() =>
      connectTelemetry({
        config: readConfig([], { CLICKHOUSE_URL: url }),
        log: createLog('silent'),
        withLock: (work) => work(),
      }),
    )
    for (const { open, telemetry } of servers) {
      open()
      await telemetry.untilUsable()
    }
    answers = await Promise.all(
      servers.map(({ telemetry }) => telemetry.read('SELECT count() AS n FROM events')),
    )
    for (const { close } of servers) await close()
    await expect(lockDataFolder(data)).rejects.toThrow('is in use')
  }
  expect(await run(['engine', '--data', data, '--port', '0'], { untilStopSignal })).toBe(0)
  expect(answers).toEqual([[{ n: '0' }], [{ n: '0' }]])
  await (await lockDataFolder(data)).release()

  const env = { TELLTALE_LOG_LEVEL: 'silent', TELLTALE_ENGINE_PASSWORD: 'short' }
  expect(await run(['engine', '--data', data], { env })).toBe(1)
  expect(complaints.join()).toContain('16 characters')
  expect(await run(['engine', '--data', data, '--port', 'x'])).toBe(2)
})
