import { desc, eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { usersPerSampled } from '../../platform/engines/clickhouse/schema/events-sampled.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { deletedEnvironments, retentionNights } from '../../platform/engines/postgres/retention-schema.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import type { Services } from '../../platform/services.ts'
import { findClockTrust, findHeldReason } from './clock-jump.ts'
import { runNight } from './run-night.ts'

const day = 86_400_000
let stage: IntakeStage
let services: Services

beforeAll(async () => {
  stage = await openIntakeStage()
  services = stage.telltale.running.services
})
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await services.db.delete(retentionNights)
})

const ask = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  stage.telltale.request(method, path, { as: stage.owner, ...(body !== undefined && { body }) })

interface Place {
  id: string
  key: string
  path: string
}

let made = 0
/** An environment for one test. */
async function makeEnvironment(settings: object = {}): Promise<Place> {
  made += 1
  const key = `place-${made}`
  const { body, status } = await ask('POST', environments, { key, name: key, ...settings })
  expect(status).toBe(201)
  return { id: body.id, key, path: `${environments}/${key}` }
}

const write = (text: string) => services.telemetry.command(text)
const at = (time: number) => `fromUnixTimestamp64Milli(${time})`

/** Two views and an exposure around noon of each of the last days, each with its own session, unit and user, who is not in the sample. */
async function fill({ id }: Place, days: number, now = Date.now()): Promise<void> {
  const noon = Math.floor(now / day) * day + 1
  await write(
    `INSERT INTO events (environment_id, project_id, kind, ts, event_id, session_id, user_hash, name, arms)
    SELECT toUUID('${id}'), toUUID('${newId()}'), if(number % 3 = 2, 'exposure', 'view'),
      ${at(noon)} - toIntervalDay(intDiv(number, 3)), generateUUIDv4(), generateUUIDv4(number), number * ${usersPerSampled} + 1, 'checkout',
      if(number % 3 = 2, [(toUInt64(7), toUInt32(1), 'new', toUInt64(number))], [])
    FROM numbers(${days * 3})`,
  )
}

async function count(table: string, { id }: Place, condition = '1'): Promise<number> {
  const [row] = await stage.read<{ n: string }>(
    `SELECT count() AS n FROM ${table} WHERE environment_id = {id:UUID} AND (${condition})`,
    { id },
  )
  return Number(row?.n)
}

const night = (telemetry: Telemetry = services.telemetry) => runNight({ ...services, telemetry })

interface Kind {
  kind: string
  rows: number
  bytes: number
  sessions: number | null
}

async function preview({ path }: Place, query = ''): Promise<Map<string, Kind>> {
  const { body, status } = await ask('GET', `${path}/retention/preview${query}`)
  expect(status).toBe(200)
  return new Map(body.kinds.map((one: Kind) => [one.kind, one]))
}

async function lastNight({ path }: Place) {
  const { body } = await ask('GET', `${path}/retention`)
  return body.nights[0]
}

test('the nightly cleanup removes what the preview reported, in this environment only', async () => {
  const place = await makeEnvironment()
  const other = await makeEnvironment()
  await fill(place, 20)
  await fill(other, 20)

  const reported = await preview(place, '?events=6&exposures=12')
  expect(reported.get('events')).toMatchObject({ days: 6, rows: (20 - 7) * 2 + (20 - 13) * 3 })
  // The views of seven to twenty days ago, and the sessions of exposures past their own retention.
  expect(reported.get('events')?.sessions).toBe((20 - 7) * 2 + (20 - 13))
  expect((await preview(place)).get('events')?.rows).toBe(0)

  await ask('PATCH', place.path, { retentionDays: { events: 6, exposures: 12 } })
  await night()
  expect(await count('events', place, "kind = 'view'")).toBe(7 * 2)
  expect(await count('events', place, "kind = 'exposure'")).toBe(13)
  expect(await count('sessions', place)).toBe(13 * 3)
  for (const table of ['events', 'sessions']) expect(await count(table, other)).toBe(20 * 3)
  expect(await count('exposures', other)).toBe(20)

  const { state, removed } = await lastNight(place)
  expect(state).toBe('done')
  for (const { kind, rows, bytes } of removed) {
    expect({ kind, rows, bytes }).toEqual({
      kind,
      rows: reported.get(kind)?.rows,
      bytes: reported.get(kind)?.bytes,
    })
  }
  expect(removed.map(({ kind }: Kind) => kind)).toEqual(
    [...reported.values()].filter(({ rows }) => rows > 0).map(({ kind }) => kind),
  )
  expect((await lastNight(other)).removed).toEqual([])
  // The next night finds nothing.
  await services.db.delete(retentionNights)
  await night()
  expect((await lastNight(place)).removed).toEqual([])
})

