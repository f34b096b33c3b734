// Traces and logs of OpenTelemetry: what is stored, what is refused and how the client is told.

import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noteNightBefore } from '../../../../../test/intake/note-night.ts'
import {
  evaluationEvent,
  exceptionEvent,
  logOf,
  logRequest,
  newSpanId,
  newTraceId,
  spanOf,
  traceRequest,
} from '../../../../../test/intake/otlp.ts'
import { type OtlpStage, openOtlpStage, uuidOf } from '../../../../../test/intake/otlp-stage.ts'
import { environments, untilWritten } from '../../../../../test/intake/stage.ts'
import { runErasures } from '../privacy/run-erasures.ts'
import { runNight } from '../retention/run-night.ts'

let stage: OtlpStage
let clientKey: string
beforeAll(async () => {
  stage = await openOtlpStage()
  clientKey = await stage.clientKey('development')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const sendSpans: OtlpStage['sendSpans'] = (...given) => stage.sendSpans(...given)
const sendLogs: OtlpStage['sendLogs'] = (body) => stage.sendLogs(body)
const spansOf: OtlpStage['spansOf'] = (traceId) => stage.spansOf(traceId)
const outcome: OtlpStage['outcome'] = (kind, reason) => stage.outcome(kind, reason)

describe('what is stored', () => {
  test('a span with its resource, times to the microsecond, and what is indexed of its attributes', async () => {
    const [traceId, parentSpanId] = [newTraceId(), newSpanId()]
    const at = Math.floor(Date.now()) + 0.125
    const draft = spanOf({
      ...{ traceId, parentSpanId, at, duration: 1234.5, name: 'GET /orders/:id', kind: 2 },
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/orders/:id',
        'http.response.status_code': 503,
        'url.full': 'https://shop.example/orders/7?token=secret',
        'enduser.id': 'ada',
        'customer.mail': 'ada@shop.example',
        tags: ['a', 'b'],
      },
      status: { code: 2, message: 'no answer' },
    })
    const answer = await sendSpans(traceRequest('orders', [draft], { 'service.version': '1.4.0' }))
    expect(answer).toMatchObject({ status: 200, body: {} })
    const [row, ...others] = await spansOf(traceId)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      service: 'orders',
      version: '1.4.0',
      name: 'GET /orders/:id',
      kind: 'server',
      status: 'error',
      status_message: 'no answer',
      duration: 1234.5,
      parent_id: parentSpanId,
      method: 'GET',
      endpoint: '/orders/:id',
      http_status: 503,
      user_key: 'ada',
    })
    expect(row?.ts).toBe(`${new Date(Math.floor(at)).toISOString().replace('T', ' ').replace('Z', '')}125`)
    expect(row?.attrs).toMatchObject({
      'url.full': 'https://shop.example/orders/7',
      'customer.mail': '[email]',
      tags: '["a","b"]',
    })
    const [summary] = await stage.read<Record<string, unknown>>(
      `SELECT sum(spans) AS spans, sum(errors) AS errors, groupUniqArrayArray(services) AS services FROM traces WHERE trace_id = toUUID({trace:String})`,
      { trace: uuidOf(traceId) },
    )
    expect(summary).toEqual({ spans: '1', errors: '1', services: ['orders'] })
  })

  test('a request is stored once, however often it is sent and however it is compressed', async () => {
    const traceId = newTraceId()
    const body = JSON.stringify(traceRequest('orders', [spanOf({ traceId }), spanOf({ traceId })]))
    const answers = await Promise.all([
      sendSpans(body),
      sendSpans(gzipSync(body), { ...stage.bearer(), 'content-encoding': 'gzip' }),
      sendSpans(body),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await spansOf(traceId)).toHaveLength(2)
    await expect.poll(() => outcome('batch', 'repeated')).toBe(2)
  })

  test('log records, each with its trace, and those without any time when they arrived', async () => {
    const [traceId, spanId] = [newTraceId(), newSpanId()]
    const service = `log-${randomUUID()}`
    const timed = logRequest(service, [
      logOf({ traceId, spanId, severityNumber: 17, body: { order: 7 }, attributes: { 'user.id': 'ada' } }),
    ])
    expect(await sendLogs(timed)).toMatchObject({ status: 200, body: {} })
    // The same bytes twice are two records, as nothing says that they are one.
    const untimed = logRequest(service, [logOf({ at: 0, body: 'tick' })])
    await sendLogs(untimed)
    await sendLogs(untimed)
    await untilWritten(stage.telltale)
    const rows = await stage.read<Record<string, unknown>>(
      'SELECT level, body, user_key, span_id, trace_id FROM logs WHERE service = {service:String} ORDER BY body DESC',
      { service },
    )
    expect(rows).toMatchObject([
      { level: 'error', body: '{"order":7}', user_key: 'ada', span_id: spanId, trace_id: uuidOf(traceId) },
      { level: 'info', body: 'tick', span_id: '' },
      { level: 'info', body: 'tick', span_id: '' },
    ])
  })

  test('attributes that are too long or too many are cut, and counted', async () => {
    const traceId = newTraceId()
    const before = await outcome('attribute', 'shortened')
    const many = Object.fromEntries(Array.from({ length: limits.spanAttributes + 5 }, (_, n) => [`a${n}`, n]))
    const long = 'x'.repeat(limits.spanAttributeLength + 1)
    await sendSpans(
      traceRequest('orders', [
        spanOf({ traceId, attributes: many }),
        spanOf({ traceId, attributes: { long } }),
      ]),
    )
    const rows = await spansOf(traceId)
    expect(rows.map(({ cut }) => cut).sort()).toEqual([1, 5])
    await expect.poll(() => outcome('attribute', 'shortened')).toBe(before + 6)
  })
})

