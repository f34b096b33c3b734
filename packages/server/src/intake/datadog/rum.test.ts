// All that a Datadog client may send, out of order, twice, broken or too large: valid data is stored once, the rest counted.

import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { aaTestArmOf } from '@telltale/core/telemetry/aa-test-arm'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rumEvent, rumLines, rumView, sendRum } from '../../../../../test/intake/datadog.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { startTelltale } from '../../../../../test/start.ts'

let stage: IntakeStage
let key: string
const patience = { timeout: 20_000, interval: 50 }

beforeAll(async () => {
  stage = await openIntakeStage()
  key = await stage.clientKey('development')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const send = (events: readonly unknown[], parameters: Record<string, string> = {}) =>
  sendRum(rumLines(events), { url: stage.telltale.url, key, parameters })
const totals = () => Object.fromEntries(stage.telltale.running.services.intake.outcomes.totals())
const inSession = (id: string) => ({ session: { id, type: 'user' }, tab: { id: randomUUID() } })

/** The states of a session's views, the last of each. */
const viewsOf = (session: string) =>
  stage.read<Record<string, unknown>>(
    `SELECT toString(view_id) AS id, rev, url, active, actions, errors, inp, cls, lcp FROM views FINAL
    WHERE session_id = {session:UUID} ORDER BY started, id`,
    { session },
  )

describe('invalid input', () => {
  test('a malformed line, an oversized one and one of an unknown type do not affect others', async () => {
    const session = randomUUID()
    const about = inSession(session)
    const before = totals()
    const answer = await send([
      rumEvent('action', { type: 'click', target: { name: 'Pay' } }, about),
      '{"type":"action",',
      rumEvent('transition', {}, about),
      rumEvent('telemetry', { type: 'log' }, about),
      rumEvent('error', { message: 'x'.repeat(2_200_000) }, about),
      rumEvent('error', { id: 'no id', message: 'no' }, about),
      rumEvent('action', { type: 'click' }, { ...about, session: { id: 'synthetic' } }),
      rumEvent(
        'error',
        { message: `${'y'.repeat(300_000)}`, source: 'source', handling: 'unhandled' },
        about,
      ),
    ])
    expect(answer.status).toBe(202)
    const rows = await stage.untilStored(session, 2)
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['action', 'error'])
    const after = totals()
    for (const [reason, count] of [
      ['malformed', 1],
      ['unknown_kind', 1],
      ['client_telemetry', 1],
      ['too_large', 1],
      ['invalid', 2],
    ] as const) {
      expect([reason, (after[reason] ?? 0) - (before[reason] ?? 0)]).toEqual([reason, count])
    }
  })

  test('an invalid body, a zip bomb, an unknown path and an unknown key are rejected with CORS headers', async () => {
    const { url } = stage.telltale
    const bomb = deflateSync(Buffer.alloc(60 * 1_024 * 1_024, 0x20))
    for (const [answer, status] of [
      [await sendRum('no json at all', { url, key }), 400],
      [await sendRum(new Uint8Array([0x78, 0x9c, 1, 2, 3]), { url, key }), 400],
      [await sendRum(bomb, { url, key }), 413],
      [await sendRum(Buffer.alloc(6 * 1_024 * 1_024, 0x20), { url, key }), 413],
      [await sendRum('{}', { url, key: 'pub000' }), 403],
      [
        await fetch(`${url}/intake/datadog/api/v2/logs?dd-api-key=${key}`, { method: 'POST', body: '{}' }),
        404,
      ],
    ] as const) {
      expect(answer.status).toBe(status)
    }
    const refused = await sendRum('{}', { url, key: 'pub000' })
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(refused.headers.get('access-control-allow-credentials')).toBe('true')
  })

  test("the quota's preflight and the quota are answered in its format", async () => {
    const forward = encodeURIComponent(`/api/v2/profiling/quota?session_id=${randomUUID()}`)
    const url = `${stage.telltale.url}/intake/datadog?ddforward=${forward}&ddforwardSubdomain=quota`
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'dd-client-token',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('dd-client-token')
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    const answer = await fetch(url, { headers: { 'dd-client-token': key } })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { data: { attributes: { admitted: expect.any(Boolean), reason: expect.any(String) } } },
    ])
  })
})

