// Events from browsers on the real engine: stored as intended in every encoding, and never twice.

import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { v7 as newId, v4 as newRandomId } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines, views, zipped } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe('one of each kind', () => {
  const session = newId()
  const ids = { tab: newId(), view: newId(), action: newId() }
  const reads = [
    {
      flag: 'checkout',
      variation: 'new',
      split: '18446744073709551615',
      epoch: 3,
      by: 'targetingKey',
      unit: 'mara',
    },
    { flag: 'banner', variation: 'off' },
  ]

  test('arrives in the tables as intended', async () => {
    const lines = [
      context({
        session,
        ...ids,
        action: undefined,
        sessionUserKey: 'mara',
        userKey: 'mara',
        reads,
        version: '1.2.3',
        weight: 4,
        attributes: { plan: 'pro' },
      }),
      event('view', { name: 'load' }),
      event('vital', { name: 'LCP', value: 1234.5, target: 'main > img' }),
      event('action', { name: 'Pay', target: 'button', action: ids.action, frustration: ['rage', 'rage'] }),
      event('resource', {
        type: 'fetch',
        url: 'https://api.shop.example/orders/8121?q=1',
        method: 'get',
        status: 503,
        size: 12,
        duration: 81,
      }),
      event('error', {
        source: 'uncaught',
        type: 'TypeError',
        message: 'no mara@shop.example',
        stack: 'TypeError\n    at pay (https://shop.example/app.js?x=1:1:2)',
        handled: false,
      }),
      event('long_frame', {
        duration: 120,
        blocking: 60,
        scripts: [{ source: 'https://shop.example/app.js?x', function: 'pay', ms: 90 }],
      }),
      event('custom', { name: 'bought', value: 3, attributes: { plan: 'free', items: 2 } }),
      event('exposure', { flag: 'checkout' }),
      event('view_state', {
        rev: 1,
        startedAt: Date.now() - 5_000,
        duration: 5_000,
        active: true,
        vitals: { LCP: 1234.5 },
        actions: 1,
        resources: 70_000,
        errors: 1,
        longFrames: 1,
        frustrations: 1,
      }),
    ]
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
    const answer = await stage.post(zipped(lines), { headers: { 'user-agent': userAgent } })
    expect(answer).toMatchObject({ status: 202, body: { accepted: 9, dropped: [] } })

    const rows = await stage.untilStored(session, 8)
    const of = (kind: string) => rows.find((row) => row.kind === kind)
    const unit = unitHash({ environment: stage.environment, attribute: 'targetingKey', value: 'mara' })
    const arms = [['18446744073709551615', 3, 'new', unit]]
    for (const row of rows) {
      expect(row).toMatchObject({
        environment_id: stage.environment,
        anonymous_id: 'anonymous-1',
        user_key: 'mara',
        user_hash: unit,
        weight: 4,
        bot: 0,
        version: '1.2.3',
        page: '/cart/:id',
        url: 'https://shop.example/cart/17',
        browser: 'Safari',
        browser_version: '17',
        os: 'iOS',
        device: 'mobile',
        flags: ['checkout=new', 'banner=off'],
        source: 'telltale',
      })
      expect(Object.values((row.arms as object[])[0] ?? {})).toEqual(arms[0])
    }
    expect(of('view')).toMatchObject({ name: 'load', attrs: { plan: 'pro' } })
    expect(of('vital')).toMatchObject({ name: 'LCP', value: 1234.5, target: 'main > img' })
    expect(of('action')).toMatchObject({ name: 'Pay', action_id: ids.action, frustration: ['rage'] })
    expect(of('resource')).toMatchObject({
      res_type: 'fetch',
      res_method: 'GET',
      res_host: 'api.shop.example',
      res_endpoint: '/orders/:id',
      res_status: 503,
      res_failed: 1,
      target: 'https://api.shop.example/orders/8121',
    })
    expect(of('error')).toMatchObject({
      err_type: 'TypeError',
      err_message: 'no [email]',
      err_handled: 0,
      name: 'uncaught',
      err_stack: 'TypeError\n    at pay (https://shop.example/app.js:1:2)',
    })
    expect(of('error')?.err_group).not.toBe('0')
    expect(of('long_frame')).toMatchObject({ blocking: 60, duration: 120 })
    expect(of('custom')).toMatchObject({ name: 'bought', value: 3, attrs: { plan: 'free', items: '2' } })
    expect(of('exposure')).toMatchObject({ name: 'checkout' })
    const states = () =>
      stage.read<Line>('SELECT * FROM views WHERE session_id = {session:UUID}', { session })
    await expect.poll(async () => (await states()).length, { timeout: 20_000 }).toBe(1)
    expect((await states())[0]).toMatchObject({
      view_id: ids.view,
      rev: '1',
      lcp: 1234.5,
      inp: null,
      resources: 65_535,
      active: 1,
      page: '/cart/:id',
    })
    const exposures = () => stage.read('SELECT * FROM exposures WHERE unit = {unit:UInt64}', { unit })
    await expect.poll(async () => (await exposures()).length, { timeout: 20_000 }).toBe(1)
  })

  test('is listed, newest first, page by page', async () => {
    const path = `${environments}/development/events?session=${session}&limit=5`
    const first = await stage.telltale.request('GET', path, { as: stage.owner })
    expect(first.body.items).toHaveLength(5)
    const second = await stage.telltale.request('GET', `${path}&cursor=${first.body.next}`, {
      as: stage.owner,
    })
    expect(second.body).toMatchObject({ next: null })
    const items = [...first.body.items, ...second.body.items]
    expect(new Set(items.map(({ id }) => id)).size).toBe(8)
    expect(items.map(({ at }) => at)).toEqual(
      items
        .map(({ at }) => at)
        .sort()
        .reverse(),
    )
    const errors = await stage.telltale.request('GET', `${path}&kind=error&user=mara`, { as: stage.owner })
    expect(errors.body.items).toMatchObject([{ kind: 'error', errorMessage: 'no [email]', failed: false }])
    expect(
      (await stage.telltale.request('GET', `${path}&cursor=eyJhZnRlciI6IngifQ`, { as: stage.owner })).status,
    ).toBe(400)
  })
})

