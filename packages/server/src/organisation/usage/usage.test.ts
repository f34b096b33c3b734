// Meters on the real engines: what the intake accepts and delivery evaluates is counted once, by day, environment, key
// and application.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, toLines, views } from '../../../../../test/intake/visitor.ts'
import { usageSamplings } from '../../platform/engines/postgres/quota-schema.ts'
import { diskSamples } from '../../platform/engines/postgres/usage-schema.ts'
import { createUsageCounts } from './count-usage.ts'
import { measureDisk } from './measure-disk.ts'
import { tidyUsage } from './tidy-usage.ts'

const day = 86_400_000
let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const services = () => stage.telltale.running.services

interface Row {
  day: string | null
  environment: string | null
  key: { id: string; label: string } | null
  application: string | null
  kind: string
  count: number
}

async function usage(query = ''): Promise<Row[]> {
  await services().usage.flush()
  const answer = await stage.telltale.request('GET', `/api/v1/projects/shop/usage${query}`, {
    as: stage.owner,
  })
  expect(answer.status).toBe(200)
  return answer.body.rows
}

const countOf = (rows: readonly Row[], kind: string) =>
  rows.filter((row) => row.kind === kind).reduce((sum, { count }) => sum + count, 0)

test('a batch counts once, with its session and its bytes, for the application that sent it', async () => {
  const session = newId()
  const lines = toLines([
    context({ session, service: 'shop' }),
    ...views(3),
    event('view_state', { rev: 1, startedAt: Date.now() - 1_000, duration: 1_000, active: true }),
  ])
  const batch = newId()
  expect((await stage.post(lines, { batch })).status).toBe(202)
  expect((await stage.post(lines, { batch })).body.repeated).toBe(true)
  // Of the same session: another batch, another application.
  await stage.post(toLines([context({ session, service: 'checkout' }), ...views(2)]))
  await stage.post('{"kind":"view"}\n')

  const rows = await usage('?groupBy=environment,application')
  const of = (application: string) =>
    Object.fromEntries(
      rows.filter((row) => row.application === application).map(({ kind, count }) => [kind, count]),
    )
  expect(of('shop')).toEqual({ events: 3, sessions: 1, bytes: Buffer.byteLength(lines) })
  expect(of('checkout')).toMatchObject({ events: 2 })
  expect(of('checkout')).not.toHaveProperty('sessions')
  // Nothing of the last batch was stored.
  expect(of('')).toEqual({})
  expect(new Set(rows.map(({ environment }) => environment))).toEqual(new Set(['development']))
})

test('a name that PostgreSQL cannot store stops no meter', async () => {
  const named = context({ service: 'che\u0000ap', session: newId() })
  expect((await stage.post(toLines([named, ...views(4)]))).status).toBe(202)
  const rows = (await usage('?groupBy=application')).filter(({ application }) => application === 'cheap')
  expect([countOf(rows, 'events'), countOf(rows, 'sessions')]).toEqual([4, 1])
})

test('a session that another server or an earlier process counted is not counted again', async () => {
  const { db, clock, log } = services()
  const before = countOf(await usage(), 'sessions')
  const [session, environment] = [newId(), { id: stage.environment, projectId: await projectId() }]
  for (let server = 0; server < 2; server++) {
    const counts = createUsageCounts({ db, clock, log })
    counts.addSession(environment, 'shop', session)
    await counts.stop()
  }
  expect(countOf(await usage(), 'sessions')).toBe(before + 1)
})

test('evaluations count for their key, of one flag and of all', async () => {
  const { telltale, owner } = stage
  for (const key of ['one', 'two', 'three']) {
    const body = { key, name: key, valueType: 'boolean', clientVisible: true }
    await telltale.request('POST', '/api/v1/projects/shop/flags', { as: owner, body })
  }
  const key = await stage.clientKey('staging')
  const evaluate = (path = '') =>
    telltale.request('POST', `/ofrep/v1/evaluate/flags${path}`, {
      headers: { authorization: `Bearer ${key}` },
      body: { context: { targetingKey: 'mara' } },
    })
  await expect.poll(async () => (await evaluate()).body.flags?.length).toBe(3)
  const before = countOf(await usage('?groupBy=key'), 'evaluations')
  await evaluate()
  await evaluate('/one')

  const rows = (await usage('?groupBy=key&kind=evaluations')).filter(({ count }) => count > 0)
  expect(countOf(rows, 'evaluations')).toBe(before + 4)
  expect(rows.map(({ key: found }) => found?.label)).toHaveLength(1)
})

