// Quotas and spikes on the real engines: what is reported, what is dropped, and that it is dropped by whole sessions.

import { samplePosition } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { v4 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rumEvent, rumLines, sendRum } from '../../../../../test/intake/datadog.ts'
import {
  environments,
  type IntakeStage,
  openIntakeStage,
  untilWritten,
} from '../../../../../test/intake/stage.ts'
import { context, toLines, views } from '../../../../../test/intake/visitor.ts'
import { type Mailbox, openMailbox } from '../../../../../test/mailbox.ts'
import { usageDays, usageHours } from '../../platform/engines/postgres/usage-schema.ts'
import { lookAtUsage } from './look-at-usage.ts'

const minute = 60_000
const day = 86_400_000
const quotas = '/api/v1/projects/shop/quotas'
let mailbox: Mailbox
let stage: IntakeStage

beforeAll(async () => {
  mailbox = await openMailbox()
  stage = await openIntakeStage({
    TELLTALE_SMTP_URL: mailbox.url,
    TELLTALE_PUBLIC_URL: 'http://telltale.example.com',
  })
  await stage.telltale.person({ in: { shop: 'admin' }, email: 'admin@shop.example' })
})
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
  await mailbox[Symbol.asyncDispose]()
})

const services = () => stage.telltale.running.services
const look = () => lookAtUsage(services())
const as = (method: string, path: string, body?: object) =>
  stage.telltale.request(method, path, { as: stage.owner, ...(body && { body }) })
const listed = async () => (await as('GET', quotas)).body

/** Sends the events of each session as a browser does. */
async function visit(count: number, events = 3): Promise<string[]> {
  const sessions = Array.from({ length: count }, () => newId())
  for (const session of sessions) {
    const answer = await stage.post(toLines([context({ session }), ...views(events)]))
    expect(answer.status).toBe(202)
  }
  return sessions
}

const hourlyEvents = async () => {
  const { db, usage } = services()
  await usage.flush()
  const rows = await db.select({ events: usageHours.events }).from(usageHours)
  return rows.reduce((sum, { events }) => sum + events, 0)
}

const bytesUsed = async () => {
  const { db, usage } = services()
  await usage.flush()
  const rows = await db.select().from(usageDays).where(eq(usageDays.kind, 'bytes'))
  return rows.reduce((sum, { count }) => sum + count, 0)
}

const config = async () => {
  const key = await stage.clientKey('development')
  return (await stage.telltale.request('GET', `/sdk/v1/config?key=${key}`)).body.sampling
}
const reasons = async () => {
  await services().intake.outcomes.flush()
  await untilWritten(stage.telltale)
  const { body } = await as('GET', `${environments}/development/intake/outcomes`)
  return new Set(body.outcomes.map(({ reason }: { reason: string }) => reason))
}

test('80% and 100% of a quota are reported once, and then recordings pause and sessions are sampled whole', async () => {
  const created = await as('POST', quotas, { meter: 'events', period: 'day', most: 400 })
  expect(created.status).toBe(201)
  expect((await as('POST', quotas, { meter: 'events', period: 'day', most: 500 })).status).toBe(409)
  await visit(8, 42)
  await look()
  await look()
  expect((await listed()).items).toMatchObject([
    { used: 336, level: 'near', pausesRecording: false, share: 1 },
  ])
  expect(mailbox.letters.filter((letter) => letter.includes('80% of the quota'))).toHaveLength(1)
  expect(mailbox.letters[0]).toContain('To: admin@shop.example')
  expect((await config()).replay).toBeGreaterThan(0)

  await visit(3, 38)
  await look()
  await look()
  expect((await listed()).items).toMatchObject([
    { used: 450, level: 'over', pausesRecording: true, share: 0.2 },
  ])
  expect(mailbox.letters.filter((letter) => letter.includes('used up'))).toHaveLength(1)
  expect(await config()).toMatchObject({ session: 100, replay: 0, profile: 0 })

  const sessions = await visit(40)
  const expected = sessions.filter((session) => samplePosition(session) < 0.2)
  await untilWritten(stage.telltale)
  const stored = await stage.read<{ session: string; events: string; weight: number }>(
    `SELECT toString(session_id) AS session, toString(count()) AS events, any(weight) AS weight FROM events
    WHERE session_id IN {sessions:Array(UUID)} GROUP BY session_id`,
    { sessions },
  )
  expect(stored.map(({ session }) => session).sort()).toEqual(expected.sort())
  // Complete, and with a weight of five.
  expect(stored.every(({ events, weight }) => events === '3' && Math.abs(weight - 5) < 0.01)).toBe(true)
  await checkDatadog()
  expect(await reasons()).toContain('sampled_by_quota')
})

/** One session in four is sent, and one in five of these is stored. What is dropped uses no bytes. */
async function checkDatadog(): Promise<void> {
  const { url } = stage.telltale
  const key = await stage.clientKey('development')
  const ids = Array.from({ length: 40 }, () => newId())
  const kept = ids.find((id) => samplePosition(id) < 0.2) ?? ''
  const dropped = ids.find((id) => samplePosition(id) >= 0.2) ?? ''
  const before = await bytesUsed()
  const send = async (id: string) => {
    const about = { session: { id, type: 'user' }, _dd: { configuration: { session_sample_rate: 25 } } }
    const body = rumLines([rumEvent('action', { type: 'click' }, about)])
    expect((await sendRum(body, { url, key, parameters: {} })).status).toBe(202)
    return Buffer.byteLength(body)
  }
  await send(dropped)
  expect(await bytesUsed()).toBe(before)
  const size = await send(kept)
  expect(await bytesUsed()).toBe(before + size)
  const [stored] = await stage.untilStored(kept, 1)
  expect(Number(stored?.weight)).toBeCloseTo(20, 2)
}