test('sums per flag expire by whole months, and never with a retained day', async () => {
  const place = await makeEnvironment({ retentionDays: { events: 1, exposures: 10 } })
  await fill(place, 70)
  const cut = new Date(Math.floor(Date.now() / day) * day - 10 * day)
  const month = Date.UTC(cut.getUTCFullYear(), cut.getUTCMonth(), 1)
  await night()
  expect(await count('exposures', place, `first_ts < ${at(month)}`)).toBe(0)
  const days = Math.floor((Math.floor(Date.now() / day) * day - month) / day) + 1
  expect(await count('exposures', place)).toBe(days)
  expect(await count('unit_measures', place)).toBe(days)
})

test("a day ends at the environment's midnight", async () => {
  const place = await makeEnvironment({ timeZone: 'Pacific/Auckland', retentionDays: { events: 3 } })
  const { body } = await ask('GET', `${place.path}/retention/preview?events=3`)
  const [{ from, firstDay }] = body.kinds
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland', dateStyle: 'short' })
  expect(firstDay).toBe(local.format(Date.parse(from)))
  expect(local.format(Date.parse(from) - 1)).not.toBe(firstDay)
  for (const offset of [-1, 0]) {
    await write(
      `INSERT INTO events (environment_id, kind, ts, session_id) VALUES ('${place.id}', 'view', ${at(Date.parse(from) + offset)}, '${newId()}')`,
    )
  }
  await night()
  expect(
    await stage.read('SELECT toUnixTimestamp64Milli(ts) AS at FROM events WHERE environment_id = {id:UUID}', {
      id: place.id,
    }),
  ).toEqual([{ at: String(Date.parse(from)) }])
})

test('an interrupted cleanup is completed by the next server, once', async () => {
  const place = await makeEnvironment({ retentionDays: { events: 5, exposures: 5 } })
  await fill(place, 15)
  const reported = await preview(place)
  const { telemetry } = services
  let removals = 0
  // Like a killed server: it neither continues nor reports anything.
  let died: () => void = () => undefined
  const death = new Promise<void>((resolve) => {
    died = resolve
  })
  const dying: Telemetry = {
    ...telemetry,
    remove: async (removal) => {
      removals += 1
      if (removals <= 2) return telemetry.remove(removal)
      died()
      return new Promise(() => undefined)
    },
  }
  void night(dying)
  await death
  expect(await lastNight(place)).toMatchObject({ state: 'running', endedAt: null })
  // While it may still be running, no other server takes over.
  await night()
  expect(await lastNight(place)).toMatchObject({ state: 'running', endedAt: null })
  await services.db.update(retentionNights).set({ leaseUntil: new Date(Date.now() - 1) })
  await Promise.all([night(), night()])
  expect(await count('events', place)).toBe(6 * 3)
  expect(await count('sessions', place)).toBe(6 * 3)
  const { state, removed } = await lastNight(place)
  expect(state).toBe('done')
  const rowsOf = (kinds: Iterable<Kind>) => [...kinds].reduce((sum, { rows }) => sum + rows, 0)
  expect(rowsOf(removed)).toBe(rowsOf(reported.values()))
})

test('fully expired files are dropped, and files with many deleted rows are rewritten', async () => {
  const place = await makeEnvironment({ retentionDays: { events: 5, exposures: 5 } })
  const other = await makeEnvironment()
  await fill(place, 15)
  await fill(other, 10)
  await write('OPTIMIZE TABLE events FINAL')
  await night()
  const files = await services.telemetry.files()
  const active = files.filter(({ table, isActive }) => table === 'events' && isActive)
  const stored = active.reduce((sum, { rows }) => sum + rows, 0)
  const [found] = await stage.read<{ n: string }>('SELECT count() AS n FROM events')
  expect(Number(found?.n)).toBeGreaterThanOrEqual(stored * 0.8)
  expect(await count('events', place)).toBe(6 * 3)
  expect(await count('events', other)).toBe(10 * 3)
})