describe('repeated events', () => {
  test('in the same request, with the same bytes, or in another batch are stored once', async () => {
    const session = randomUUID()
    const about = inSession(session)
    const click = rumEvent('action', { type: 'click', target: { name: 'Pay' } }, about)
    const failure = rumEvent('error', { message: 'no', source: 'source' }, about)
    const request = { 'dd-request-id': randomUUID() }
    await send([click, failure], request)
    await send([click, failure], request)
    await send([click, failure], { '_dd.retry_count': '1' })
    await send([failure, click, failure])
    await send([rumEvent('action', { type: 'click', target: { name: 'Last' } }, about)])
    const rows = await stage.untilStored(session, 3)
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['action', 'action', 'error'])
  })

  test('in several batches at the same time are stored once', async () => {
    const session = randomUUID()
    const about = inSession(session)
    const click = (name: string) => rumEvent('action', { type: 'click', target: { name } }, about)
    const shared = click('Pay')
    await Promise.all(['1', '2', '3', '4', '5'].map((name) => send([shared, click(name)])))
    await stage.untilStored(session, 6)
  })

  test('at the same time are stored once', async () => {
    const session = randomUUID()
    const events = [
      rumView(1, { is_active: true, action: { count: 0 } }, inSession(session)),
      rumEvent('action', { type: 'click', target: { name: 'Pay' } }, inSession(session)),
    ]
    const answers = await Promise.all([send(events), send(events), send(events)])
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    await send([rumEvent('action', { type: 'custom', target: { name: 'after' } }, inSession(session))])
    await stage.untilStored(session, 3)
  })
})

describe('views', () => {
  const vitals = { cumulative_layout_shift: 0.02, interaction_to_next_paint: 0 }

  test('start once and keep the final vitals, for any number and order of reports', async () => {
    const session = randomUUID()
    const about = inSession(session)
    const ended = { is_active: false, action: { count: 4 }, error: { count: 2 }, ...vitals, time_spent: 9e9 }
    await send([rumView(5, ended, about)])
    await send([rumView(2, { is_active: true, action: { count: 1 }, error: { count: 0 } }, about)])
    await send([rumView(7, { ...ended, cumulative_layout_shift: 0.5, error: { count: 3 } }, about)])
    const rows = await stage.untilStored(session, 4)
    // What changed after the end is reported again, with the revision of the view.
    expect(rows.map(({ kind, name, value }) => [kind, name, value]).sort()).toEqual([
      ['view', '', 0],
      ['vital', 'CLS', expect.closeTo(0.02)],
      ['vital', 'CLS', 0.5],
      ['vital', 'INP', 0],
    ])
    await expect.poll(() => viewsOf(session), patience).toMatchObject([{ rev: '7', errors: 3, active: 0 }])
    expect(rows.every(({ page }) => page === '/orders/:id')).toBe(true)
  })

  test('changes that precede their view wait for it, and lower no count', async () => {
    const session = randomUUID()
    const about = { ...inSession(session), service: undefined }
    const change = (version: number, view: object) => ({
      ...rumEvent('view_update', {}, { ...about, view, _dd: { document_version: version } }),
    })
    const before = totals().base_missing ?? 0
    expect((await send([change(3, { error: { count: 2 } })])).status).toBe(202)
    expect((await send([change(2, { error: { count: 1 }, action: { count: 6 } })])).status).toBe(202)
    expect(await viewsOf(session)).toEqual([])
    expect(totals().base_missing).toBe(before + 2)
    await send([rumView(1, { is_active: true, error: { count: 0 }, action: { count: 5 }, ...vitals }, about)])
    await expect.poll(() => viewsOf(session), patience).toMatchObject([{ rev: '3', errors: 2, actions: 6 }])
    await send([change(4, { interaction_to_next_paint: 48e6, cumulative_layout_shift: null })])
    await expect.poll(() => viewsOf(session), patience).toMatchObject([{ rev: '4', inp: 48, cls: null }])
  })

  test('a view that ended with a beacon is over, and so is one whose tab shows another view', async () => {
    const session = randomUUID()
    const about = inSession(session)
    const [first, second] = [randomUUID(), randomUUID()]
    const view = { is_active: true, ...vitals }
    const now = Date.now()
    await send([rumView(1, { id: first, ...view }, { ...about, date: now - 9_000 })])
    expect((await stage.untilStored(session, 1)).map(({ kind }) => kind)).toEqual(['view'])
    await send([rumView(1, { id: second, ...view }, { ...about, date: now - 1_000 })])
    expect((await stage.untilStored(session, 4)).filter(({ kind }) => kind === 'vital')).toMatchObject([
      { view_id: first },
      { view_id: first },
    ])
    await send([rumView(2, { id: second, ...view }, about)], { '_dd.api': 'beacon' })
    await stage.untilStored(session, 6)
  })
})

