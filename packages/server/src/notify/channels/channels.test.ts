// Notifications to a receiver: signed, retried, logged, and never lost.

import { createHmac } from 'node:crypto'
import type { Notice } from '@telltale/core/notices/notice'
import { eq, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMailbox } from '../../../../../test/mailbox.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { channels, deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import { announcementChannel, printAnnouncement } from '../../platform/engines/postgres/announcements.ts'
import { startCourier } from './courier.ts'
import { openReceiver, type Receiver } from './testing/receiver.ts'
import { tidyDeliveries } from './tidy-deliveries.ts'

const settings = {
  TELLTALE_WEBHOOK_NETWORKS: '127.0.0.1',
  TELLTALE_PUBLIC_URL: 'http://telltale.example.com',
}
const minute = 60_000
const day = 86_400_000

let telltale: Telltale
let admin: SomePerson
let mailbox: Awaited<ReturnType<typeof openMailbox>>

beforeAll(async () => {
  mailbox = await openMailbox()
  telltale = await startTelltale({ settings: { ...settings, TELLTALE_SMTP_URL: mailbox.url } })
  await telltale.project('shop')
  admin = await telltale.person({ in: { shop: 'admin' } })
})
afterAll(async () => {
  await telltale?.[Symbol.asyncDispose]()
  await mailbox?.[Symbol.asyncDispose]()
})

let made = 0
async function createChannel(draft: object): Promise<{ id: string; secret: string; path: string }> {
  made += 1
  const body = { kind: 'webhook', name: `channel ${made}`, ...draft }
  const answer = await telltale.request('POST', '/api/v1/projects/shop/channels', { as: admin, body })
  expect(answer.status).toBe(201)
  const { id } = answer.body.channel
  return { id, secret: answer.body.secret, path: `/api/v1/projects/shop/channels/${id}` }
}

async function createFlag(key: string): Promise<void> {
  const body = { key, name: key, valueType: 'boolean' }
  const answer = await telltale.request('POST', '/api/v1/projects/shop/flags', { as: admin, body })
  expect(answer.status).toBe(201)
}

const get = async (path: string) => (await telltale.request('GET', path, { as: admin })).body

