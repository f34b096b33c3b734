// Alerts on the real engine: firing, recovery, missing data, and notifications.

import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import { addIncidents } from '../../app/demo/add-incidents.ts'
import { noteIssues } from '../../monitoring/issues/note-issues.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import { openReceiver, type Receiver } from '../channels/testing/receiver.ts'
import { lookAtAlerts } from './look-at-alerts.ts'

const minute = 60_000
const alerts = '/api/v1/projects/shop/alerts'

let stage: IntakeStage
let receiver: Receiver
let channel: string
let heard = 0
const made: string[] = []

beforeAll(async () => {
  // The guard reports the spool lag, which would be hours after the clock is moved forward.
  const settings = { TELLTALE_WEBHOOK_NETWORKS: '127.0.0.1', TELLTALE_GUARD_INTERVAL: '3600000' }
  stage = await openIntakeStage(settings)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

beforeEach(async () => {
  receiver = await openReceiver()
  heard = 0
  const body = { kind: 'webhook', name: newId(), url: receiver.url }
  channel = (await ask('POST', '/api/v1/projects/shop/channels', body)).channel.id
})
afterEach(async () => {
  for (const id of made.splice(0)) await ask('DELETE', `${alerts}/${id}`)
  await ask('DELETE', `/api/v1/projects/shop/channels/${channel}`)
  await receiver[Symbol.asyncDispose]()
})

async function ask(method: string, path: string, body?: object) {
  const answer = await stage.telltale.request(method, path, { as: stage.owner, ...(body && { body }) })
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  })
  return answer.body
}

/** Other user agents count as bots. */
const browser = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}

const manyErrors = {
  kind: 'measure',
  query: { kind: 'error', measure: 'count' },
  window: '5m',
  condition: { kind: 'threshold', is: 'above', value: 2 },
  minEvents: 0,
  forMinutes: 0,
  whenNoData: 'tell',
}

async function create(rule: object): Promise<string> {
  const draft = { name: newId(), env: 'development', rule, channels: [channel] }
  const { id } = await ask('POST', alerts, draft)
  made.push(id)
  return id
}

/** Inserts this many errors at the current time into the store. */
async function fail(count: number): Promise<void> {
  const { telemetry, clock } = stage.telltale.running.services
  const columns = ['environment_id', 'kind', 'ts', 'event_id', 'session_id', 'weight'] as const
  const ts = clock().toISOString().replace('T', ' ').replace('Z', '')
  const session = newId()
  const rows = Array.from({ length: count }, () =>
    JSON.stringify([stage.environment, 'error', ts, newId(), session, 1]),
  )
  const batch = { table: 'events', columns, rows: Buffer.from(rows.join('\n')), token: session } as const
  expect(await telemetry.insert(batch)).toMatchObject({ kind: 'stored' })
}

/** An error as a browser reports it. */
async function failInBrowser(place: string): Promise<void> {
  const at = stage.telltale.running.services.clock().getTime()
  const session = newId()
  const stack = `TypeError: no\n    at ${place} (https://shop.example/app.js:1:200)`
  const error = { at, source: 'uncaught', type: 'TypeError', message: 'no', stack, handled: false }
  const lines = [context({ session, version: '1', anonymousId: session }), event('error', error)]
  expect(await stage.post(toLines(lines), { sent: at, headers: browser })).toMatchObject({ status: 202 })
  await stage.untilStored(session, 1)
}

/** The server also looks periodically; either look counts. */
async function look(id: string, after: number): Promise<Line> {
  stage.telltale.passTime(after)
  const { clock } = stage.telltale.running.services
  const since = clock().getTime()
  await lookAtAlerts(stage.telltale.running.services)
  let alert: Line = {}
  await expect
    .poll(
      async () => {
        alert = await ask('GET', `${alerts}/${id}`)
        return Date.parse((alert.seen as { at: string } | null)?.at ?? '0') >= since
      },
      { timeout: 20_000, interval: 50 },
    )
    .toBe(true)
  return alert
}

async function hear() {
  heard += 1
  return JSON.parse((await receiver.request(heard)).body)
}

const incidentsOf = async (id: string) => (await ask('GET', `${alerts}/${id}/incidents`)).items