describe('clocks', () => {
  test("that are days off are corrected by the client's send time", async () => {
    const session = randomUUID()
    const ahead = 3 * 86_400_000
    const date = Date.now() + ahead - 5_000
    const about = { ...inSession(session), date }
    await send(
      [
        rumEvent('action', { type: 'click', target: { name: 'Pay' } }, about),
        rumEvent('action', { type: 'click', target: { name: 'never' } }, { ...about, date: Number.NaN }),
        rumEvent('action', { type: 'click', target: { name: 'long ago' } }, { ...about, date: 1 }),
      ],
      { batch_time: String(Date.now() + ahead) },
    )
    const [row] = await stage.untilStored(session, 1)
    const at = Date.parse(`${row?.ts}Z`.replace(' ', 'T'))
    expect(Math.abs(at - (Date.now() - 5_000))).toBeLessThan(20_000)
  })
})

test('an event has user, location and details: another action id, a cause, a fingerprint, a request without a response', async () => {
  const session = randomUUID()
  const [kept, spare] = [randomUUID(), randomUUID()]
  const about = {
    ...inSession(session),
    usr: { id: 7, email: 'mara@shop.example', plan: 'pro', anonymous_id: 'browser-9' },
    context: { tenant: 'acme', cart: { total: 3 } },
    ddtags: 'sdk_version:7.16.2,env:staging,service:web',
    action: { id: [spare, kept] },
    _dd: { configuration: { session_sample_rate: 25 } },
  }
  const stack =
    'CheckoutError: no\n  at pay @ https://shop.example/app.js:1:2\n  at <anonymous> @ https://shop.example/app.js:3:4'
  await send([
    rumEvent(
      'error',
      {
        message: 'no',
        type: 'CheckoutError',
        source: 'source',
        handling: 'unhandled',
        stack,
        fingerprint: 'checkout',
        causes: [
          {
            message: 'card',
            type: 'TypeError',
            stack: 'TypeError: card\n  at read @ https://shop.example/app.js:5:6',
          },
        ],
      },
      about,
    ),
    rumEvent(
      'resource',
      { type: 'fetch', url: 'https://api.shop.example/orders/9?x=1', status_code: 0, duration: 5e6 },
      about,
    ),
    rumEvent(
      'resource',
      { type: 'js', url: 'https://shop.example/app.js', duration: 5e6 },
      { ...about, _dd: { discarded: true } },
    ),
    rumEvent(
      'resource',
      {
        type: 'fetch',
        url: 'https://t.example/intake/datadog?ddforward=%2Fapi%2Fv2%2Fprofiling%2Fquota%3Fsession_id%3D1',
      },
      about,
    ),
    rumEvent(
      'vital',
      { type: 'operation_step', name: 'checkout', step_type: 'end', failure_reason: 'error' },
      about,
    ),
  ])
  const clicked = { id: kept, type: 'click', target: { name: 'Pay' }, frustration: { type: ['rage_click'] } }
  await send([rumEvent('action', clicked, { ...about, action: { ...clicked, loading_time: 12e6 } })])
  const rows = await stage.untilStored(session, 4)
  const of = (kind: string) => rows.find((row) => row.kind === kind)
  expect(of('action')).toMatchObject({ action_id: spare, frustration: ['rage'], duration: 12, name: 'Pay' })
  expect(of('error')).toMatchObject({
    action_id: spare,
    err_type: 'CheckoutError',
    err_handled: 0,
    user_key: '7',
    anonymous_id: 'browser-9',
    source: 'datadog',
    weight: 4,
    page: '/orders/:id',
    version: '1.2.3',
    service: 'web',
    err_stack: [
      'CheckoutError: no',
      '    at pay (https://shop.example/app.js:1:2)',
      '    at https://shop.example/app.js:3:4',
      'Caused by: TypeError: card',
      '    at read (https://shop.example/app.js:5:6)',
    ].join('\n'),
    attrs: {
      tenant: 'acme',
      'cart.total': '3',
      env: 'staging',
      'usr.plan': 'pro',
      'usr.email': '[email]',
      'error.fingerprint': 'checkout',
    },
  })
  expect(of('resource')).toMatchObject({
    res_failed: 1,
    res_endpoint: '/orders/:id',
    duration: 5,
    res_status: 0,
  })
  expect(of('custom')).toMatchObject({
    name: 'checkout',
    attrs: { 'datadog.type': 'operation_step', step_type: 'end' },
  })
})

