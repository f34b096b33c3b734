// One user is erased: no table contains their data, other users keep theirs, and late data is refused.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { framed, hashOf, profile, segment, sendAttachment } from '../../../../../test/intake/attachments.ts'
import { noteNightBefore } from '../../../../../test/intake/note-night.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, send, toLines } from '../../../../../test/intake/visitor.ts'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { erasures } from '../../platform/engines/postgres/privacy-schema.ts'
import { keptReplays, replayNotes } from '../../platform/engines/postgres/replay-schema.ts'
import { retentionNights } from '../../platform/engines/postgres/retention-schema.ts'
import { runNight } from '../retention/run-night.ts'
import { runErasures } from './run-erasures.ts'

const settings = { DATABASE_URL: 'postgres://shared.example/telltale' }
const base = `${environments}/development`
// The store rewrites its files several times in each test: ten seconds on an idle machine, many times that on a busy
// one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })
const patience = { timeout: 60_000 }
/** Events of programs are not written to the guard's tables. */
const headers = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
}
let stage: IntakeStage
let other: Telltale

beforeAll(async () => {
  stage = await openIntakeStage(settings)
  other = await startTelltale({ beside: stage.telltale, settings })
})
afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const ask = (method: 'GET' | 'POST', path: string, body?: Line) =>
  stage.telltale.request(method, `${base}${path}`, { as: stage.owner, ...(body && { body }) })

const sessionOf = (who: Line, session = newId()): Line[] => [
  context({
    session,
    ...who,
    reads: [
      {
        flag: 'checkout',
        variation: 'new',
        split: '7',
        epoch: 1,
        by: 'targetingKey',
        unit: who.userKey ?? who.anonymousId,
      },
    ],
  }),
  event('view'),
  event('error', { source: 'uncaught', message: 'no', handled: false }),
  event('exposure', { flag: 'checkout' }),
  event('view_state', {
    rev: 1,
    startedAt: Date.now(),
    duration: 1,
    active: true,
    actions: 0,
    resources: 0,
    errors: 1,
    longFrames: 0,
    frustrations: 0,
  }),
]

interface ExportedRow {
  table: string
  row: Record<string, unknown>
}

async function exportAll(person: string): Promise<ExportedRow[]> {
  const rows: ExportedRow[] = []
  let cursor = ''
  do {
    const { body, status } = await ask('GET', `/people/${person}?limit=4${cursor}`)
    expect(status).toBe(200)
    expect(body.items.length).toBeLessThanOrEqual(4)
    rows.push(...body.items)
    cursor = body.next === null ? '' : `&cursor=${body.next}`
  } while (cursor !== '')
  return rows
}

async function count(table: string, column: string, ids: unknown[]): Promise<number> {
  const [row] = await stage.read<{ n: string }>(
    `SELECT count() AS n FROM ${table} WHERE toString(${column}) IN {ids:Array(String)}`,
    { ids },
  )
  return Number(row?.n)
}

/** Every user is then in a half of the A/A test as well; the intake learns of it after a moment. */
async function turnAaTestOn(): Promise<void> {
  expect(
    (await stage.telltale.request('PATCH', base, { as: stage.owner, body: { aaTest: true } })).status,
  ).toBe(200)
  const isDivided = async () => {
    const session = newId()
    await stage.post(toLines([context({ session, anonymousId: session }), event('view')]), { headers })
    const [row] = await stage.untilStored(session, 1)
    return JSON.stringify(row?.arms)
  }
  await expect.poll(isDivided, patience).not.toBe('[]')
}