test('beyond the budget of a project the oldest days are deleted in all environments, except kept recordings', async () => {
  const place = await makeEnvironment()
  await fill(place, 12)
  const kept = newId()
  await write(
    `INSERT INTO replay_kept (environment_id, day, session_id, tab_id, seq, segment_id, started, ended, bytes, body)
    VALUES ('${place.id}', today() - 30, '${kept}', '${newId()}', 0, '${newId()}', now64(3), now64(3), 10, 'kept')`,
  )
  const { body: before } = await ask('GET', '/api/v1/projects/shop/storage')
  expect(before).toMatchObject({ budgetBytes: null, overBudget: false, keptBytes: 10 })
  expect(before.usedBytes).toBeGreaterThan(0)
  expect(before.disk.totalBytes).toBeGreaterThan(before.disk.freeBytes)
  const own = before.environments.find(({ key }: { key: string }) => key === place.key)
  const events = own.kinds.find(({ kind }: { kind: string }) => kind === 'events')
  expect(events).toMatchObject({ rows: 12 * 2 + 12 * 3 })
  expect(own.bytes).toBe(own.kinds.reduce((sum: number, { bytes }: Kind) => sum + bytes, 0))

  // Below the allowed minimum: a test has little data.
  const half = Math.round(before.usedBytes / 2)
  await services.db.update(projects).set({ telemetryBudget: half }).where(eq(projects.key, 'shop'))
  expect((await ask('GET', '/api/v1/projects/shop/storage')).body.overBudget).toBe(true)
  await night()
  const [oldest] = await stage.read<{ days: string }>(
    'SELECT dateDiff(day, min(ts), now()) AS days FROM events WHERE environment_id = {id:UUID}',
    { id: place.id },
  )
  expect(Number(oldest?.days)).toBeLessThan(11)
  expect(await count('events', place, 'toDate(ts) = today()')).toBe(3)
  expect(await count('replay_kept', place)).toBe(1)
  expect((await lastNight(place)).removed[0]).toMatchObject({ reason: 'budget' })
  await services.db.update(projects).set({ telemetryBudget: null }).where(eq(projects.key, 'shop'))
})

test('style sheets and stacks are deleted when unreferenced', async () => {
  const place = await makeEnvironment({ retentionDays: { replays: 5, profiles: 5 } })
  const [used, kept, past, fresh] = [newId(), newId(), newId(), newId()]
  const segment = (table: string, age: number, asset: string) =>
    write(
      `INSERT INTO ${table} (environment_id, day, session_id, tab_id, seq, segment_id, started, ended, bytes, assets, body)
      VALUES ('${place.id}', today() - ${age}, '${newId()}', '${newId()}', 0, '${newId()}', now64(3), now64(3), 100, ['${asset}'], 'x')`,
    )
  await segment('replay_segments', 1, used)
  await segment('replay_segments', 9, past)
  await segment('replay_kept', 60, kept)
  for (const [hash, age] of [
    [used, 9],
    [kept, 60],
    [past, 9],
    [fresh, 0],
  ] as const) {
    await write(
      `INSERT INTO replay_assets (environment_id, hash, seen, mime, bytes, body) VALUES ('${place.id}', '${hash}', today() - ${age}, 'text/css', 7, 'a {}')`,
    )
  }
  await write(
    `INSERT INTO profile_rows (environment_id, day, profile_id, session_id, stack) VALUES
      ('${place.id}', today(), '${newId()}', '${newId()}', 1), ('${place.id}', today() - 9, '${newId()}', '${newId()}', 2)`,
  )
  await write(
    `INSERT INTO profile_stacks (environment_id, stack, seen, frames) VALUES ('${place.id}', 1, today() - 9, ['a']), ('${place.id}', 2, today() - 9, ['b'])`,
  )
  const reported = await preview(place)
  expect(reported.get('replays')).toMatchObject({ rows: 2, bytes: 107, sessions: 1 })
  expect(reported.get('profiles')).toMatchObject({ rows: 2, sessions: 1 })
  await night()
  const hashes = await stage.read<{ id: string }>(
    'SELECT toString(hash) AS id FROM replay_assets WHERE environment_id = {id:UUID}',
    { id: place.id },
  )
  expect(hashes.map(({ id }) => id).sort()).toEqual([used, kept, fresh].sort())
  expect(await count('profile_stacks', place, 'stack = 1')).toBe(1)
  expect(await count('profile_stacks', place, 'stack = 2')).toBe(0)
  expect(await count('replay_kept', place)).toBe(1)
  const { removed } = await lastNight(place)
  expect(removed.map(({ kind, rows }: Kind) => ({ kind, rows }))).toEqual([
    { kind: 'profiles', rows: 2 },
    { kind: 'replays', rows: 2 },
  ])
})