/** Polls for as long as a busy machine may take. */
async function until<Value>(read: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> {
  for (let looks = 0; looks < 200; looks += 1) {
    const value = await read()
    if (isThere(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('it did not come to that')
}

/** Moves the clock forward and wakes the courier. */
async function later(span: number): Promise<void> {
  telltale.passTime(span)
  const news = { action: 'channel.update', entity: 'channel', id: 'any' }
  const sent = printAnnouncement({ ...news, project: null, environment: null, part: null })
  await telltale.running.services.db.execute(sql`SELECT pg_notify(${announcementChannel}, ${sent})`)
}

const firstDelivery = (path: string, state: string) =>
  until(
    async () => (await get(`${path}/deliveries`)).items[0],
    (one) => one?.state === state,
  )

const turnOff = (path: string) => telltale.request('DELETE', path, { as: admin })

function isSigned(secret: string, { headers, body }: Awaited<ReturnType<Receiver['request']>>): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}

test('a change of a flag is sent to the subscribed webhook, signed, with a link', async () => {
  await using receiver = await openReceiver()
  const { secret, path } = await createChannel({ url: `${receiver.url}/in`, events: ['flag.created'] })
  expect((await get(path)).secretHint).toBe(secret.slice(-4))
  expect(JSON.stringify(await get(path))).not.toContain(secret)
  await createFlag('first')
  const sent = await receiver.request(1)
  expect(isSigned(secret, sent)).toBe(true)
  expect(sent.headers['telltale-event']).toBe('flag.created')
  const body = JSON.parse(sent.body)
  expect(body).toMatchObject({
    type: 'flag.created',
    id: sent.headers['webhook-id'],
    project: 'shop',
    entity: { kind: 'flag', name: 'first' },
    link: 'http://telltale.example.com/p/shop/flags/first/history',
  })
  const logged = await firstDelivery(path, 'delivered')
  expect(logged.lastAttempt).toMatchObject({ status: 200, failure: null, answer: 'ok' })
  expect((await get(`${path}/deliveries/${logged.id}`)).body).toBe(sent.body)
  const audit = await get('/api/v1/projects/shop/audit?entity=flag')
  expect(audit.items[0].id).toBe(body.id)
  await turnOff(path)
})

test('a failed delivery is retried with backoff and the same id, and shows since when', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => response.writeHead(500).end('broken'))
  const { path } = await createChannel({ url: receiver.url, events: ['flag.created'] })
  await createFlag('second')
  const first = await receiver.request(1)
  const waits = await until(
    async () => (await get(`${path}/deliveries`)).items[0],
    (one) => one?.lastAttempt && Date.parse(one.nextAt) > Date.parse(one.lastAttempt.at),
  )
  expect(waits).toMatchObject({ state: 'waiting', tries: 1, lastAttempt: { status: 500, answer: 'broken' } })
  const pause = Date.parse(waits.nextAt) - Date.parse(waits.lastAttempt.at)
  expect(pause).toBeGreaterThanOrEqual(8_000)
  expect((await get(path)).failingSince).not.toBeNull()

  receiver.answer((response) => void response.end('fine'))
  await later(minute)
  const again = await receiver.request(2)
  expect(again.headers['webhook-id']).toBe(first.headers['webhook-id'])
  expect(again.body).toBe(first.body)
  const done = await firstDelivery(path, 'delivered')
  expect((await get(`${path}/deliveries/${done.id}`)).attempts).toHaveLength(2)
  expect(await get(path)).toMatchObject({ failingSince: null, lastFailure: null })
  await turnOff(path)
})

test('a delivery that never succeeds is given up, shown as failed, and can be sent again', async () => {
  const closed = await openReceiver()
  await closed[Symbol.asyncDispose]()
  const { id, path } = await createChannel({ url: closed.url, events: ['flag.created'] })
  await createFlag('third')
  const { db } = telltale.running.services
  const tried = await until(
    async () => (await get(`${path}/deliveries`)).items[0],
    (one) => one?.lastAttempt && Date.parse(one.nextAt) > Date.parse(one.lastAttempt.at),
  )
  expect(tried.lastAttempt).toMatchObject({ status: null, failure: 'The connection was refused.' })
  await db.update(deliveries).set({ tries: 11 }).where(eq(deliveries.channelId, id))
  await later(minute)
  await firstDelivery(path, 'failed')

  await using receiver = await openReceiver()
  await telltale.request('PATCH', path, { as: admin, body: { url: receiver.url } })
  const again = await telltale.request('POST', `${path}/redeliver`, { as: admin })
  expect(again.body).toEqual({ count: 1 })
  await receiver.request(1)
  const done = await firstDelivery(path, 'delivered')
  expect(done.noticeId).toBe(tried.noticeId)
  const one = await telltale.request('POST', `${path}/deliveries/${done.id}/redeliver`, { as: admin })
  expect(one.status).toBe(200)
  await receiver.request(2)
  await turnOff(path)
})

test('a channel failing for days is turned off, others are notified, and nothing is lost', async () => {
  await using receiver = await openReceiver()
  await using bad = await openReceiver()
  bad.answer((response) => response.writeHead(503).end())
  const watcher = await createChannel({ url: receiver.url, events: ['channel.disabled'] })
  const { id, path } = await createChannel({ url: bad.url, events: ['flag.created'] })
  const { db, clock } = telltale.running.services
  const long = new Date(clock().getTime() - 4 * day)
  await db.update(channels).set({ failingSince: long }).where(eq(channels.id, id))
  await createFlag('fourth')
  const sent = await receiver.request(1)
  expect(JSON.parse(sent.body)).toMatchObject({ type: 'channel.disabled', entity: { id } })
  expect(await get(path)).toMatchObject({ enabled: false, disabledAsFailing: true })
  await createFlag('fifth')
  const { items } = await get(`${path}/deliveries`)
  expect(items.map(({ state }: { state: string }) => state)).toEqual(['withheld', 'withheld'])

  bad.answer((response) => void response.end())
  await telltale.request('PATCH', path, { as: admin, body: { enabled: true } })
  await telltale.request('POST', `${path}/redeliver`, { as: admin })
  await bad.request(3)
  await turnOff(path)
  await turnOff(watcher.path)
})

test('Retry-After delays every waiting delivery', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => response.writeHead(429, { 'retry-after': '600' }).end('too many'))
  const { id, path } = await createChannel({ url: receiver.url, events: ['flag.created'] })
  await createFlag('many-1')
  await receiver.request(1)
  await until(
    async () => (await get(path)).failingSince,
    (since) => since !== null,
  )
  await createFlag('many-2')
  await receiver.request(2)
  const { db, clock } = telltale.running.services
  const soonest = await until(
    async () => {
      const rows = await db.select().from(deliveries).where(eq(deliveries.channelId, id))
      return rows.every(({ leasedUntil }) => leasedUntil === null) ? rows : undefined
    },
    (rows) => rows !== undefined,
  )
  const pauses = (soonest ?? []).map(({ nextAt }) => nextAt.getTime() - clock().getTime())
  expect(pauses).toHaveLength(2)
  for (const pause of pauses) {
    expect(pause).toBeGreaterThan(500_000)
    expect(pause).toBeLessThan(800_000)
  }
  await turnOff(path)
})