test('counts wait while PostgreSQL is unavailable, and none is counted twice', async () => {
  const { db, clock, log } = services()
  const before = countOf(await usage(), 'spans')
  let isAway = true
  const flaky = new Proxy(db, {
    get: (target, name, receiver) =>
      name === 'transaction' && isAway
        ? () => Promise.reject(new Error('away'))
        : Reflect.get(target, name, receiver),
  })
  const counts = createUsageCounts({ db: flaky, clock, log })
  const environment = { id: stage.environment, projectId: await projectId() }
  counts.add(environment, 'shop', { spans: 5 })
  await expect(counts.flush()).rejects.toThrow('away')
  counts.add(environment, 'shop', { spans: 2 })
  isAway = false
  await counts.stop()
  expect(countOf(await usage(), 'spans')).toBe(before + 7)
})

test('a period is at most a year and a month, and CSV has the columns of the groups', async () => {
  const { telltale, owner } = stage
  const get = (path: string) => telltale.request('GET', path, { as: owner })
  for (const query of ['?from=2026-02-01&to=2026-01-01', '?from=2024-01-01&to=2026-01-01']) {
    const { status, body } = await get(`/api/v1/projects/shop/usage${query}`)
    expect([status, body.errors[0].pointer]).toEqual([400, '?from'])
  }

  const answer = await fetch(
    `${telltale.url}/api/v1/projects/shop/usage/export?groupBy=day,application&kind=spans`,
    { headers: owner.headers },
  )
  expect(answer.headers.get('content-type')).toContain('text/csv')
  const today = services().clock().toISOString().slice(0, 10)
  expect(await answer.text()).toBe(`day,application,kind,count\r\n${today},shop,spans,7\r\n`)

  const all = await get('/api/v1/usage?kind=spans')
  expect(all.body.rows).toMatchObject([{ project: 'shop', kind: 'spans', count: 7 }])
})

test('the forecast needs three measured days', async () => {
  const { db, telemetry, clock } = services()
  const get = async () =>
    (await stage.telltale.request('GET', '/api/v1/installation/disk', { as: stage.owner })).body
  await measureDisk({ db, telemetry }, clock())
  const first = await get()
  expect(first.postgresBytes).toBeGreaterThan(0)
  expect(first.samples).toHaveLength(1)
  expect(first.volumes[0]).toMatchObject({ days: 1, forecast: null })

  const dayBefore = (days: number) => new Date(clock().getTime() - days * day).toISOString().slice(0, 10)
  await db.delete(diskSamples)
  await db.insert(diskSamples).values(
    [0, 1, 2].map((days) => ({
      day: dayBefore(days),
      telemetryBytes: (9 - days) * 1_000_000_000,
      postgresBytes: 5_000_000,
    })),
  )
  const later = await get()
  const volume = later.volumes.find(({ holds }: { holds: string[] }) => holds.includes('telemetry'))
  expect(volume.forecast.bytesPerDay.likely).toBe(1_000_000_000)
  expect(volume.forecast.daysLeft.likely).toBeGreaterThan(0)
})

test('old meters are deleted, and those of the last days stay', async () => {
  const { db } = services()
  const before = await usage()
  const now = services().clock()
  await db.insert(usageSamplings).values({
    ...{ id: newId(), projectId: await projectId(), reason: 'quota', share: 0.5, pausesRecording: true },
    ...{ beganAt: now, endedAt: now, markedAt: now, markedEvents: 0 },
  })
  await tidyUsage(db, services().clock())
  expect(await usage()).toEqual(before)
  expect(await db.$count(usageSamplings)).toBe(1)
  await tidyUsage(db, new Date(services().clock().getTime() + 900 * day))
  expect(await usage()).toEqual([])
  expect(await db.$count(usageSamplings)).toBe(0)
})

async function projectId(): Promise<string> {
  const { body } = await stage.telltale.request('GET', '/api/v1/projects/shop', { as: stage.owner })
  return body.id
}