describe('a body is read in any format', () => {
  const codings: [string, (text: string) => Uint8Array | string, Record<string, string>][] = [
    ['plain, as a beacon sends it', (text) => text, { 'content-type': 'text/plain;charset=UTF-8' }],
    ['gzip, named', gzipSync, { 'content-encoding': 'gzip' }],
    ['gzip, not named', gzipSync, {}],
    ['deflate, named', deflateSync, { 'content-encoding': 'deflate' }],
    ['deflate, not named', deflateSync, {}],
    ['deflate without its header', deflateRawSync, { 'content-encoding': 'deflate' }],
    ['with a byte order mark', (text) => `\uFEFF${text}`, {}],
  ]
  test.each(codings)('%s', async (_name, pack, headers) => {
    const lines = [context(), ...views(3)]
    expect(await stage.post(pack(toLines(lines)), { headers })).toMatchObject({
      status: 202,
      body: { accepted: 3 },
    })
    await stage.untilStored(lines[0]?.session, 3)
  })

  test('one JSON array', async () => {
    const lines = [context({ page: 'a "],[{ page' }), ...views(3)]
    expect((await stage.post(JSON.stringify(lines, null, 2))).body).toEqual({ accepted: 3, dropped: [] })
    await stage.untilStored(lines[0]?.session, 3)
  })
})