test('fires when the measure exceeds the threshold, and ends when it recovers', async () => {
  const id = await create(manyErrors)
  expect(await look(id, 10 * minute)).toMatchObject({ state: 'ok', seen: { value: 0 } })
  await fail(4)
  expect(await look(id, 2 * minute)).toMatchObject({ state: 'firing', seen: { value: 4, events: 4 } })
  const told = await hear()
  expect(told).toMatchObject({ type: 'alert.fired', entity: { id }, data: { value: 4 } })
  expect(told.summary).toContain('4 over the last 5 minutes, above 2 (development)')
  expect(await incidentsOf(id)).toMatchObject([{ endedAt: null, value: 4, worst: 4, isMuted: false }])

  await fail(3)
  expect(await look(id, 2 * minute)).toMatchObject({ state: 'firing', seen: { value: 7 } })
  expect(await look(id, 10 * minute)).toMatchObject({ state: 'ok' })
  expect(await hear()).toMatchObject({ type: 'alert.recovered', data: { value: 0 } })
  const [incident] = await incidentsOf(id)
  expect(incident).toMatchObject({ ending: 'recovered', value: 4, worst: 7 })
})

test('waits for the configured duration', async () => {
  const id = await create({ ...manyErrors, forMinutes: 3 })
  await fail(5)
  expect(await look(id, 2 * minute)).toMatchObject({ state: 'ok', seen: { value: 5 } })
  await fail(5)
  expect(await look(id, 4 * minute)).toMatchObject({ state: 'firing' })
  expect(await hear()).toMatchObject({ type: 'alert.fired' })
})

test('an unavailable engine counts as missing data, never as ok, and is reported after a delay', async () => {
  const id = await create(manyErrors)
  const { services } = stage.telltale.running
  expect(await look(id, 10 * minute)).toMatchObject({ state: 'ok' })
  const { telemetry } = services
  const state = telemetry.state
  telemetry.state = () => ({ ...state(), state: 'restarting' })
  try {
    expect(await look(id, 2 * minute)).toMatchObject({
      state: 'no-data',
      seen: { why: 'engine-down', value: null },
    })
    await look(id, 6 * minute)
    const told = await hear()
    expect(told).toMatchObject({ type: 'alert.no-data', data: { why: 'engine-down' } })
    expect(told.summary).toContain('the telemetry engine is unavailable')
  } finally {
    telemetry.state = state
  }
  expect(await look(id, 2 * minute)).toMatchObject({ state: 'ok' })
  expect(await hear()).toMatchObject({ type: 'alert.recovered' })
})

test('too few events are not judged, and neither is a percentile without values', async () => {
  const few = await create({ ...manyErrors, minEvents: 50, whenNoData: 'quiet' })
  const query = { kind: 'vital', measure: 'p75', field: 'lcp' }
  const none = await create({ ...manyErrors, query, whenNoData: 'quiet' })
  await fail(4)
  expect(await look(few, 2 * minute)).toMatchObject({
    state: 'no-data',
    seen: { why: 'too-few-events', value: 4 },
  })
  expect(await look(none, 2 * minute)).toMatchObject({ state: 'no-data', seen: { why: 'no-events' } })
})

test('a change is compared with the previous period', async () => {
  stage.telltale.passTime(30 * minute)
  await fail(2)
  stage.telltale.passTime(5 * minute)
  await fail(6)
  const condition = { kind: 'change', is: 'above', by: 1, against: 'previous' }
  const id = await create({ ...manyErrors, condition })
  expect(await look(id, 2 * minute)).toMatchObject({
    state: 'firing',
    seen: { value: 6, before: 2, change: 2 },
  })
  expect((await hear()).summary).toContain('6 (+200%) over the last 5 minutes')
})

test('a muted alert notifies no channel, and what still continues afterwards is sent late', async () => {
  const id = await create(manyErrors)
  const { clock } = stage.telltale.running.services
  const until = new Date(clock().getTime() + 4 * minute).toISOString()
  await ask('POST', `${alerts}/${id}/mute`, { until })
  await fail(4)
  expect(await look(id, 2 * minute)).toMatchObject({ state: 'firing', mutedUntil: until })
  expect(await incidentsOf(id)).toMatchObject([{ isMuted: true }])
  await fail(4)
  await look(id, 3 * minute)
  expect(await hear()).toMatchObject({ type: 'alert.fired', data: { late: true } })
  expect(receiver.received).toHaveLength(1)
})