test('a 410 response turns the channel off, except for a test', async () => {
  await using receiver = await openReceiver()
  await using other = await openReceiver()
  receiver.answer((response) => response.writeHead(410).end())
  const watcher = await createChannel({ url: other.url, events: ['channel.disabled'] })
  const { path } = await createChannel({ url: receiver.url, events: ['flag.created'] })
  await telltale.request('POST', `${path}/test`, { as: admin })
  expect(await get(path)).toMatchObject({ enabled: true })
  await createFlag('nobody-there')
  expect(JSON.parse((await other.request(1)).body)).toMatchObject({ type: 'channel.disabled' })
  expect(await get(path)).toMatchObject({
    enabled: false,
    disabledAsFailing: true,
    lastFailure: 'Responded with 410 Gone.',
    waiting: 0,
    unsent: 1,
  })
  await turnOff(path)
  await turnOff(watcher.path)
})

test('a channel turned off during a delivery stays off', async () => {
  await using receiver = await openReceiver()
  let answer: () => void = () => undefined
  receiver.answer((response) => {
    answer = () => response.writeHead(500).end()
  })
  const { path } = await createChannel({ url: receiver.url, events: ['flag.created'] })
  await createFlag('in-between')
  await receiver.request(1)
  await telltale.request('PATCH', path, { as: admin, body: { enabled: false } })
  answer()
  const kept = await until(
    async () => (await get(`${path}/deliveries`)).items[0],
    (one) => one?.lastAttempt?.status === 500,
  )
  expect(kept).toMatchObject({ state: 'withheld', nextAt: null })
  await turnOff(path)
})

test('a test is sent immediately and shows the response; a redirect to a private address is rejected with the reason', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => response.writeHead(301, { location: 'http://10.0.0.1/' }).end())
  const { path, secret } = await createChannel({ url: receiver.url })
  const { status, body } = await telltale.request('POST', `${path}/test`, { as: admin })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    state: 'failed',
    attempts: [
      { status: 301, failure: 'Responded with 301 to http://10.0.0.1/: redirects are not followed.' },
    ],
  })
  const rotated = await telltale.request('POST', `${path}/rotate`, { as: admin })
  expect(rotated.body.secret).not.toBe(secret)
  await telltale.request('POST', `${path}/test`, { as: admin })
  expect(isSigned(rotated.body.secret, await receiver.request(2))).toBe(true)
  await turnOff(path)
})

test('Slack gets its format, and e-mail a letter', async () => {
  await using receiver = await openReceiver()
  const slack = await createChannel({ kind: 'slack', url: receiver.url, events: ['flag.archived'] })
  const mail = await createChannel({
    kind: 'email',
    addresses: ['team@example.com'],
    events: ['flag.archived'],
  })
  await createFlag('a-flag')
  await telltale.request('POST', '/api/v1/projects/shop/flags/a-flag/archive', { as: admin })
  const { body } = await receiver.request(1)
  const { text } = JSON.parse(body)
  expect(text).toContain('archived a-flag*')
  expect(text).toContain('<http://telltale.example.com/p/shop/flags/a-flag/history|Open in Telltale>')
  await firstDelivery(mail.path, 'delivered')
  expect(mailbox.letters.at(-1)).toContain('archived a-flag')
  await turnOff(slack.path)
  await turnOff(mail.path)
})

test('a hanging receiver does not delay others', async () => {
  await using hanging = await openReceiver()
  await using receiver = await openReceiver()
  hanging.answer(() => undefined)
  const stuck = await createChannel({ url: hanging.url, events: ['flag.created'] })
  const quick = await createChannel({ url: receiver.url, events: ['flag.created'] })
  for (const key of ['h1', 'h2', 'h3', 'h4', 'h5']) await createFlag(key)
  await receiver.request(5)
  expect(hanging.received.length).toBeLessThanOrEqual(2)
  await turnOff(stuck.path)
  await turnOff(quick.path)
})