test('a user is erased everywhere, with a receipt, and does not return', async () => {
  await turnAaTestOn()
  // On the laptop before and after signing in, and on a phone; Noa signed in on the same laptop.
  const mara = {
    before: sessionOf({ anonymousId: 'laptop' }),
    after: sessionOf({ anonymousId: 'laptop', userKey: 'mara', sessionUserKey: 'mara' }),
    phone: sessionOf({ anonymousId: 'phone', userKey: 'mara', sessionUserKey: 'mara' }),
  }
  const noa = sessionOf({ anonymousId: 'laptop', userKey: 'noa', sessionUserKey: 'noa' })
  const idOf = (lines: Line[]) => lines[0]?.session
  const gone = Object.values(mara).map(idOf)
  for (const lines of [...Object.values(mara), noa]) await stage.post(toLines(lines), { headers })
  for (const session of [...gone, idOf(noa)]) await stage.untilStored(session, 3)
  await expect.poll(() => count('views', 'session_id', gone), patience).toBe(3)

  // Every row of what an erasure deletes, page by page.
  const exported = await exportAll('mara')
  const sessionsIn = (table: string) =>
    [...new Set(exported.filter((one) => one.table === table).map(({ row }) => row.session_id))].sort()
  expect(exported.filter(({ table }) => table === 'events')).toHaveLength(9)
  for (const table of ['events', 'sessions', 'views']) expect(sessionsIn(table)).toEqual([...gone].sort())
  expect(exported.find(({ row }) => row.err_message === 'no')?.row).toMatchObject({ err_handled: 0 })
  // In a split, and in the A/A test: once by the browser's ID, once by the user key.
  const splits = exported.filter(({ table }) => table === 'exposures').map(({ row }) => String(row.split))
  expect(splits.sort()).toEqual(['0', '0', '7', '7'])
  expect(new Set(exported.map(({ table }) => table))).toContain('unit_measures')

  const requested = await ask('POST', '/erasures', { targetingKey: 'mara' })
  expect(requested.status).toBe(201)
  expect(JSON.stringify(requested.body)).not.toContain('mara')
  // This server refuses at once, the other one is notified.
  const late = () => toLines(sessionOf({ anonymousId: 'tablet', userKey: 'mara' }))
  expect((await stage.post(late())).body).toMatchObject({
    accepted: 0,
    dropped: [{ reason: 'erased_person', count: 4 }],
  })
  const key = await stage.clientKey('development')
  await expect.poll(async () => (await send(other.url, late(), { key })).body.accepted, patience).toBe(0)

  const receipt = async () => (await ask('GET', `/erasures/${requested.body.id}`)).body
  await expect.poll(async () => (await receipt()).state, patience).toBe('erased')
  const { tables, checkedAt } = await receipt()
  expect(checkedAt).not.toBeNull()
  expect(await exportAll('mara')).toEqual([])
  const rowsOf = new Map(tables.map(({ table, rows }: { table: string; rows: number }) => [table, rows]))
  expect(rowsOf.get('events')).toBeGreaterThanOrEqual(9)
  expect(rowsOf.get('views')).toBe(3)
  expect(rowsOf.get('exposures')).toBe(4)
  const units = ['mara', 'laptop', 'phone'].map((value) =>
    unitHash({ environment: stage.environment, attribute: 'targetingKey', value }),
  )
  for (const table of ['events', 'sessions', 'views']) expect(await count(table, 'session_id', gone)).toBe(0)
  for (const table of ['exposures', 'unit_measures', 'unit_buckets']) {
    expect(await count(table, 'unit', units)).toBe(0)
  }
  expect(await count('events', 'session_id', [idOf(noa)])).toBe(3)

  // The browsers that were found are refused too, until the block expires.
  const browser = () => stage.post(toLines(sessionOf({ anonymousId: 'phone' })))
  await expect.poll(async () => (await browser()).body.accepted, patience).toBe(0)
  expect((await ask('GET', '/erasures')).body.items.map(({ id }: { id: string }) => id)).toEqual([
    requested.body.id,
  ])
})

test('spooled data is erased when shipped; at the end the user is anonymous', async () => {
  const { telltale, read, untilStored } = stage
  const { services } = telltale.running
  const past = new Date(Date.now() - 1_000)
  const set = (values: Partial<typeof erasures.$inferInsert>) =>
    services.db.update(erasures).set(values).where(eq(erasures.id, requested.body.id))
  const requested = await ask('POST', '/erasures', { anonymousId: 'kiosk' })
  const receipt = async () => (await ask('GET', `/erasures/${requested.body.id}`)).body
  await expect.poll(async () => (await receipt()).state, patience).toBe('erased')

  // As if they had waited in the spool of another server.
  const session = newId()
  const columns = 'environment_id, kind, ts, session_id, anonymous_id'
  await services.telemetry.command(
    `INSERT INTO events (${columns}) VALUES ('${stage.environment}', 'view', now64(3), '${session}', 'kiosk')`,
  )
  await untilStored(session, 1)
  await set({ nextSweepAt: past })
  await runErasures(services)
  expect(await read('SELECT 1 FROM events WHERE session_id = {session:UUID}', { session })).toEqual([])
  expect((await receipt()).tables).toContainEqual({ table: 'events', rows: 1 })

  await set({ nextSweepAt: past, blockedUntil: past })
  await runErasures(services)
  expect(await receipt()).toMatchObject({ state: 'closed' })
  const rows = await services.db.select().from(erasures).where(eq(erasures.id, requested.body.id))
  expect(rows).toMatchObject([{ subject: null, nextSweepAt: null }])
})

test('an erasure requires an id', async () => {
  expect((await ask('POST', '/erasures', {})).status).toBe(400)
})

