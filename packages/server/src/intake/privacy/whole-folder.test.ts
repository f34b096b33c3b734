// Everything that an installation writes, including the engines: after an erasure, the data folder contains no bytes of
// the user except where the receipt lists them.

import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  framed,
  profile,
  segment,
  sendAttachment,
  someTables,
} from '../../../../../test/intake/attachments.ts'
import { DatadogVisitor, sendDatadog } from '../../../../../test/intake/datadog-visitor.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import { noteIssues } from '../../monitoring/issues/note-issues.ts'
import { openReceiver, type Receiver } from '../../notify/channels/testing/receiver.ts'
import { keepNewestBackups } from '../../platform/backups/backup-files.ts'
import { makeBackup } from '../../platform/backups/make-backup.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { storedFiles } from '../../platform/data-folder/stored-file.ts'
import { issues } from '../../platform/engines/postgres/issue-schema.ts'
import { erasures } from '../../platform/engines/postgres/privacy-schema.ts'
import { erasedMessage } from './retitle-issues.ts'
import { runErasures } from './run-erasures.ts'

// Takes twenty seconds on an idle machine, with two engines that rewrite their files, and many times that on a busy
// one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const base = `${environments}/development`
const patience = { timeout: 60_000 }
const headers = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
}
// Each value is rare enough to be found anywhere, and short enough that compression does not split it.
const mara = {
  key: 'kqzvxjw',
  name: 'Wqzxkjv',
  mail: 'vqzkxj@jqx.example',
  browser: 'bqxzkvj-browser',
  phone: 'pqxzkvj-browser',
}
const words = Object.values(mara)
let stage: IntakeStage
let receiver: Receiver

beforeAll(async () => {
  stage = await openIntakeStage({ TELLTALE_WEBHOOK_NETWORKS: '127.0.0.1' }, 'own')
  receiver = await openReceiver()
})
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Line) {
  const answer = await stage.telltale.request(method, path, { as: stage.owner, ...(body && { body }) })
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer
}

async function findInFiles(): Promise<Record<string, string[]>> {
  const folder = stage.telltale.running.services.config.dataFolder
  const found: Record<string, string[]> = {}
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const path = join(file.parentPath, file.name)
    const bytes = await readFile(path).catch(() => undefined)
    if (bytes === undefined) continue
    const plain = path.endsWith('.gz') ? gunzipSync(bytes) : bytes
    const here = words.filter((word) => plain.includes(word))
    if (here.length > 0) found[relative(folder, path)] = here
  }
  return found
}