describe('what is refused', () => {
  test('spans with invalid IDs or unlikely times cost the request none of its others', async () => {
    const traceId = newTraceId()
    const day = 86_400_000
    const answer = await sendSpans(
      traceRequest('orders', [
        spanOf({ traceId }),
        spanOf({ traceId: '00000000000000000000000000000000' }),
        spanOf({ traceId, spanId: 'abc' }),
        spanOf({ traceId, at: Date.now() - 3 * day }),
        spanOf({ traceId, at: Date.now() + day }),
      ]),
    )
    expect(answer.status).toBe(200)
    expect(answer.body.partialSuccess.rejectedSpans).toBe('4')
    expect(answer.body.partialSuccess.errorMessage).toMatch(/2 rejected: A member .* 2 rejected: Older than/)
    expect(await spansOf(traceId)).toHaveLength(1)
  })

  test.each([
    { what: 'no key', body: '{}', headers: {}, status: 401 },
    { what: 'an unknown key', body: '{}', headers: { authorization: 'Bearer ser.nothing' }, status: 401 },
    { what: 'text that is not JSON', body: 'hello', status: 400 },
    { what: 'an array', body: '[]', status: 400 },
  ])('$what', async ({ body, headers, status }) => {
    const answer = await sendSpans(body, headers)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
  })

  test('a refusal of a protobuf request is a protobuf status, and a broken body is refused', async () => {
    const headers = { ...stage.bearer(), 'content-type': 'application/x-protobuf' }
    const broken = await sendSpans(Buffer.from([0x0a, 0x50, 0x01]), headers)
    expect(broken.status).toBe(400)
    expect(broken.headers.get('content-type')).toBe('application/x-protobuf')
    // Field 1: INVALID_ARGUMENT.
    expect([...broken.body.subarray(0, 2)]).toEqual([8, 3])
    expect(await sendSpans('{}', { ...stage.bearer(), 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    })
    // A request of protobuf without spans has no bytes.
    expect(await sendSpans(new Uint8Array(), headers)).toMatchObject({ status: 200 })
  })

  test('a body that unpacks to more than fits into memory', async () => {
    const bomb = gzipSync(Buffer.alloc(limits.intakeInflatedSize + 1))
    const answer = await sendSpans(bomb, { ...stage.bearer(), 'content-encoding': 'gzip' })
    expect(answer).toMatchObject({ status: 413 })
  })

  test('a nested attribute stops at a depth', async () => {
    const deep = `${'{"arrayValue":{"values":['.repeat(200)}{"intValue":"1"}${']}}'.repeat(200)}`
    const body = JSON.stringify(traceRequest('orders', [spanOf({ attributes: { deep: 'here' } })]))
    const answer = await sendSpans(body.replace('{"stringValue":"here"}', deep))
    expect(answer.status).toBe(400)
  })
})

test('a page of an allowed origin sends with a client key, others do not', async () => {
  const { telltale, owner } = stage
  const path = `${environments}/development`
  const { headers } = await telltale.request('GET', path, { as: owner })
  await telltale.request('PATCH', path, {
    as: owner,
    headers: { 'if-match': headers.get('etag') ?? '' },
    body: { allowedOrigins: ['https://shop.example'] },
  })
  const send = (origin: string) =>
    sendSpans(traceRequest('web', [spanOf()]), { 'x-api-key': clientKey, origin })
  await expect.poll(async () => (await send('https://evil.example')).status).toBe(403)
  const allowed = await send('https://shop.example')
  expect(allowed.status).toBe(200)
  expect(allowed.headers.get('access-control-allow-origin')).toBe('*')
  const preflight = await fetch(`${telltale.url}/v1/traces`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Content-Encoding/)
})

describe('errors and flags', () => {
  test('an exception that several spans recorded is one error, with its trace and its service', async () => {
    const traceId = newTraceId()
    const inner = spanOf({ traceId, events: [exceptionEvent('card declined')], status: { code: 2 } })
    const outer = spanOf({ traceId, events: [exceptionEvent('card declined'), exceptionEvent('other')] })
    await sendSpans(traceRequest('payments', [inner, outer]))
    // The same error again, exported by another service.
    await sendSpans(traceRequest('gateway', [spanOf({ traceId, events: [exceptionEvent('card declined')] })]))
    const errors = await stage.eventsOf(traceId)
    expect(errors).toMatchObject([
      { kind: 'error', service: 'payments', err_type: 'PaymentError', source: 'otlp' },
      { kind: 'error', service: 'payments', err_type: 'PaymentError', source: 'otlp' },
    ])
    expect(errors.map(({ err_message, err_handled }) => [err_message, err_handled]).sort()).toEqual([
      ['card declined', 0],
      ['other', 1],
    ])
    await untilWritten(stage.telltale)
    const from = new Date(Date.now() - 3_600_000).toISOString()
    const issues = await stage.telltale.request(
      'GET',
      `${environments}/development/issues?from=${from}&to=${new Date(Date.now() + 60_000).toISOString()}`,
      { as: stage.owner },
    )
    expect(
      issues.body.items.map(({ title, type }: { title?: string; type?: string }) => title ?? type).join(),
    ).toMatch(/declined|PaymentError/)
  })

  test('an exception of a log record', async () => {
    const traceId = newTraceId()
    await sendLogs(
      logRequest('payments', [logOf({ traceId, attributes: exceptionEvent('of a log').attributes })]),
    )
    expect(await stage.eventsOf(traceId)).toMatchObject([{ kind: 'error', err_message: 'of a log' }])
  })

  test('a variation that a split of ours assigned counts for its arm, another does not', async () => {
    const { telltale, owner } = stage
    const flag = { key: 'guarded', name: 'guarded', valueType: 'boolean' }
    expect(
      (await telltale.request('POST', '/api/v1/projects/shop/flags', { as: owner, body: flag })).status,
    ).toBe(201)
    const split = [
      { variation: 'on', weight: 100_000 },
      { variation: 'off', weight: 0 },
    ]
    const config = { enabled: true, offVariation: 'off', prerequisites: [], rules: [], version: 1 }
    const saved = await telltale.request('PUT', `${environments}/development/flags/guarded/config`, {
      as: owner,
      body: { ...config, fallthrough: { split } },
    })
    expect(saved.status).toBe(200)
    const traceId = newTraceId()
    const evaluation = (contextId: string, served: Record<string, unknown>) =>
      evaluationEvent('guarded', { 'feature_flag.context.id': contextId, ...served })
    const events = [
      evaluation('by-variant', { 'feature_flag.result.variant': 'on' }),
      evaluation('by-value', { 'feature_flag.result.value': true }),
      evaluation('other', { 'feature_flag.result.variant': 'off' }),
    ]
    const send = () => sendSpans(traceRequest('shop', [spanOf({ traceId, at: Date.now(), events })]))
    await send()
    const arms = async () =>
      (await stage.eventsOf(traceId)).map(
        ({ user_key, arms }) => `${user_key}: ${(arms as { arm: string }[]).map(({ arm }) => arm)}`,
      )
    expect((await arms()).sort()).toEqual(['by-value: on', 'by-variant: on', 'other: '])
  })

  test('an evaluation is an exposure of its user, once a day, in both forms of the conventions', async () => {
    const [traceId, other] = [newTraceId(), newTraceId()]
    const subject = randomUUID()
    const evaluation = evaluationEvent('checkout', {
      'feature_flag.result.variant': 'new',
      'feature_flag.context.id': subject,
    })
    const older = {
      name: 'feature_flag',
      attributes: { 'feature_flag.key': 'search', 'feature_flag.variant': 'fast' },
    }
    await sendSpans(
      traceRequest('shop', [
        spanOf({
          traceId,
          events: [evaluation, older, exceptionEvent('after it')],
          attributes: { 'user.id': subject },
        }),
      ]),
    )
    await sendSpans(traceRequest('shop', [spanOf({ traceId: other, events: [evaluation] })]))
    const [span] = await spansOf(traceId)
    expect(span?.flags).toEqual(['checkout=new', 'search=fast'])
    expect(await stage.eventsOf(traceId)).toMatchObject([
      { kind: 'error', user_key: subject, flags: ['checkout=new', 'search=fast'] },
      { kind: 'exposure', name: 'checkout', user_key: subject },
      { kind: 'exposure', name: 'search', user_key: subject },
    ])
    expect(await stage.eventsOf(other)).toEqual([])
  })
})

test('a user is exported and erased with the whole traces that name them, and with log records outside of one', async () => {
  const [userKey, traceId, other] = [randomUUID(), newTraceId(), newTraceId()]
  const service = `orders-${randomUUID()}`
  const own = spanOf({ traceId, attributes: { 'enduser.id': userKey } })
  await sendSpans(traceRequest(service, [own, spanOf({ traceId }), spanOf({ traceId: other })]))
  await sendLogs(
    logRequest(service, [
      logOf({ traceId }),
      logOf({ attributes: { 'user.id': userKey } }),
      logOf({ traceId: other }),
    ]),
  )
  await untilWritten(stage.telltale)
  const { telltale, owner } = stage
  const base = `${environments}/development`
  const tables: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await telltale.request('GET', `${base}/people/${userKey}?limit=50${cursor}`, {
      as: owner,
    })
    tables.push(...body.items.map(({ table }: { table: string }) => table))
    if (body.next === null) break
    cursor = `&cursor=${body.next}`
  }
  expect(tables).toEqual(['spans', 'spans', 'logs', 'logs'])

  await telltale.request('POST', `${base}/erasures`, { as: owner, body: { targetingKey: userKey } })
  const left = async (table: string) => {
    const of = table === 'traces' ? 'has(services, {service:String})' : 'service = {service:String}'
    const rows = await stage.read<{ trace: string }>(
      `SELECT toString(trace_id) AS trace FROM ${table} WHERE ${of}`,
      { service },
    )
    return rows.map(({ trace }) => trace)
  }
  const leftAfterRun = async () => {
    await runErasures(telltale.running.services)
    return Promise.all(['spans', 'logs', 'traces'].map(left))
  }
  const ofOthers = [uuidOf(other)]
  await expect.poll(leftAfterRun, { timeout: 60_000 }).toEqual([ofOthers, ofOthers, ofOthers])
  // Clients may hold back what they have of the user for two days.
  const late = traceRequest(service, [spanOf({ traceId, attributes: { 'enduser.id': userKey } })])
  await expect
    .poll(async () => (await sendSpans(late)).body.partialSuccess?.errorMessage)
    .toMatch(/The user was erased/)
}, 120_000)