/** Files of the store that contain a text, limited to the tables of this test. */
async function filesWith(text: string): Promise<string[]> {
  const tables = await stage.read<{ paths: string[] }>(
    'SELECT data_paths AS paths FROM system.tables WHERE database = currentDatabase() AND notEmpty(data_paths)',
  )
  const found: string[] = []
  for (const folder of tables.flatMap(({ paths }) => paths)) {
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const path = join(file.parentPath, file.name)
      // The store may have renamed what it was writing.
      const bytes = await readFile(path).catch(() => undefined)
      if (bytes?.includes(text)) found.push(path)
    }
  }
  return found
}

test("at the end the text is gone from the store's files, with the time in the receipt", async () => {
  const { services } = stage.telltale.running
  const [key, message] = ['vqxzjk-wkqzvj', 'qjzxkv-said-wvzkqj']
  const erased = sessionOf({ anonymousId: 'desk-zkqx', userKey: key, sessionUserKey: key })
  erased.push(event('error', { source: 'uncaught', message, handled: false }))
  const other = sessionOf({
    anonymousId: 'other-zkqx',
    userKey: 'wxqjkz-stays',
    sessionUserKey: 'wxqjkz-stays',
  })
  for (const lines of [erased, other]) {
    await stage.post(toLines(lines), { headers })
    await stage.untilStored(lines[0]?.session, lines === erased ? 4 : 3)
  }
  await expect.poll(() => count('views', 'session_id', [erased[0]?.session]), patience).toBe(1)
  for (const text of [key, message, 'desk-zkqx']) expect(await filesWith(text)).not.toEqual([])

  const requested = await ask('POST', '/erasures', { targetingKey: key })
  const receipt = async () => (await ask('GET', `/erasures/${requested.body.id}`)).body
  await expect.poll(async () => (await receipt()).state, patience).toBe('erased')
  const isOffDisk = async () => {
    await runErasures(services)
    return (await receipt()).offDiskAt !== null
  }
  await expect.poll(isOffDisk, { timeout: 120_000, interval: 500 }).toBe(true)
  for (const text of [key, message, 'desk-zkqx']) expect(await filesWith(text)).toEqual([])
  expect(await filesWith('wxqjkz-stays')).not.toEqual([])
  expect(await count('events', 'session_id', [other[0]?.session])).toBe(3)
})

test('recordings, profiles and notes are erased with the user, from the files too', async () => {
  const { services } = stage.telltale.running
  const key = await sampleEverything(stage)
  const secret = { typed: 'kzqxvw-typed-jqwzkx', ran: 'wkzjqv-ran-xqzkvj' }
  const css = Buffer.from(`/* zjqkxw-only-hers */ ${'.card{color:red}'.repeat(200)}`)
  const hash = hashOf(css)
  const attach = async (kind: 'replay' | 'profile' | 'asset', body: Uint8Array, query = {}) => {
    const { body: answer } = await sendAttachment(stage.telltale.url, { kind, body, key, query })
    expect(answer.accepted).toBe(1)
  }
  const sessions = { hers: newId(), other: newId() }
  for (const [who, session] of Object.entries(sessions)) {
    const person = { anonymousId: `${who}-browser`, userKey: who, sessionUserKey: who }
    await stage.post(toLines(sessionOf(person, session)), { headers })
    await stage.untilStored(session, 3)
    // Stored without compression, so that the text can be searched in the files.
    const text = who === 'hers' ? secret.typed : 'xkzwqj-typed-stays'
    const [header] = segment({ session, context: person, assets: who === 'hers' ? [hash] : [] })
      .toString()
      .split('\n')
    const line = `${JSON.stringify({ type: 3, data: { text }, timestamp: 1 })}\n`
    await attach('replay', framed(`${header}`, gzipSync(line, { level: 0 })))
    const tables = {
      texts: ['main', who === 'hers' ? secret.ran : 'stays'],
      frames: [0, 1, 1, 1],
      stacks: [0, -1],
      samples: [10, 0],
    }
    await attach('profile', profile({}, { context: { session, ...person }, tables }))
  }
  await attach('asset', css, { hash, type: 'text/css' })
  const place = `${base}/sessions/${sessions.hers}/replay`
  const tables = ['replay_segments', 'profile_rows', 'profile_blobs'] as const
  for (const table of tables) {
    await expect.poll(() => count(table, 'session_id', [sessions.hers]), patience).toBeGreaterThan(0)
  }
  await expect.poll(() => count('replay_assets', 'hash', [hash]), patience).toBe(1)
  const write = (method: 'PUT' | 'POST', path: string, body: Line) =>
    stage.telltale.request(method, `${place}${path}`, { as: stage.owner, body })
  expect((await write('PUT', '/keep', { reason: 'she is angry' })).status).toBe(200)
  expect((await write('POST', '/notes', { at: new Date().toISOString(), text: 'her address' })).status).toBe(
    201,
  )

  const exported = await exportAll('hers')
  const wordsIn = (table: string) => exported.filter((one) => one.table === table).map(({ row }) => row)
  expect(wordsIn('kept_replays')).toMatchObject([{ sessionId: sessions.hers, reason: 'she is angry' }])
  expect(wordsIn('replay_notes')).toMatchObject([{ sessionId: sessions.hers, text: 'her address' }])
  expect(wordsIn('replay_kept')).toHaveLength(1)
  expect(await filesWith(secret.typed)).not.toEqual([])

  const requested = await ask('POST', '/erasures', { targetingKey: 'hers' })
  const receipt = async () => (await ask('GET', `/erasures/${requested.body.id}`)).body
  await expect.poll(async () => (await receipt()).state, patience).toBe('erased')
  const rows = new Map(
    (await receipt()).tables.map(({ table, rows }: { table: string; rows: number }) => [table, rows]),
  )
  for (const table of [...tables, 'replay_kept', 'kept_replays', 'replay_notes']) {
    expect(rows.get(table)).toBeGreaterThan(0)
  }
  for (const table of [...tables, 'replay_kept']) {
    expect(await count(table, 'session_id', [sessions.hers])).toBe(0)
  }
  expect(await count('replay_segments', 'session_id', [sessions.other])).toBe(1)
  expect(await services.db.select().from(keptReplays)).toEqual([])
  expect(await services.db.select().from(replayNotes)).toEqual([])
  const isOffDisk = async () => {
    await runErasures(services)
    return (await receipt()).offDiskAt !== null
  }
  await expect.poll(isOffDisk, { timeout: 120_000, interval: 500 }).toBe(true)
  expect(await filesWith(secret.typed)).toEqual([])
  expect(await filesWith('xkzwqj-typed-stays')).not.toEqual([])
  const { body: audit } = await stage.telltale.request('GET', '/api/v1/projects/shop/audit?limit=200', {
    as: stage.owner,
  })
  expect(JSON.stringify(audit)).not.toMatch(/she is angry|her address/)

  // A style sheet belongs to the site: it is deleted in a night once no recording uses it.
  const inDays = (days: number) => ({ ...services, clock: () => new Date(Date.now() + days * 86_400_000) })
  await services.db.delete(retentionNights)
  await noteNightBefore(services.db, inDays(5).clock())
  await runNight(inDays(5))
  expect(await count('replay_assets', 'hash', [hash])).toBe(0)
  const stacks = await stage.read<{ frames: string[] }>('SELECT frames FROM profile_stacks')
  expect(JSON.stringify(stacks)).not.toContain(secret.ran)
})