test('a project without an admin reports to the owners', async () => {
  await stage.telltale.project('solo')
  const project = '/api/v1/projects/solo'
  const [projectId, id] = [
    (await as('GET', project)).body.id,
    (await as('GET', `${project}/environments/production`)).body.id,
  ]
  await as('POST', `${project}/quotas`, { meter: 'events', period: 'day', most: 100 })
  services().usage.add({ id, projectId }, 'solo', { events: 200 })
  await look()
  const letters = mailbox.letters.filter((letter) => letter.includes('solo: The quota is used up'))
  expect(letters.some((letter) => letter.includes(`To: ${stage.owner.email}`))).toBe(true)
  expect(letters.some((letter) => letter.includes('To: admin@shop.example'))).toBe(false)
})

test('a larger quota stores everything again, and the time of the sample stays on record', async () => {
  const [{ id }] = (await listed()).items
  expect((await as('PATCH', `${quotas}/${id}`, { most: 1_000_000 })).status).toBe(200)
  await look()
  const { items, samplings } = await listed()
  expect(items).toMatchObject([{ level: 'ok', share: 1 }])
  expect(samplings[0]).toMatchObject({ reason: 'quota', share: 0.2, endedAt: expect.any(String) })
  expect((await config()).replay).toBeGreaterThan(0)
  const { body } = await as('GET', `${environments}/development/samplings`)
  expect(body.items).toHaveLength(1)
  expect((await as('DELETE', `${quotas}/${id}`)).status).toBe(204)
})

test('evaluations above a quota are counted and reported, never refused', async () => {
  await as('POST', quotas, { meter: 'evaluations', period: 'month', most: 100 })
  const key = await stage.clientKey('development')
  const known = { id: stage.environment, projectId: (await as('GET', '/api/v1/projects/shop')).body.id }
  services().usage.evaluationsOf(known).count += 500
  await look()
  expect((await listed()).items).toMatchObject([{ level: 'over', pausesRecording: false, share: 1 }])
  const answer = await stage.telltale.request('POST', '/ofrep/v1/evaluate/flags', {
    headers: { authorization: `Bearer ${key}` },
    body: { context: { targetingKey: 'mara' } },
  })
  expect(answer.status).toBe(200)
})

test('tenfold of the usual hour is sampled and reported at once, and lifted when it is over', async () => {
  const { db, usage, clock } = services()
  const known = { id: stage.environment, projectId: (await as('GET', '/api/v1/projects/shop')).body.id }
  const hour = Math.floor(clock().getTime() / (60 * minute)) * 60 * minute
  await db.insert(usageHours).values(
    [1, 2, 3, 4, 5].map((days) => ({
      environmentId: stage.environment,
      hour: new Date(hour - days * day),
      events: 3_000,
    })),
  )
  usage.add(known, 'shop', { events: 3_000 * limits.spikeFactor })
  await look()
  const open = (await listed()).samplings[0]
  expect(open).toMatchObject({ reason: 'spike', environment: 'development', share: 0.1, endedAt: null })
  expect(mailbox.letters.at(-1)).toContain('events this hour in development')
  const before = await hourlyEvents()
  const sessions = await visit(30)
  const kept = sessions.filter((session) => samplePosition(session) < 0.1)
  await untilWritten(stage.telltale)
  const stored = await stage.read<{ session: string }>(
    'SELECT DISTINCT toString(session_id) AS session FROM events WHERE session_id IN {sessions:Array(UUID)}',
    { sessions },
  )
  expect(stored.map(({ session }) => session).sort()).toEqual(kept.sort())
  expect(await reasons()).toContain('sampled_in_spike')
  // What was dropped is usual at this hour, too.
  expect(await hourlyEvents()).toBe(before + 3 * sessions.length)

  // It goes on by what arrives, whatever part of it is stored.
  usage.add(known, 'shop', { events: 300 })
  usage.addReduced(known, 2_700)
  stage.telltale.passTime(limits.spikeCheck + 1)
  await look()
  expect((await listed()).samplings[0]).toMatchObject({ reason: 'spike', endedAt: null })
  stage.telltale.passTime(limits.spikeCheck + 1)
  await look()
  expect((await listed()).samplings[0]).toMatchObject({ reason: 'spike', endedAt: expect.any(String) })
  // The events of the hour are still tenfold of the usual: they were reported.
  await look()
  expect(
    (await listed()).samplings.filter(({ reason }: { reason: string }) => reason === 'spike'),
  ).toHaveLength(1)
})

test('without the protection nothing is sampled', async () => {
  const { usage } = services()
  const path = `${environments}/development/spike-protection`
  expect((await as('PUT', path, { enabled: false })).body).toEqual({ enabled: false })
  const known = { id: stage.environment, projectId: (await as('GET', '/api/v1/projects/shop')).body.id }
  usage.add(known, 'shop', { events: 1_000_000 })
  await look()
  expect((await listed()).samplings[0].endedAt).not.toBeNull()
  const { body } = await as('GET', quotas)
  expect(body.spikeProtection).toContainEqual({ env: 'development', enabled: false })
})