describe('a repeated batch', () => {
  test('gets the same response and is stored once', async () => {
    const batch = newId()
    const own = context()
    const body = zipped([own, ...views(4)])
    const answers = await Promise.all([
      stage.post(body, { batch }),
      stage.post(body, { batch }),
      stage.post(body, { batch }),
    ])
    answers.push(await stage.post(body, { batch }))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(answers.filter(({ body: receipt }) => receipt.repeated)).toHaveLength(3)
    await stage.untilStored(own.session, 4)
  })

  test('is recognized by its bytes without an id', async () => {
    const own = context()
    const lines = toLines([own, ...views(2)])
    const query = new URLSearchParams({ key: await stage.clientKey('development') })
    const again = (body: string | Uint8Array) =>
      fetch(`${stage.telltale.url}/intake/v1/events?${query}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : new Uint8Array(body),
      })
    expect(await (await again(lines)).json()).toEqual({ accepted: 2, dropped: [] })
    expect(await (await again(gzipSync(lines))).json()).toMatchObject({ repeated: true })
  })

  test('is another batch in another environment: stage.environment, and of no UUID is refused', async () => {
    const batch = newRandomId()
    const body = toLines([context(), ...views(1)])
    expect((await stage.post(body, { batch })).body).toEqual({ accepted: 1, dropped: [] })
    const other = await stage.post(body, { batch, key: await stage.clientKey('production') })
    expect(other.body).toEqual({ accepted: 1, dropped: [] })
    expect((await stage.post(body, { batch: 'x' })).status).toBe(400)
  })
})

test('shared fields cannot expand a batch beyond its limit', async () => {
  const reads = Array.from({ length: 2_500 }, (_, index) => ({
    flag: `flag-${index}`,
    variation: 'a'.repeat(60),
  }))
  const answer = await stage.post(zipped([context({ reads }), ...views(1_000)]))
  expect(answer.status).toBe(202)
  expect(answer.body.dropped).toEqual([{ reason: 'too_many', count: 1_000 - answer.body.accepted }])
})

test('bots are stored and marked', async () => {
  const own = context()
  await stage.post(toLines([own, ...views(1)]), {
    headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  })
  expect(await stage.untilStored(own.session, 1)).toMatchObject([{ bot: 1 }])
})

test('events sent with a server key ignore the user agent, and bots can be included', async () => {
  const { body } = await stage.telltale.request('POST', `${environments}/development/keys`, {
    as: stage.owner,
    body: { kind: 'server', label: 'orders' },
  })
  for (const agent of ['node', 'curl/8.5.0', 'python-requests/2.32.3', 'Googlebot/2.1']) {
    const own = context()
    const answer = await stage.post(toLines([own, event('custom', { name: 'order' })]), {
      key: body.value ?? body.key,
      headers: { 'user-agent': agent },
    })
    expect(answer.status).toBe(202)
    expect(await stage.untilStored(own.session, 1)).toMatchObject([{ bot: 0 }])
  }
  const robot = context()
  await stage.post(toLines([robot, ...views(1)]), { headers: { 'user-agent': 'Googlebot/2.1' } })
  await stage.untilStored(robot.session, 1)
  const { facets } = (
    await stage.telltale.request(
      'GET',
      `${environments}/development/explore/facets?fields=kind&filter=bot:true%20session:${robot.session}&from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`,
      { as: stage.owner },
    )
  ).body
  expect(facets[0].values).toEqual([{ value: 'view', count: 1 }])
})

test('the environment samples down, with the weight', async () => {
  await stage.telltale.request('PATCH', `${environments}/staging`, {
    as: stage.owner,
    body: { allowedOrigins: [], sampling: { session: 50, replay: 0, profile: 0 } },
  })
  const staging = await stage.clientKey('staging')
  const low = context({ session: '0198a2c4-0000-7000-8000-000000000001' })
  const high = context({ session: '0198a2c4-0000-7000-8000-0000ffffffff' })
  await expect
    .poll(async () => (await stage.post(toLines([high, ...views(1)]), { key: staging })).body.dropped, {
      timeout: 20_000,
    })
    .toEqual([{ reason: 'sampled_out', count: 1 }])
  expect((await stage.post(toLines([low, ...views(1)]), { key: staging })).body.accepted).toBe(1)
  expect(await stage.untilStored(low.session, 1)).toMatchObject([{ weight: 2 }])
})

test('dropped events are listed with reasons', async () => {
  const batch = newId()
  const body = toLines([context(), event('teleport'), event('view', { at: 1 }), ...views(1)])
  await stage.post(body, { batch })
  await stage.post(body, { batch })
  await stage.telltale.running.services.intake.outcomes.flush()
  const outcomes = async () => {
    const { body } = await stage.telltale.request('GET', `${environments}/development/intake/outcomes`, {
      as: stage.owner,
    })
    return body.outcomes.map(({ kind, reason }: { kind: string; reason: string }) => `${kind} ${reason}`)
  }
  await expect.poll(outcomes, { timeout: 20_000 }).toContain('unknown unknown_kind')
  await expect.poll(outcomes, { timeout: 20_000 }).toContain('batch repeated')
  expect(await outcomes()).toEqual(expect.arrayContaining(['view accepted', 'view timestamp_out_of_range']))
  const metrics = await stage.telltale.request('GET', '/metrics')
  expect(metrics.body).toMatch(/telltale_intake_events_total\{outcome="unknown_kind"\} 1/)
  expect(metrics.body).toMatch(/telltale_intake_spool_bytes \d/)
})