test('a user with thousands of browsers is erased, including sessions beyond their retention', async () => {
  const { services } = stage.telltale.running
  const { environment } = stage
  const browsers = 800
  // Each browser once signed in and once not; half of the events are already deleted.
  const insert = (who: string, first: number) =>
    services.telemetry.command(
      `INSERT INTO events (environment_id, kind, ts, session_id, user_key, anonymous_id)
      SELECT toUUID('${environment}'), 'view', now64(3), generateUUIDv4(number), ${who}, concat('browser-${'x'.repeat(20)}-', toString(number))
      FROM numbers(${first}, ${browsers / 2})`,
    )
  for (const who of ["'zoë'", "''"]) for (const first of [0, browsers / 2]) await insert(who, first)
  await services.telemetry.remove({
    rows: `environment_id = '${environment}' AND startsWith(anonymous_id, 'browser-') AND endsWith(anonymous_id, '1')`,
    table: 'events',
  })
  // Outside any session, next to another user's data.
  await services.telemetry.command(
    `INSERT INTO events (environment_id, kind, ts, event_id, user_key) VALUES
      ('${environment}', 'custom', now64(3), generateUUIDv4(1), 'zoë'), ('${environment}', 'custom', now64(3), generateUUIDv4(2), 'liv')`,
  )
  const requested = await ask('POST', '/erasures', { targetingKey: 'zoë' })
  const receipt = async () => (await ask('GET', `/erasures/${requested.body.id}`)).body
  await expect.poll(async () => (await receipt()).state, { timeout: 120_000 }).toBe('erased')
  const left = async (table: string, condition: string) =>
    Number((await stage.read<{ n: string }>(`SELECT count() AS n FROM ${table} WHERE ${condition}`))[0]?.n)
  expect(await left('events', "startsWith(anonymous_id, 'browser-') OR user_key = 'zoë'")).toBe(0)
  expect(await left('sessions', "arrayExists(id -> startsWith(id, 'browser-'), anonymous_ids)")).toBe(0)
  expect(await left('events', "user_key = 'liv'")).toBe(1)
})

test('a user with the same targeting key and anonymous id is erased', async () => {
  const body = { targetingKey: 'one-and-the-same', anonymousId: 'one-and-the-same' }
  expect((await ask('POST', '/erasures', body)).status).toBe(201)
})