test('missing data during a mute is sent at its end if it continues', async () => {
  const id = await create({ ...manyErrors, minEvents: 1_000 })
  const { clock } = stage.telltale.running.services
  const until = new Date(clock().getTime() + 20 * minute).toISOString()
  await ask('POST', `${alerts}/${id}/mute`, { until })
  await look(id, minute)
  expect(await look(id, 10 * minute)).toMatchObject({ state: 'no-data' })
  await look(id, 10 * minute)
  expect(await hear()).toMatchObject({ type: 'alert.no-data', data: { why: 'too-few-events' } })
  expect(receiver.received).toHaveLength(1)
})

test('events without an environment concern the alerts of all', async () => {
  const id = await create({ kind: 'events', events: ['flag.created'] })
  await ask('POST', '/api/v1/projects/shop/flags', { key: 'brand-new', name: 'New', valueType: 'boolean' })
  const told = await hear()
  expect(told).toMatchObject({ type: 'flag.created', environment: null })
  expect(await incidentsOf(id)).toMatchObject([{ ending: 'event', summary: told.summary }])
})

test('changing a rule ends its incident', async () => {
  const id = await create(manyErrors)
  await fail(4)
  await look(id, 2 * minute)
  const condition = { kind: 'threshold', is: 'above', value: 1_000 }
  await ask('PATCH', `${alerts}/${id}`, { rule: { ...manyErrors, condition } })
  expect(await incidentsOf(id)).toMatchObject([{ ending: 'changed' }])
  expect(await look(id, minute)).toMatchObject({ state: 'ok' })
})

test('a new error is an incident of the alert on new errors', async () => {
  // Includes errors of other tests that have no issue yet.
  await noteIssues(stage.telltale.running.services)
  const id = await create({ kind: 'events', events: ['issue.new'] })
  await failInBrowser('neverSeenBefore')
  await noteIssues(stage.telltale.running.services)
  const told = await hear()
  expect(told).toMatchObject({ type: 'issue.new', environment: 'development' })
  expect(await incidentsOf(id)).toMatchObject([{ ending: 'event', path: told.path, summary: told.summary }])
})

test('previews when a rule would have fired, and rejects an invalid one', async () => {
  stage.telltale.passTime(60 * minute)
  await fail(5)
  stage.telltale.passTime(30 * minute)
  const path = `${environments}/development/alerts/preview`
  const past = await ask('POST', path, { rule: manyErrors })
  expect(past.points.length).toBeGreaterThan(100)
  expect(past.firings.at(-1).to).not.toBeNull()
  const fired = past.points.filter(({ reading }: Line) => reading === 'past')
  expect(fired.at(-1)).toMatchObject({ value: 5, events: 5 })

  const wrong = { ...manyErrors, query: { measure: 'p75' } }
  const refused = await stage.telltale.request('POST', path, { as: stage.owner, body: { rule: wrong } })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ message: 'is needed for p75' }] } })
})

test("the demo's alert shows its past incidents, and sends nothing", async () => {
  stage.telltale.passTime(60 * minute)
  const id = await create(manyErrors)
  await fail(6)
  stage.telltale.passTime(60 * minute)
  const { services } = stage.telltale.running
  const [project] = await services.db.select().from(projects).where(eq(projects.key, 'shop'))
  await addIncidents(services, project?.id ?? '')
  const [incident] = await incidentsOf(id)
  expect(incident).toMatchObject({ ending: 'recovered', value: 6, worst: 6 })
  const { items } = await ask('GET', `/api/v1/projects/shop/channels/${channel}/deliveries`)
  expect(items[0]).toMatchObject({ event: 'alert.recovered', state: 'delivered' })
  expect(items[1]).toMatchObject({ event: 'alert.fired', state: 'delivered', tries: 1 })
  expect(receiver.received).toHaveLength(0)
})

test("a test is sent only to the alert's channels; a channel in use stays", async () => {
  const id = await create(manyErrors)
  expect(await ask('POST', `${alerts}/${id}/test`)).toEqual({ channels: 1 })
  expect(await hear()).toMatchObject({ type: 'alert.tested', data: { test: true } })
  const path = `/api/v1/projects/shop/channels/${channel}`
  const { status, body } = await stage.telltale.request('DELETE', path, { as: stage.owner })
  expect({ status, type: body.type }).toEqual({ status: 409, type: '/errors/in-use' })
  await ask('PATCH', path, { enabled: false })
  const off = await stage.telltale.request('POST', `${alerts}/${id}/test`, { as: stage.owner })
  expect(off.body).toMatchObject({ detail: 'All channels of the alert are turned off.' })
})