async function findInTables(): Promise<Record<string, number>> {
  const { services } = stage.telltale.running
  const found: Record<string, number> = {}
  const like = words.map((word) => `text LIKE '%${word}%'`).join(' OR ')
  const rows = await services.sql.unsafe<{ name: string }[]>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' UNION SELECT 'pg_stats'",
  )
  for (const { name } of rows) {
    const [row] = await services.sql.unsafe<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM (SELECT t::text AS text FROM ${name} t${name === 'pg_stats' ? " WHERE tablename NOT IN ('segments', 'erasures')" : ''}) AS rows WHERE ${like}`,
    )
    if (row && row.n > 0) found[`postgres ${name}`] = row.n
  }
  const columns = await stage.read<{ table: string; name: string }>(
    "SELECT table, name FROM system.columns WHERE database = currentDatabase() AND type NOT LIKE '%AggregateFunction%' AND default_kind != 'EPHEMERAL'",
  )
  const tables = new Map<string, string[]>()
  for (const { table, name } of columns) tables.set(table, [...(tables.get(table) ?? []), name])
  for (const [table, names] of tables) {
    const text = `concat(${names.map((name) => `toString(${name})`).join(", ' ', ")}, '')`
    const [row] = await stage.read<{ n: string }>(
      `SELECT count() AS n FROM (SELECT ${text} AS text FROM ${table}) WHERE ${like}`,
    )
    if (Number(row?.n) > 0) found[`clickhouse ${table}`] = Number(row?.n)
  }
  return found
}

/** Everything that a user can leave behind. */
async function leaveTraces(): Promise<void> {
  const { telltale, environment } = stage
  const { services } = telltale.running
  const key = await sampleEverything(stage)
  const channel = await ask('POST', '/api/v1/projects/shop/channels', {
    kind: 'webhook',
    name: 'Ops',
    url: receiver.url,
    events: ['issue.new'],
  })
  const stream = { kind: 'webhook', name: 'Audit', url: receiver.url, events: ['audit.recorded'] }
  await ask('POST', '/api/v1/projects/shop/channels', stream)
  await ask('POST', '/api/v1/projects/shop/alerts', {
    name: 'New errors',
    env: 'development',
    channels: [channel.body.channel.id],
    rule: { kind: 'events', events: ['issue.new'] },
  })
  const { identityNotes } = services
  for (const plan of ['free', 'pro']) {
    const traits = { targetingKey: mara.key, name: mara.name, email: mara.mail, plan }
    identityNotes.note(environment, traits, {
      size: JSON.stringify(traits).length,
      address: () => '192.0.2.1',
    })
    await identityNotes.flush()
  }
  const flag = { key: 'checkout', name: 'Checkout', valueType: 'boolean', clientVisible: true }
  await ask('POST', '/api/v1/projects/shop/flags', flag)
  await ask('PUT', `${base}/flags/checkout/overrides/${mara.key}`, { variation: 'on' })
  await expect
    .poll(async () => {
      const body = { context: { targetingKey: mara.key } }
      const requested = { body, headers: { authorization: `Bearer ${key}` } }
      return (await telltale.request('POST', '/ofrep/v1/evaluate/flags/checkout', requested)).status
    }, patience)
    .toBe(200)

  const sessions = { native: newId(), phone: newId() }
  const signedIn = { userKey: mara.key, sessionUserKey: mara.key }
  const broken = { source: 'uncaught', message: `No cart of ${mara.name}`, handled: false }
  const events = {
    native: [
      context({ session: sessions.native, anonymousId: mara.browser, ...signedIn }),
      event('view'),
      event('error', broken),
      event('custom', { name: 'greeted', attributes: { who: mara.name } }),
    ],
    phone: [context({ session: sessions.phone, anonymousId: mara.phone, ...signedIn }), event('view')],
  }
  expect((await stage.post(toLines(events.native), { headers })).body.dropped).toEqual([])
  await stage.post(toLines(events.phone), { headers })
  const visitor = new DatadogVisitor()
  visitor.usr = { id: mara.key, name: mara.name, email: mara.mail }
  const site = { url: telltale.url, key }
  expect(await sendDatadog(site, [visitor.view(newId()), visitor.error(newId())])).toBe(202)

  const person = { anonymousId: mara.browser, ...signedIn }
  const records = [{ type: 3, data: { text: mara.name }, timestamp: Date.now() }]
  const [header] = segment({ session: sessions.native, context: person, records }).toString().split('\n')
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const attach = async (kind: 'replay' | 'profile', body: Uint8Array) =>
    expect((await sendAttachment(telltale.url, { kind, body, key })).body.accepted).toBe(1)
  await attach('replay', framed(`${header}`, gzipSync(text, { level: 0 })))
  const about = { context: { session: sessions.native, ...person }, tables: someTables }
  await attach('profile', profile({}, about))
  await stage.untilStored(sessions.native, 3)
  await stage.untilStored(sessions.phone, 1)
  const stored = async (table: string) =>
    Number((await stage.read<{ n: string }>(`SELECT count() AS n FROM ${table}`))[0]?.n)
  for (const table of ['replay_segments', 'profile_rows', 'profile_blobs']) {
    await expect.poll(() => stored(table), patience).toBeGreaterThan(0)
  }
  await noteIssues(services)
  await ask('POST', '/api/v1/projects/shop/segments', namingSegment('friends'))
}

const namingSegment = (key: string) => ({
  key,
  name: key,
  when: { match: 'all', of: [{ attribute: 'targetingKey', operator: 'equals', value: mara.key }] },
})

/** The places that the receipt lists, and the actual ones. */
async function look(id: string) {
  const { body } = await ask('GET', `${base}/erasures/${id}`)
  const files = await findInFiles()
  const folders = new Set(
    Object.keys(files).map((path) => path.split('/', path.startsWith('postgres') ? 2 : 1)),
  )
  return {
    remains: body.remains.map(({ place }: { place: string }) => place),
    names: Object.fromEntries(
      body.remains.map(({ place, names }: { place: string; names: string[] }) => [place, names]),
    ),
    tables: Object.keys(await findInTables()).sort(),
    files,
    folders: [...new Set([...folders].map((parts) => parts.join('/')))].sort(),
  }
}

test('the receipt names everything that remains of an erased user in the data folder', async () => {
  const { services } = stage.telltale.running
  await leaveTraces()
  await services.sql.unsafe('ANALYZE')
  await services.sql.unsafe('CHECKPOINT')
  const { backups } = dataPaths(services.config.dataFolder)
  await makeBackup(services.sql, 'manual', { folder: backups, kept: 10, version: 'test', now: new Date() })
  const before = Object.keys(await findInFiles())
  const places = [
    'spool/0',
    'spool/datadog',
    'postgres/base',
    'postgres/pg_wal',
    'telemetry',
    'backups',
    'delivery',
  ]
  expect(places.filter((place) => !before.some((path) => path.startsWith(place)))).toEqual([])
  expect(Object.keys(await findInTables())).toEqual(
    expect.arrayContaining(
      ['pg_stats', 'issues', 'identities', 'audit_entries', 'deliveries', 'alert_incidents'].map(
        (name) => `postgres ${name}`,
      ),
    ),
  )

  const isInStream = () => receiver.received.some(({ body }) => /audit\.recorded.*override\.put/.test(body))
  await expect.poll(isInStream, { timeout: 20_000 }).toBe(true)

  // Like an environment that no application has requested since the start of the server.
  const unused = `${newId()}.json`
  const copies = storedFiles(services.config.dataFolder)
  await copies.write(unused, JSON.stringify({ of: mara.key }))

  // A backup or a slow query still sees rows that are deleted meanwhile, so PostgreSQL keeps them.
  const reader = await services.db.$client.connect()
  await reader.query('SET idle_in_transaction_session_timeout = 0')
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await reader.query('SELECT count(*) FROM identities')

  const { id } = (await ask('POST', `${base}/erasures`, { targetingKey: mara.key })).body
  const isErasure = eq(erasures.id, id)
  const placesNow = async () => {
    await runErasures(services)
    return (await look(id)).remains
  }
  const settled = { timeout: 120_000, interval: 300 }
  const whileRead = ['database-files', 'erasure', 'backups', 'configuration']
  await expect.poll(placesNow, settled).toEqual(whileRead)
  await reader.query('COMMIT')
  reader.release(true)
  await expect.poll(placesNow, settled).toEqual(['erasure', 'backups', 'configuration'])
  const open = await look(id)
  expect(open.names).toMatchObject({ configuration: ['segment friends'] })
  expect(open.tables).toEqual(['postgres erasures', 'postgres segments'])
  expect(open.folders).toEqual(['backups', 'delivery', 'postgres/base', 'postgres/pg_wal'])
  // The entry and the segment contain the IDs of the user, and no other data.
  const ids = [mara.key, mara.browser, mara.phone]
  for (const [path, found] of Object.entries(open.files)) {
    if (!path.startsWith('backups')) expect(ids).toEqual(expect.arrayContaining(found))
  }
  const [issue] = (await services.db.select().from(issues)).filter(({ message }) => message !== 'It broke')
  expect(issue?.message).toBe(erasedMessage)

  // The team removes the user from its segments, and the grace period for late events ends. A change just before starts
  // the interval between two copies of a rule set.
  await ask('POST', '/api/v1/projects/shop/segments', namingSegment('rivals'))
  for (const key of ['rivals', 'friends']) await ask('DELETE', `/api/v1/projects/shop/segments/${key}`)
  await services.db.update(erasures).set({ nextSweepAt: new Date() }).where(isErasure)
  await expect.poll(placesNow, settled).toEqual(['erasure', 'backups'])
  await services.db
    .update(erasures)
    .set({ blockedUntil: new Date(), nextSweepAt: new Date() })
    .where(isErasure)
  await expect.poll(placesNow, settled).toEqual(['backups'])
  const closed = await look(id)
  expect({ tables: closed.tables, folders: closed.folders }).toEqual({ tables: [], folders: ['backups'] })
  // The server makes its first hourly backup within minutes of its start.
  for (const kind of ['manual', 'hourly'] as const) await keepNewestBackups(backups, kind, 0)
  expect(await look(id)).toMatchObject({ remains: [], tables: [], folders: [] })
})