test('data of a deleted environment is deleted at night, including kept recordings', async () => {
  const place = await makeEnvironment()
  const other = await makeEnvironment()
  await fill(place, 3)
  await fill(other, 3)
  await write(
    `INSERT INTO replay_kept (environment_id, day, session_id, tab_id, seq, segment_id, started, ended, bytes, body)
    VALUES ('${place.id}', today(), '${newId()}', '${newId()}', 0, '${newId()}', now64(3), now64(3), 10, 'kept')`,
  )
  expect((await ask('DELETE', `${place.path}?confirm=${place.key}`)).status).toBe(204)
  await night()
  for (const table of ['events', 'sessions', 'exposures', 'unit_measures', 'replay_kept']) {
    expect(await count(table, place)).toBe(0)
  }
  expect(await count('events', other)).toBe(9)
  const waiting = () => services.db.select().from(deletedEnvironments)
  expect((await waiting()).map(({ id }) => id)).toContain(place.id)
  // Until nothing can arrive late any more.
  await services.db.update(deletedEnvironments).set({ deletedAt: new Date(Date.now() - 30 * day) })
  await services.db.delete(retentionNights)
  await night()
  expect(await waiting()).toEqual([])
})

test('the cleanup waits for an unavailable store, and a failed part does not stop the others', async () => {
  const place = await makeEnvironment({ retentionDays: { events: 5, exposures: 5 } })
  const other = await makeEnvironment({ retentionDays: { events: 5, exposures: 5 } })
  await fill(place, 10)
  await fill(other, 10)
  const { telemetry } = services
  let isAway = false
  const leaving: Telemetry = {
    ...telemetry,
    state: () => (isAway ? { state: 'waiting' } : telemetry.state()),
    remove: async () => {
      isAway = true
      throw new Error('gone')
    },
  }
  await night(leaving)
  expect(await lastNight(place)).toMatchObject({ state: 'running' })
  const failing: Telemetry = {
    ...telemetry,
    remove: async (removal) => {
      if ('rows' in removal && removal.rows.includes(place.id)) throw new Error('no')
      if ('part' in removal) throw new Error('merged')
      return telemetry.remove(removal)
    },
  }
  await night(failing)
  expect(await lastNight(other)).toMatchObject({ state: 'failed', reason: 'no' })
  expect(await count('events', other)).toBe(18)
  expect(await count('events', place)).toBe(30)
})

test('a budget is set by admins, audited, and limited', async () => {
  const path = '/api/v1/projects/shop/storage/budget'
  expect((await ask('PUT', path, { bytes: 5 })).status).toBe(400)
  expect((await ask('PUT', path, { bytes: 50 * 1024 ** 3 })).body).toEqual({ budgetBytes: 50 * 1024 ** 3 })
  const viewer = await stage.telltale.person({ in: { shop: 'viewer' } })
  const seen = await stage.telltale.request('GET', '/api/v1/projects/shop/storage', { as: viewer })
  expect(seen.body).toMatchObject({ budgetBytes: 50 * 1024 ** 3, overBudget: false })
  expect((await stage.telltale.request('PUT', path, { as: viewer, body: { bytes: null } })).status).toBe(403)
  expect((await ask('PUT', path, { bytes: null })).body).toEqual({ budgetBytes: null })
  const { body } = await ask('GET', '/api/v1/projects/shop/audit?entity=project')
  expect(body.items.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
    'project.budget',
    'project.budget',
  ])
})

test('retention never exceeds that of the tables', async () => {
  const place = await makeEnvironment()
  const set = (retentionDays: object) => ask('PATCH', place.path, { retentionDays })
  expect((await set({ events: 401 })).status).toBe(400)
  expect((await set({ replays: 101 })).status).toBe(400)
  expect((await set({ events: 400, replays: 100 })).status).toBe(200)
})

test('with a clock 400 days ahead nothing is deleted for three nights, and less after its correction', async () => {
  const place = await makeEnvironment({ retentionDays: { events: 30 } })
  await fill(place, 40)
  await night()
  const kept = await count('events', place)
  expect(kept).toBeGreaterThan(0)
  const ahead = (days: number) => ({ ...services, clock: () => new Date(Date.now() + days * day) })
  const stateOf = async () => {
    const [newest] = await services.db.select().from(retentionNights).orderBy(desc(retentionNights.night))
    return newest?.state
  }
  for (const days of [400, 401, 402]) {
    await runNight(ahead(days))
    expect(await stateOf()).toBe('held')
    expect(await findHeldReason(services.db, ahead(days).clock())).toContain('Correct the clock')
  }
  expect(await count('events', place)).toBe(kept)
  // With the clock corrected, the nights continue normally.
  expect(await findHeldReason(services.db, new Date())).toBeUndefined()
  expect(await findClockTrust(services.db, ahead(1).clock())).toBe(true)
  await runNight(ahead(1))
  expect(await count('events', place)).toBeLessThan(kept)
  expect(await count('events', place)).toBeGreaterThan(0)
})
