// The weekly digest on the real engines: off until it is turned on, previewed, and sent once to its channels.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IntakeStage, openIntakeStage, untilWritten } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import type { SomePerson } from '../../../../../test/start.ts'
import { openReceiver, type Receiver } from '../../notify/channels/testing/receiver.ts'
import { sendDigests } from './send-digests.ts'

const hour = 3_600_000
const users = 240
const headers = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}

let stage: IntakeStage
let receiver: Receiver
let channel: string
let viewer: SomePerson
let project: string

beforeAll(async () => {
  receiver = await openReceiver()
  stage = await openIntakeStage({ TELLTALE_WEBHOOK_NETWORKS: '127.0.0.1' })
  const { items } = (await ask('GET', '/api/v1/projects')).body
  project = `/api/v1/projects/${items[0].key}`
  viewer = await stage.telltale.person({ in: { [items[0].key]: 'viewer' } })
  const draft = { kind: 'webhook', name: 'releases', url: receiver.url, events: [] }
  const made = await ask('POST', `${project}/channels`, draft)
  channel = made.body.channel.id
  await postVisits()
})
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

const ask = (method: string, path: string, body?: object) =>
  stage.telltale.request(method, path, { as: stage.owner, ...(body && { body }) })
const preview = async () => (await ask('GET', `${project}/environments/development/digest`)).body
const draft = () => ({ enabled: true, env: 'development', weekday: tomorrow(), hour: 8, channels: [channel] })
const tomorrow = () =>
  new Date(stage.telltale.running.services.clock().getTime() + 24 * hour).getUTCDay() || 7

/** Version 2.0 loads twice as slowly as 1.0, in the same hours. */
async function postVisits() {
  const start = Math.floor(stage.telltale.running.services.clock().getTime() / hour) * hour - hour / 2
  const lines = Array.from({ length: users }, (_, user): Line[] => {
    const isNew = user % 2 === 1
    const at = start - (Math.floor(user / 2) % 4) * hour - (isNew ? 0 : 60_000)
    const value = Math.round((isNew ? 2_400 : 1_200) * (1 + (user % 17) / 40))
    return [
      context({ index: user, session: newId(), anonymousId: `u${user}`, version: isNew ? '2.0' : '1.0' }),
      event('view', { context: user, at }),
      event('vital', { context: user, at, name: 'LCP', value }),
    ]
  })
  for (let from = 0; from < users; from += 40) {
    const part = lines
      .slice(from, from + 40)
      .flatMap((visit, index) =>
        visit.map((line) => (line.kind === 'context' ? { ...line, index } : { ...line, context: index })),
      )
    expect(await stage.post(toLines(part), { headers })).toMatchObject({ status: 202, body: { dropped: [] } })
  }
}

test('it is off until it is turned on with an environment and a channel', async () => {
  const first = await ask('GET', `${project}/digest`)
  expect(first.body).toMatchObject({ enabled: false, env: null, channels: [], nextAt: null, version: 0 })
  const missing = await ask('PUT', `${project}/digest`, { ...draft(), env: null, channels: [] })
  expect(missing).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/env' }, { pointer: '/channels' }] },
  })
  const foreign = await ask('PUT', `${project}/digest`, { ...draft(), channels: [newId()] })
  expect(foreign).toMatchObject({ status: 400, body: { errors: [{ pointer: '/channels/0' }] } })
  const refused = await stage.telltale.request('PUT', `${project}/digest`, { as: viewer, body: draft() })
  expect(refused.status).toBe(403)
  expect((await ask('GET', `${project}/digest`)).body.version).toBe(0)
})

test('the preview says what was released, and what got worse with its interval', async () => {
  const at = new Date(stage.telltale.running.services.clock().getTime() - 3 * hour).toISOString()
  const deploy = { version: '2.0', at, author: 'Ada', commits: [{ id: '1', message: 'One' }] }
  expect((await ask('POST', `${project}/environments/development/deploys`, deploy)).status).toBe(201)
  await untilWritten(stage.telltale)
  const { digest, subject, text } = await preview()
  expect(digest).toMatchObject({ env: 'development', isPartial: false, better: [] })
  expect(digest.released.deploys).toMatchObject([{ version: '2.0', author: 'Ada', commits: 1 }])
  const [worse] = digest.worse
  expect(worse).toMatchObject({
    of: 'release',
    name: '2.0',
    against: '1.0',
    metric: 'LCP',
    scale: 'relative',
  })
  expect(worse.lower).toBeGreaterThan(0)
  expect(worse.lower).toBeLessThan(1)
  expect(worse.upper).toBeGreaterThan(1)
  expect(subject).toContain('1 regression')
  expect(text).toMatch(/^- 2\.0 against 1\.0: LCP \d+ to \d+% worse$/m)
})

test('it is sent once when it is due, whatever number of servers looks, and then again a week later', async () => {
  const { body: settings } = await ask('PUT', `${project}/digest`, draft())
  const { services } = stage.telltale.running
  expect(settings).toMatchObject({ enabled: true, version: 1, lastSentAt: null })
  await sendDigests(services)
  expect(receiver.received).toHaveLength(0)

  const due = Date.parse(settings.nextAt)
  stage.telltale.passTime(due - services.clock().getTime() + 1_000)
  const away = { ...services.telemetry, read: () => Promise.reject(new Error('the engine is away')) }
  await sendDigests({ ...services, telemetry: away })
  await sendDigests(services)
  expect(receiver.received).toHaveLength(0)

  stage.telltale.passTime(61_000)
  await Promise.all([sendDigests(services), sendDigests(services)])
  const { body } = await receiver.request(1)
  const notice = JSON.parse(body)
  expect(notice).toMatchObject({ type: 'digest.sent', environment: 'development' })
  expect(notice.data.digest.worse).toMatchObject([{ metric: 'LCP' }])
  expect(notice.text).toContain('2.0 against 1.0')

  const { items } = (await ask('GET', `${project}/channels/${channel}/deliveries`)).body
  expect(items.filter((one: { event: string }) => one.event === 'digest.sent')).toHaveLength(1)
  const after = (await ask('GET', `${project}/digest`)).body
  expect(Date.parse(after.lastSentAt)).toBeGreaterThanOrEqual(due)
  expect(Date.parse(after.nextAt)).toBe(due + 7 * 24 * hour)
})

test('a change of an older version is refused; turned off, nothing is due', async () => {
  const stale = await stage.telltale.request('PUT', `${project}/digest`, {
    as: stage.owner,
    body: draft(),
    headers: { 'if-match': '"0"' },
  })
  expect(stale).toMatchObject({ status: 409, body: { current: { version: 1 } } })
  const off = await ask('PUT', `${project}/digest`, { ...draft(), enabled: false })
  expect(off.body).toMatchObject({ enabled: false, nextAt: null, version: 2 })
})
