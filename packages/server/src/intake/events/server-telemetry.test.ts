// Telemetry of servers beside that of browsers, on the real engine: it is stored as such, counts for users and
// variations, and changes no number about sessions, pages and vitals.

import { noId } from '@telltale/core/telemetry/row-text'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  environments,
  type IntakeStage,
  openIntakeStage,
  untilWritten,
} from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines, views } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage
let serverKey: string

const split = '77'
const reads = [{ flag: 'checkout', variation: 'on', split, epoch: 1, by: 'targetingKey', unit: 'mara' }]
const ofServer = (more: Line = {}) => ({
  kind: 'context',
  index: 0,
  session: noId,
  service: 'orders',
  ...more,
})
const request = (more: Line = {}) =>
  event('resource', { type: 'server', method: 'GET', url: '/orders/17', status: 200, duration: 40, ...more })
const agents = ['node', 'curl/8.5.0', 'python-requests/2.32.3', 'okhttp/4.12.0', 'Googlebot/2.1']

const screen = async (path: string) => {
  const period = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`
  const url = `${environments}/development/${path}${path.includes('?') ? '&' : '?'}${period}`
  const { status, body } = await stage.telltale.request('GET', url, { as: stage.owner })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

beforeAll(async () => {
  stage = await openIntakeStage()
  const { body } = await stage.telltale.request('POST', `${environments}/development/keys`, {
    as: stage.owner,
    body: { kind: 'server', label: 'orders' },
  })
  serverKey = body.value ?? body.key
})
afterAll(() => stage?.[Symbol.asyncDispose]())

test('everything that a server sends is accepted, however few sessions are sampled', async () => {
  await stage.telltale.request('PATCH', `${environments}/development`, {
    as: stage.owner,
    body: { allowedOrigins: [], sampling: { session: 50, replay: 0, profile: 0 } },
  })
  // A browser session with a view, an error and a request.
  const session = '0198a2c4-0000-7000-8000-000000000001'
  const url = 'https://shop.example/cart'
  const visit = [
    context({ session, userKey: 'mara', sessionUserKey: 'mara', url, reads }),
    ...views(1),
    event('exposure', { flag: 'checkout' }),
    event('error', { source: 'uncaught', message: 'in the browser', handled: false }),
    event('resource', {
      type: 'fetch',
      url: 'https://shop.example/orders/1',
      method: 'GET',
      status: 200,
      duration: 90,
    }),
  ]
  const dropped = '0198a2c4-0000-7000-8000-0000ffffffff'
  const sampled = async () => (await stage.post(toLines([context({ session: dropped }), ...views(1)]))).body
  await expect.poll(sampled, { timeout: 20_000 }).toMatchObject({ dropped: [{ reason: 'sampled_out' }] })
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36',
  }
  expect((await stage.post(toLines(visit), { headers })).body).toEqual({ accepted: 4, dropped: [] })
  for (const agent of agents) {
    const lines = [
      ofServer({ userKey: 'mara', reads, version: '9.0' }),
      event('exposure', { flag: 'checkout' }),
      event('error', { source: 'reported', message: `on the server of ${agent}`, handled: true }),
      event('custom', { name: 'order', value: 12 }),
      request({ status: 503, endpoint: '/orders/:id', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }),
    ]
    const answer = await stage.post(toLines(lines), { key: serverKey, headers: { 'user-agent': agent } })
    expect(answer.body).toEqual({ accepted: 4, dropped: [] })
  }
  // Without a subject, and with a session of a browser that the sampling of sessions would drop.
  const lines = [
    ofServer({ session: dropped }),
    event('error', { source: 'uncaught', message: 'in a job', handled: false }),
    request(),
    event('view'),
  ]
  expect((await stage.post(toLines(lines), { key: serverKey })).body.accepted).toBe(3)
  await untilWritten(stage.telltale)
})

test('a server key is never judged by its user agent', async () => {
  const rows = await stage.read<Line>(
    `SELECT DISTINCT bot, browser, browser_version, os, device, country, weight, service, user_hash
    FROM events WHERE environment_id = {environment:UUID} AND origin = 'server' AND user_key = 'mara'`,
    { environment: stage.environment },
  )
  const environment = stage.environment
  const user = unitHash({ environment, attribute: 'targetingKey', value: 'mara' })
  const none = { browser: '', browser_version: '', os: '', device: '', country: '' }
  expect(rows).toEqual([{ ...none, bot: 0, weight: 1, service: 'orders', user_hash: user }])
})

test('sessions, pages and the overview stay those of browsers', async () => {
  const { items } = await screen('sessions?filter=user:mara')
  expect(items.map(({ id }: Line) => id)).toEqual(['0198a2c4-0000-7000-8000-000000000001'])
  expect(items[0]).toMatchObject({ errors: 1, requests: 1, views: 1 })
  const all = await stage.read<Line>(
    'SELECT DISTINCT toString(session_id) AS id FROM sessions WHERE environment_id = {environment:UUID} AND errors > 0',
    { environment: stage.environment },
  )
  expect(all).toEqual([{ id: items[0].id }])
  const pages = await screen('pages')
  expect(pages.items.map(({ page, errors }: Line) => ({ page, errors }))).toEqual([
    { page: '/cart', errors: 2 },
  ])
})

test('requests of servers are listed when they are asked for', async () => {
  const namesOf = ({ items }: { items: Line[] }) => items.map(({ host, endpoint }) => `${host}${endpoint}`)
  expect(namesOf(await screen('requests'))).toEqual(['shop.example/orders/:id'])
  expect(namesOf(await screen('requests?filter=origin:server'))).toEqual(['/orders/:id'])
  const traced = await stage.read<Line>(
    'SELECT DISTINCT trace_id FROM events WHERE environment_id = {environment:UUID} AND res_status = 503',
    { environment: stage.environment },
  )
  expect(traced).toEqual([{ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' }])
})

test('errors of servers count events and named users, and no sessions', async () => {
  const counted = async (filter: string) => {
    const of = (measure: string) =>
      screen(`explore?kind=error&measure=${measure}&filter=${encodeURIComponent(filter)}`)
    const [count, users, sessions] = await Promise.all(['count', 'users', 'sessions'].map(of))
    return [count, users, sessions].map((answer) => answer.total.value)
  }
  expect(await counted('origin:server error:~"on the server"')).toEqual([5, 1, 0])
  expect(await counted('error:"in a job"')).toEqual([1, 0, 1])
})

test('the guard measures servers and browsers apart', async () => {
  const rows = await stage.read<{ measure: string; n: string }>(
    `SELECT measure, toString(sum(n)) AS n FROM unit_measures
    WHERE environment_id = {environment:UUID} AND split = ${split} GROUP BY measure ORDER BY measure`,
    { environment: stage.environment },
  )
  expect(Object.fromEntries(rows.map(({ measure, n }) => [measure, Number(n)]))).toEqual({
    'custom:order': 5,
    error: 1,
    request: 1,
    server_error: 5,
    server_failed_request: 5,
    server_request: 5,
    server_session: 5,
    session: 1,
    unhandled_error: 1,
    view: 1,
  })
  const buckets = await stage.read<{ measure: string }>(
    `SELECT DISTINCT measure FROM unit_buckets WHERE environment_id = {environment:UUID} AND split = ${split} ORDER BY measure`,
    { environment: stage.environment },
  )
  expect(buckets.map(({ measure }) => measure)).toEqual(['request', 'server_request'])
})