// Last: the names count for an hour.
test('services past their number are stored together, and the client is warned', async () => {
  const traceId = newTraceId()
  const resourceSpans = Array.from(
    { length: limits.servicesPerEnvironment + 20 },
    (_, n) => traceRequest(`many-${n}`, [spanOf({ traceId })]).resourceSpans[0],
  )
  const { body } = await sendSpans({ resourceSpans })
  expect(body.partialSuccess).toMatchObject({ rejectedSpans: '0' })
  expect(body.partialSuccess.errorMessage).toMatch(/services an hour/)
  const services = new Set((await spansOf(traceId)).map(({ service }) => service))
  expect(services.size).toBeLessThanOrEqual(limits.servicesPerEnvironment + 1)
  expect(services).toContain('(other)')
})

test('the night removes what is past its retention', async () => {
  const { telltale } = stage
  const { services } = telltale.running
  const count = async () => {
    const [row] = await stage.read<{ n: string }>(
      'SELECT toString((SELECT count() FROM spans) + (SELECT count() FROM logs) + (SELECT count() FROM traces)) AS n',
    )
    return Number(row?.n)
  }
  expect(await count()).toBeGreaterThan(0)
  const day = 86_400_000
  telltale.passTime(400 * day)
  await noteNightBefore(services.db, services.clock())
  await runNight(services)
  expect(await count()).toBe(0)
}, 120_000)