test('a server that dies during an attempt leaves it to the next one, which sends it with the same id', async () => {
  await using receiver = await openReceiver()
  const { id, path } = await createChannel({ url: receiver.url, events: ['flag.created'] })
  const { db, clock } = telltale.running.services
  await createFlag('left-behind')
  await receiver.request(1)
  const done = await firstDelivery(path, 'delivered')
  // As left by a server that was killed after its claim.
  const leasedUntil = new Date(clock().getTime() + minute)
  const leftBehind = { state: 'waiting', endedAt: null, leasedUntil } as const
  await db.update(deliveries).set(leftBehind).where(eq(deliveries.channelId, id))
  await later(2 * minute)
  const again = await receiver.request(2)
  expect(again.headers['webhook-id']).toBe(done.noticeId)
  await turnOff(path)
})

test('the couriers of two servers deliver each notice once', async () => {
  const stop = startCourier(telltale.running.services)
  await using receiver = await openReceiver()
  const { path } = await createChannel({ url: receiver.url, events: ['flag.created'] })
  for (let index = 0; index < 8; index += 1) await createFlag(`both-${index}`)
  await receiver.request(8)
  await expect.poll(async () => (await get(path)).waiting, { timeout: 10_000 }).toBe(0)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(8)
  expect(receiver.received).toHaveLength(8)
  await stop()
  await turnOff(path)
})

test('the log is bounded, without counting waiting deliveries', async () => {
  const { id, path } = await createChannel({ url: 'https://hooks.example.com/', events: ['flag.created'] })
  await telltale.request('PATCH', path, { as: admin, body: { enabled: false } })
  const { db, clock } = telltale.running.services
  const at = clock()
  const notice: Notice = {
    id: newId(),
    event: 'flag.created',
    at: at.toISOString(),
    summary: 'x',
    path: '/',
    project: 'shop',
    environment: null,
    reason: null,
    changes: [],
    changesOmitted: false,
    data: {},
    actor: { kind: 'system', id: null, name: 'x' },
    entity: { kind: 'flag', id: 'x', name: 'x' },
  }
  const row = { channelId: id, noticeId: notice.id, event: notice.event, notice, nextAt: at, createdAt: at }
  const states = ['waiting', 'failed', 'delivered', 'withheld'] as const
  const rows = states.map((state) => ({ ...row, id: newId(), state }))
  await db.insert(deliveries).values(rows)
  await tidyDeliveries(db, at, 2)
  const { items } = await get(`${path}/deliveries`)
  expect(items.map(({ state }: { state: string }) => state)).toEqual(['withheld', 'delivered', 'waiting'])
  await turnOff(path)
})

test('unreachable targets are rejected with the reason', async () => {
  const refuse = async (draft: object) => {
    const body = { name: 'x', ...draft }
    const answer = await telltale.request('POST', '/api/v1/projects/shop/channels', { as: admin, body })
    expect(answer.status).toBe(400)
    return answer.body.errors[0]
  }
  expect(await refuse({ kind: 'webhook' })).toMatchObject({ pointer: '/url', message: 'is needed' })
  expect((await refuse({ kind: 'webhook', url: 'http://10.0.0.1/' })).message).toContain('private')
  expect((await refuse({ kind: 'webhook', url: 'http://[::1]/' })).message).toContain('private')
  expect((await refuse({ kind: 'slack', url: 'https://u:p@example.com/' })).message).toContain('credentials')
  expect((await refuse({ kind: 'webhook', url: 'ftp://example.com/' })).pointer).toBe('/url')
  expect((await refuse({ kind: 'email' })).pointer).toBe('/addresses')
  const place = { kind: 'webhook', url: 'https://example.com/', environments: ['production', 'prodution'] }
  expect(await refuse(place)).toMatchObject({ pointer: '/environments/1' })
})

test('editors see channels, but not their targets', async () => {
  const { path } = await createChannel({ url: 'https://hooks.example.com/a-secret-path' })
  const editor = await telltale.person({ in: { shop: 'editor' } })
  const { body } = await telltale.request('GET', '/api/v1/projects/shop/channels', { as: editor })
  expect(JSON.stringify(body)).not.toContain('secret-path')
  expect((await telltale.request('GET', path, { as: editor })).status).toBe(403)
  const audit = await get('/api/v1/projects/shop/audit?entity=channel')
  expect(JSON.stringify(audit)).not.toContain('secret-path')
  await turnOff(path)
})
