// Traces, log records and services as the calls show them, counted again by hand.

import { randomUUID } from 'node:crypto'
import type { Log } from '@telltale/core/contract/logs'
import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  logOf,
  logRequest,
  newSpanId,
  newTraceId,
  sendOtlp,
  spanOf,
  traceRequest,
} from '../../../../../test/intake/otlp.ts'
import { slowPayments } from '../../../../../test/intake/slow-payments.ts'
import {
  environments,
  type IntakeStage,
  openIntakeStage,
  untilWritten,
} from '../../../../../test/intake/stage.ts'

const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

let stage: IntakeStage
let key: string
const base = `${environments}/development`

beforeAll(async () => {
  stage = await openIntakeStage()
  const made = await stage.telltale.request('POST', `${base}/keys`, {
    as: stage.owner,
    body: { kind: 'server', label: 'collector' },
  })
  key = made.body.value ?? made.body.key
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const send = (path: '/v1/traces' | '/v1/logs', body: object) =>
  sendOtlp(stage.telltale.url, { path, body, headers: { authorization: `Bearer ${key}` } })

async function get(path: string, query: Record<string, string> = {}) {
  await untilWritten(stage.telltale)
  const text = new URLSearchParams(query).toString()
  return stage.telltale.request('GET', `${base}/${path}${text === '' ? '' : `?${text}`}`, { as: stage.owner })
}

/** Of the last day, so that one test does not see what another sends. */
const of = (service: string, more = '') => ({ filter: `service:${service} ${more}` })

test('a trace over two services, with its errors and log records in order, and one span as a whole', async () => {
  const [traceId, root, call] = [newTraceId(), newSpanId(), newSpanId()]
  const [web, api] = [`web-${randomUUID()}`, `api-${randomUUID()}`]
  const at = Date.now() - 60_000
  await send(
    '/v1/traces',
    traceRequest(web, [spanOf({ traceId, spanId: root, at, duration: 200, name: 'GET /', kind: 2 })]),
  )
  await send(
    '/v1/traces',
    traceRequest(api, [
      spanOf({
        ...{ traceId, spanId: call, parentSpanId: root, at: at + 50.25, duration: 100, kind: 2, name: 'pay' },
        attributes: { 'db.system.name': 'postgresql', 'http.response.status_code': 500 },
        status: { code: 2, message: 'no' },
        events: [
          {
            name: 'exception',
            at: at + 60,
            attributes: { 'exception.message': 'no', 'exception.type': 'E' },
          },
        ],
        links: [{ traceId: newTraceId(), spanId: newSpanId() }],
      }),
    ]),
  )
  const logs = ['second', 'first'].map((body, n) => logOf({ traceId, spanId: call, at: at + 70 - n, body }))
  await send('/v1/logs', logRequest(api, logs))

  const { body, status } = await get(`traces/${traceId}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    traceId,
    service: web,
    name: 'GET /',
    spans: 2,
    errors: 1,
    duration: 200,
    left: 0,
  })
  expect(body.services).toEqual([web, api].sort())
  expect(body.spanList).toMatchObject([
    { spanId: root, parentId: '', service: web, kind: 'server', at: 0, duration: 200 },
    {
      spanId: call,
      parentId: root,
      service: api,
      status: 'error',
      at: 50.25,
      duration: 100,
      httpStatus: 500,
      system: 'postgresql',
    },
  ])
  expect(body.errorList).toMatchObject([{ type: 'E', message: 'no', spanId: call, service: api, at: 60 }])
  expect(body.logs.map((log: Log) => log.body)).toEqual(['first', 'second'])

  const span = await get(`traces/${traceId}/spans/${call}`)
  expect(span.body).toMatchObject({
    statusMessage: 'no',
    attributes: { 'db.system.name': 'postgresql' },
    resource: { 'service.name': api },
    events: [{ name: 'exception', at: new Date(at + 60).toISOString() }],
    links: [{ attributes: {} }],
    cut: 0,
  })
  expect((await get(`traces/${newTraceId()}`)).status).toBe(404)
  expect((await get(`traces/${traceId}/spans/${newSpanId()}`)).status).toBe(404)
})

test('traces are searched by their spans, and paged without one twice', async () => {
  const service = `search-${randomUUID()}`
  const now = Date.now()
  // Older than the part that a search reads first.
  const ids = Array.from({ length: 7 }, () => newTraceId())
  await send(
    '/v1/traces',
    traceRequest(
      service,
      ids.flatMap((traceId, n) => [
        spanOf({ traceId, at: now - n * 600_000, name: 'root', duration: 100 + n }),
        spanOf({ traceId, at: now - n * 600_000 + 5, name: 'child', attributes: { tenant: `t${n % 2}` } }),
      ]),
    ),
  )
  const list = async (query: Record<string, string>) => {
    const found: string[] = []
    let cursor = ''
    do {
      const { body } = await get('traces', { ...query, limit: '2', ...(cursor !== '' && { cursor }) })
      found.push(...body.items.map(({ traceId }: { traceId: string }) => traceId))
      cursor = body.next ?? ''
    } while (cursor !== '')
    return found
  }
  expect(await list(of(service))).toEqual(ids)
  expect(await list(of(service, 'attr:tenant=t1'))).toEqual(ids.filter((_, n) => n % 2 === 1))
  expect(await list(of(service, 'duration:>=104'))).toEqual(ids.slice(4))
  expect(await list(of(service, `trace:${ids[3]}`))).toEqual([ids[3]])
  expect(await list(of(service, 'span-kind:server'))).toEqual([])
  const [first] = (await get('traces', of(service))).body.items
  expect(first).toMatchObject({ service, name: 'root', spans: 2, matched: { spans: 2, name: 'root' } })
  const refused = await get('traces', { filter: 'browser:Chrome' })
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.body.errors[0].message).toBe('spans have no field "browser"')
})

test('parents in a circle, and a span that two requests report', async () => {
  const [traceId, one, other] = [newTraceId(), newSpanId(), newSpanId()]
  const service = `circle-${randomUUID()}`
  const at = Date.now() - 5_000
  const circle = [
    spanOf({ traceId, spanId: one, parentSpanId: other, at }),
    spanOf({ traceId, spanId: other, parentSpanId: one, at: at + 1 }),
  ]
  await send('/v1/traces', traceRequest(service, circle))
  await send('/v1/traces', traceRequest(service, circle.slice(0, 1)))
  const { body } = await get(`traces/${traceId}`)
  expect(body.spanList.map(({ spanId }: { spanId: string }) => spanId)).toEqual([one, other])
})

test('of a trace of 100,000 spans in many requests, its root last, the first are listed and the others counted', async () => {
  const traceId = newTraceId()
  const root = newSpanId()
  const [count, perRequest] = [100_000, 5_000]
  const at = Date.now() - 30_000
  const spans = Array.from({ length: count }, (_, n) =>
    n === 0
      ? spanOf({ traceId, spanId: root, at, duration: 20_000, name: 'whole', kind: 2 })
      : spanOf({ traceId, parentSpanId: root, at: at + n / 10, name: `step ${n % 1_000}` }),
  ).toReversed()
  const service = `huge-${randomUUID()}`
  for (let first = 0; first < count; first += perRequest) {
    const answer = await send('/v1/traces', traceRequest(service, spans.slice(first, first + perRequest)))
    expect(answer).toMatchObject({ status: 200, body: {} })
  }
  const { body } = await get(`traces/${traceId}`)
  expect(body).toMatchObject({ name: 'whole', spans: count, left: count - limits.traceSpansShown })
  expect(body.spanList).toHaveLength(limits.traceSpansShown)
  expect(body.spanList[0]).toMatchObject({ spanId: root, parentId: '' })
  expect(body.spanList.at(-1).name).toBe(`step ${(limits.traceSpansShown - 1) % 1_000}`)
})

test('log records by level, words and attributes, newest first and paged', async () => {
  const service = `logs-${randomUUID()}`
  const now = Date.now()
  const levels = [9, 13, 17, 17]
  await send(
    '/v1/logs',
    logRequest(
      service,
      levels.map((severityNumber, n) =>
        logOf({ at: now - n * 1_000, severityNumber, body: `order ${n}`, attributes: { n } }),
      ),
    ),
  )
  const bodies = async (more: string) =>
    (await get('logs', of(service, more))).body.items.map((log: Log) => log.body)
  expect(await bodies('')).toEqual(['order 0', 'order 1', 'order 2', 'order 3'])
  expect(await bodies('level:error')).toEqual(['order 2', 'order 3'])
  expect(await bodies('"order 1"')).toEqual(['order 1'])
  expect(await bodies('-attr:n=0 -level:error')).toEqual(['order 1'])
  const first = await get('logs', { ...of(service), limit: '3' })
  const second = await get('logs', { ...of(service), limit: '3', cursor: first.body.next })
  expect(second.body.items.map((log: Log) => log.body)).toEqual(['order 3'])
  expect(second.body.next).toBeNull()

  const { body } = await get('logs/levels', of(service, '-attr:n=3'))
  expect(body.levels).toMatchObject([
    { level: 'error', total: 1 },
    { level: 'warn', total: 1 },
    { level: 'info', total: 1 },
  ])
  expect(body.levels[0].counts).toHaveLength(body.steps.length)
})

test('services with rate, failures, duration and the flags that they evaluate', async () => {
  const service = `rated-${randomUUID()}`
  const evaluation = (variant: string) => ({
    name: 'feature_flag.evaluation',
    attributes: { 'feature_flag.key': 'search', 'feature_flag.result.variant': variant },
  })
  const now = Date.now()
  const entries = Array.from({ length: 60 }, (_, n) =>
    spanOf({
      ...{ at: now - 10_000, duration: n + 1, kind: 2, parentSpanId: newSpanId() },
      status: { code: n < 15 ? 2 : 0 },
      events: n < 2 ? [evaluation(n === 0 ? 'fast' : 'slow')] : [],
    }),
  )
  // Calls that the service makes are no requests to it.
  const calls = Array.from({ length: 10 }, () =>
    spanOf({ at: now, kind: 3, duration: 5_000, parentSpanId: newSpanId() }),
  )
  await send(
    '/v1/traces',
    traceRequest(service, [...entries, ...calls], {
      'service.version': '2.0',
      'telemetry.sdk.language': 'go',
    }),
  )
  const to = new Date(now + 60_000).toISOString()
  const from = new Date(now + 60_000 - 600_000).toISOString()
  const { body } = await get('services', { ...of(service), from, to })
  expect(body.services).toHaveLength(1)
  expect(body.services[0]).toMatchObject({
    service,
    versions: ['2.0'],
    language: 'go',
    requests: 60,
    perMinute: 6,
    failed: 15,
    failedShare: 0.25,
    spans: 70,
    flags: [{ flag: 'search', variations: ['fast', 'slow'] }],
  })
  expect(Math.abs(body.services[0].p50 - 30.5)).toBeLessThan(1)
  expect(Math.abs(body.services[0].p95 - 57.5)).toBeLessThan(1)
})

test('one service over time, with its operations and their share of the time', async () => {
  const service = `page/of ${randomUUID()}`
  const hour = 3_600_000
  const now = Date.now()
  const to = Math.ceil(now / hour) * hour
  // Two hours: 60 quick requests in the first, 20 slow ones that fail in the second.
  const quick = Array.from({ length: 60 }, (_, n) =>
    spanOf({ at: to - 2 * hour + n, duration: 10, kind: 2, name: 'GET /quick' }),
  )
  const slow = Array.from({ length: 20 }, () =>
    spanOf({ at: now - 1_000, duration: 90, kind: 2, name: 'POST /slow', status: { code: 2 } }),
  )
  const call = spanOf({ at: now, duration: 5_000, kind: 3, parentSpanId: newSpanId(), name: 'SELECT' })
  await send('/v1/traces', traceRequest(service, [...quick, ...slow, call]))
  const period = { from: new Date(to - 2 * hour).toISOString(), to: new Date(to).toISOString() }
  const { body, status } = await get('service', { service, ...period, step: '1h' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    service,
    requests: 80,
    failed: 20,
    failedShare: 0.25,
    p50: 10,
    p99: 90,
    spans: 81,
  })
  expect(body.series).toMatchObject([
    { requests: 60, failed: 0, p50: 10, p99: 10 },
    { requests: 20, failed: 20, p50: null, p99: null },
  ])
  // 600 ms and 1,800 ms; the call is the time of another service.
  expect(body.operations).toMatchObject([
    { name: 'POST /slow', kind: 'server', requests: 20, failedShare: 1, p95: null, timeShare: 0.75 },
    { name: 'GET /quick', kind: 'server', requests: 60, failedShare: 0, p95: 10, timeShare: 0.25 },
  ])
  expect((await get('service', { service, ...period, filter: 'name:"GET /quick"' })).body.requests).toBe(60)
  const listed = await get('services', { ...period, filter: 'name:"GET /quick"' })
  expect(listed.body.services).toMatchObject([{ service, requests: 60 }])
  const unknown = await get('service', { service: 'unknown', ...period })
  expect(unknown.body).toMatchObject({ requests: 0, failedShare: null, lastSeenAt: null, operations: [] })
})

test('the spans that make requests slow, by self time in a known tree', async () => {
  const suffix = randomUUID()
  const [api, payments] = [`api-${suffix}`, `payments-${suffix}`]
  const path = '/api/pay'
  const { slow, others, traces, lines } = slowPayments({ api, payments, path })
  for (const each of traces) await send('/v1/traces', each)
  const sent = await stage.post(lines, { headers: { 'user-agent': browser } })
  expect(sent.status).toBe(202)
  const group = { method: 'POST', host: 'shop.example', endpoint: path }
  const { body, status } = await get('request/spans', group)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    traces: 20,
    typical: { traces: 4, mean: 120 },
    slow: { traces: 2, mean: 300, from: 300 },
    isCut: false,
  })
  const found = Object.fromEntries(
    body.spans.map((span: { name: string; typical: number; slow: number }) => [
      span.name,
      [span.typical, span.slow],
    ]),
  )
  expect(found).toEqual({
    'SELECT stock': [20, 200],
    'POST /pay': [50, 60],
    mail: [50, 50],
    charge: [20, 20],
    '': [40, 40],
  })
  const [first] = body.spans
  expect(first).toMatchObject({ service: api, name: 'SELECT stock' })
  expect(slow).toContain(first.slowExample.traceId)
  expect(others).toContain(first.typicalExample.traceId)
  const none = await get('request/spans', { ...group, endpoint: '/api/other' })
  expect(none.body).toMatchObject({ traces: 0, spans: [] })
})

// Last: time passes for what comes after.
test('a span that comes days after the others of its trace is shown with them', async () => {
  const traceId = newTraceId()
  const root = newSpanId()
  const service = `late-${randomUUID()}`
  await send('/v1/traces', traceRequest(service, [spanOf({ traceId, spanId: root, name: 'order' })]))
  const days = 3 * 86_400_000
  stage.telltale.passTime(days)
  const late = spanOf({ traceId, parentSpanId: root, at: Date.now() + days, duration: 5, name: 'parcel' })
  // What happened before the others arrived is too old to be stored, and its client is told.
  const early = spanOf({ traceId, parentSpanId: root, name: 'too old' })
  const answer = await send('/v1/traces', traceRequest(service, [late, early]))
  expect(answer.body.partialSuccess).toMatchObject({ rejectedSpans: '1' })
  const { body } = await get(`traces/${traceId}`)
  expect(body).toMatchObject({ name: 'order', spans: 2, left: 0 })
  expect(body.spanList.map(({ name }: { name: string }) => name)).toEqual(['order', 'parcel'])
  expect(body.duration).toBeGreaterThan(days)
})