test('with the A/A test on, events contain the half of their user, and the exposure is stored', async () => {
  const { telltale, owner, environment, read } = stage
  const turned = await telltale.request('PATCH', `${environments}/development`, {
    as: owner,
    body: { aaTest: true },
  })
  expect(turned.status).toBe(200)
  const unit = unitHash({ environment, attribute: 'targetingKey', value: 'divided' })
  const arm = aaTestArmOf(environment, 1, unit)
  // Programs are in no half.
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' }
  const reported = async () => {
    const session = randomUUID()
    const about = { ...inSession(session), usr: { anonymous_id: 'divided' } }
    const lines = [rumView(1, { is_active: true }, about), rumEvent('action', { type: 'click' }, about)]
    await sendRum(rumLines(lines), { url: telltale.url, key, headers })
    const rows = await stage.untilStored(session, lines.length)
    return JSON.stringify(
      rows.map(({ arms }) =>
        Object.values(Object(arms)).map((one) => Object.values(Object(one)).map(String)),
      ),
    )
  }
  // The intake learns of it after a moment.
  const own = ['0', '1', arm, unit]
  await expect.poll(reported, patience).toBe(JSON.stringify([[own], [own]]))
  const laid = () =>
    read(
      `SELECT epoch, arms FROM exposures FINAL WHERE environment_id = {environment:UUID} AND split = 0 AND unit = {unit:UInt64}`,
      { environment, unit },
    )
  await expect.poll(laid, patience).toEqual([{ epoch: 1, arms: [arm] }])
})

// Last, because it stops the server that the other tests use.
describe('views without further reports', () => {
  test('end after a timeout, also if the server was stopped meanwhile', async () => {
    const { telltale } = stage
    const session = randomUUID()
    const about = inSession(session)
    const view = { is_active: true, error: { count: 1 }, interaction_to_next_paint: 16e6 }
    await send([rumView(1, view, about)])
    await stage.untilStored(session, 1)
    await telltale.running.stop()
    const again = await startTelltale({
      again: { after: telltale, database: telltale.database },
      telemetry: true,
    })
    try {
      const change = rumEvent(
        'view_update',
        {},
        { ...about, view: { error: { count: 2 } }, _dd: { document_version: 2 } },
      )
      await sendRum(rumLines([change]), { url: again.url, key })
      const read = (text: string) => again.running.services.telemetry.read(text, { values: { session } })
      const states = () => read('SELECT rev, errors, inp FROM views FINAL WHERE session_id = {session:UUID}')
      await expect.poll(states, patience).toEqual([{ rev: '2', errors: 2, inp: 16 }])
      again.passTime(16 * 60_000)
      const vitals = () =>
        read("SELECT name, value FROM events WHERE session_id = {session:UUID} AND kind != 'view'")
      await expect.poll(vitals, patience).toEqual([{ name: 'INP', value: 16 }])
    } finally {
      await again[Symbol.asyncDispose]()
    }
  })
})
