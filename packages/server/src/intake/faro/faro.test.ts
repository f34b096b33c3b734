// Requests of Faro's client: what is stored, what is refused and how the client is told.

import { gzipSync } from 'node:zlib'
import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSpanId, newTraceId, spanOf, traceRequest } from '../../../../../test/intake/otlp.ts'
import { type IntakeStage, openIntakeStage, untilWritten } from '../../../../../test/intake/stage.ts'

let stage: IntakeStage
let key: string
beforeAll(async () => {
  stage = await openIntakeStage({ TELLTALE_INTAKE_RATE: '200' })
  key = await stage.clientKey('development')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

interface Sending {
  path?: string
  headers?: Record<string, string>
}

const post = (body: string | Uint8Array | object, { path = `/intake/faro/${key}`, headers }: Sending = {}) =>
  fetch(`${stage.telltale.url}${path}`, {
    method: 'POST',
    body: (typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)) as BodyInit,
    headers: { 'content-type': 'application/json', origin: 'https://shop.example', ...headers },
  })

/** A request of a session of its own, in which everything happens at a time. */
function visitAt(name: string, at: number) {
  const timestamp = new Date(at).toISOString()
  const traceId = newTraceId()
  const trace = { trace_id: traceId, span_id: newSpanId() }
  return {
    meta: {
      ...{ app: { name: 'shop', version: '7.1.0' }, session: { id: name }, user: { id: name } },
      page: { url: 'https://shop.example/cart' },
    },
    events: [{ name: 'session_start', domain: 'browser', timestamp }],
    exceptions: [{ type: 'RangeError', value: 'basket is empty', timestamp, trace }],
    logs: [{ message: 'cart is slow', level: 'warn', timestamp, trace, context: { items: '3' } }],
    traces: traceRequest('shop', [spanOf({ traceId, at, attributes: { 'session.id': name } })]),
  }
}

interface Row {
  kind: string
  session: string
  age: string
}
async function rowsOf(user: string): Promise<Row[]> {
  await untilWritten(stage.telltale)
  const columns = `toString(session_id) AS session, toString(dateDiff('second', ts, received_at)) AS age`
  return stage.read(`SELECT kind, ${columns} FROM events WHERE user_key = {user:String} ORDER BY kind`, {
    user,
  })
}

async function outcome(kind: string, reason: string): Promise<number> {
  await stage.telltale.running.services.intake.outcomes.flush()
  await untilWritten(stage.telltale)
  const [row] = await stage.read<{ n: string }>(
    "SELECT toString(sum(count)) AS n FROM intake_outcomes WHERE source = 'faro' AND kind = {kind:String} AND reason = {reason:String}",
    { kind, reason },
  )
  return Number(row?.n ?? 0)
}

test('a request is on disk when it is answered, and stored once, however often and compressed it is sent', async () => {
  const visit = visitAt('once', Date.now())
  const body = JSON.stringify(visit)
  const answers = await Promise.all([
    post(body),
    post(gzipSync(body), { headers: { 'content-encoding': 'gzip' } }),
    post(body, { path: '/intake/faro', headers: { 'x-api-key': key } }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['', '', ''])
  const rows = await rowsOf('once')
  expect(rows.map(({ kind }) => kind)).toEqual(['custom', 'error', 'view'])
  const [session] = new Set(rows.map((row) => row.session))
  const signals = (table: string) =>
    stage.read<Row>(
      `SELECT toString(session_id) AS session FROM ${table} WHERE session_id = {session:UUID}`,
      { session },
    )
  expect(await signals('logs')).toHaveLength(1)
  expect(await signals('spans')).toHaveLength(1)
  expect(await outcome('batch', 'repeated')).toBe(2)
})

test('times of a clock that is ahead are corrected, and what is too old is told', async () => {
  const day = 86_400_000
  expect((await post(visitAt('ahead', Date.now() + day))).status).toBe(202)
  const ages = (await rowsOf('ahead')).map(({ age }) => Number(age))
  expect(ages).toHaveLength(3)
  expect(Math.max(...ages.map(Math.abs))).toBeLessThan(60)
  expect((await post(visitAt('behind', Date.now() - 3 * day))).status).toBe(202)
  expect(await rowsOf('behind')).toEqual([])
  expect(await outcome('error', 'timestamp_out_of_range')).toBe(1)
})

test('what cannot be accepted is refused before anything of it is stored', async () => {
  const { body: made } = await stage.telltale.request(
    'POST',
    '/api/v1/projects/shop/environments/development/keys',
    { as: stage.owner, body: { kind: 'server', label: 'api' } },
  )
  const deep = `{"meta":${'['.repeat(limits.bodyDepth + 1)}${']'.repeat(limits.bodyDepth + 1)}}`
  const bomb = gzipSync(Buffer.alloc(limits.intakeInflatedSize + 1, ' '))
  const gzip = { headers: { 'content-encoding': 'gzip' } }
  const statuses = await Promise.all(
    [
      post({}, { path: '/intake/faro/unknown' }),
      post({}, { path: '/intake/faro' }),
      post({}, { path: `/intake/faro/${made.value}` }),
      post('no json'),
      post('[]'),
      post(deep),
      post(bomb, gzip),
      post('half', gzip),
      post('{}', { headers: { 'content-encoding': 'zstd' } }),
    ].map(async (sent) => (await sent).status),
  )
  expect(statuses).toEqual([401, 401, 401, 400, 400, 400, 413, 400, 415])
  const preflight = await fetch(`${stage.telltale.url}/intake/faro/${key}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
  expect(allowed).toEqual(
    expect.arrayContaining([
      'content-type',
      'content-encoding',
      'idempotency-key',
      'x-api-key',
      'x-faro-session-id',
    ]),
  )
})

test('a client that sends too much waits as long as it is told', async () => {
  let answer = await post({})
  while (answer.status === 202) answer = await post({})
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
  expect(await outcome('batch', 'rate_limited')).toBeGreaterThan(0)
})
