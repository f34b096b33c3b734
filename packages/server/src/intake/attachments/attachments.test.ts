// Segments, profiles and assets on the real engine: stored once and unchanged, and errors are reported.

import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { magic } from '@telltale/core/telemetry/replay/codes'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  framed,
  hashOf,
  profile,
  segment,
  sendAttachment,
  someTables,
} from '../../../../../test/intake/attachments.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import type { Line } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage
let key: string
const patience = { timeout: 20_000, interval: 50 }

beforeAll(async () => {
  stage = await openIntakeStage({ TELLTALE_REPLAY_SESSION_SIZE: '20000', TELLTALE_INTAKE_QUOTA: '20000000' })
  key = await sampleEverything(stage)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const send = (kind: 'replay' | 'profile' | 'asset', body: Uint8Array, more: Record<string, string> = {}) => {
  const { encoding, ...query } = more
  return sendAttachment(stage.telltale.url, {
    kind,
    body,
    key,
    query,
    headers: encoding ? { 'content-encoding': encoding } : {},
  })
}
const header = (about: Line) => segment({ about })
const rowsOf = (session: string, table = 'replay_segments', order = 'tab_id, seq') =>
  stage.read<Line>(
    `SELECT * EXCEPT body, base64Encode(body) AS body FROM ${table} WHERE session_id = {session:UUID} ORDER BY ${order}`,
    { session },
  )

test('a segment is stored unchanged, once, and two tabs never collide', async () => {
  const [session, tab, other, asset] = [newId(), newId(), newId(), newId()]
  const records = [
    { type: 4, data: { href: 'https://shop.example' }, timestamp: 1 },
    { type: 2, data: {}, timestamp: 2 },
  ]
  const first = segment({ session, tab, records, assets: [asset, asset], context: { anonymousId: 'anna' } })
  const id = newId()
  expect((await send('replay', first, { batch: id })).body).toEqual({ accepted: 1, dropped: [] })
  for (const batch of [id, newId()]) {
    expect((await send('replay', first, { batch })).body).toEqual({
      accepted: 0,
      repeated: true,
      dropped: [],
    })
  }
  await Promise.all([1, 2].map((index) => send('replay', segment({ session, tab, index }))))
  await send('replay', segment({ session, tab: other }))
  await expect.poll(async () => (await rowsOf(session)).length, patience).toBe(4)

  const rows = await rowsOf(session)
  expect(rows.filter(({ tab_id }) => tab_id === tab).map(({ seq }) => seq)).toEqual([0, 1, 2])
  expect(rows.find(({ segment_id }) => segment_id === id)).toMatchObject({
    environment_id: stage.environment,
    tab_id: tab,
    seq: 0,
    format: 'rrweb-2',
    enc: 'gzip',
    records: 2,
    full_snapshot: 1,
    assets: [asset],
    bytes: first.length - first.indexOf(10) - 1,
    user_hash: unitHash({ environment: stage.environment, attribute: 'targetingKey', value: 'anna' }),
    body: first.subarray(first.indexOf(10) + 1).toString('base64'),
  })
})

test('a binary segment is stored unchanged when it begins with the mark of its format', async () => {
  const session = newId()
  const first = segment({ session, bytes: Buffer.from([...magic, 1, 0]), about: { records: 700 } })
  expect((await send('replay', first)).body).toEqual({ accepted: 1, dropped: [] })
  await expect.poll(() => rowsOf(session), patience).toHaveLength(1)
  const [row] = await rowsOf(session)
  expect(row).toMatchObject({ format: 'telltale-replay-1', records: 700 })
  expect(row?.body).toBe(first.subarray(first.indexOf(10) + 1).toString('base64'))
  for (const bytes of [[...magic.slice(0, 3), 9], magic.slice(0, 3), []]) {
    const { body } = await send('replay', segment({ bytes: Buffer.from(bytes) }))
    expect(body).toEqual({ accepted: 0, dropped: [{ reason: 'malformed', count: 1 }] })
  }
})

test('inconsistent metadata of a segment is rejected with the reason', async () => {
  const gzipped = gzipSync('{}\n')
  const refusals: [Uint8Array, number, string][] = [
    [Buffer.from('no newline'), 400, 'malformed-body'],
    [framed('not json', gzipped), 400, 'malformed-body'],
    [framed({ context: {} }, gzipped), 400, 'invalid-request'],
    [header({ format: 'rrweb-9' }), 400, 'invalid-request'],
    [header({ index: -1 }), 400, 'invalid-request'],
    [header({ records: 0 }), 400, 'invalid-request'],
    [segment().subarray(0, -4), 400, 'malformed-body'],
    [
      Buffer.concat([segment().subarray(0, segment().indexOf(10) + 1), deflateRawSync('x')]),
      400,
      'malformed-body',
    ],
    [segment().subarray(0, segment().indexOf(10) + 1), 400, 'malformed-body'],
    [segment({ context: { session: 'x' } }), 400, 'invalid-request'],
    [Buffer.alloc(5 * 1024 * 1024, 'x'), 413, 'payload-too-large'],
  ]
  for (const [body, status, code] of refusals) {
    const answer = await send('replay', body)
    expect([answer.status, answer.body.type?.split('/').at(-1)]).toEqual([status, code])
  }
  expect((await send('replay', segment(), { encoding: 'gzip' })).status).toBe(415)
  const bomb = framed({}, Buffer.alloc(0))
  expect((await send('replay', bomb)).status).toBe(400)
})

test('too long, corrupt and too compressible bodies are rejected', async () => {
  const whole = segment()
  const end = whole.indexOf(10) + 1
  const twoPieces = Buffer.concat([whole, gzipSync('{"a":1}\n').subarray(0, -3)])
  const flipped = Buffer.from(whole)
  flipped[end + 12] = (flipped[end + 12] ?? 0) ^ 0xff
  const sampled = profile()
  const bomb = Buffer.concat([
    sampled.subarray(0, sampled.indexOf(10) + 1),
    gzipSync(Buffer.alloc(9 * 1024 * 1024, '\n')),
  ])
  const refusals: ['replay' | 'profile', Uint8Array, number, string][] = [
    ['replay', segment({ context: { url: 'a'.repeat(70_000) } }), 400, 'malformed-body'],
    ['profile', profile({}, { context: { url: 'a'.repeat(70_000) } }), 400, 'malformed-body'],
    ['replay', header({ assets: Array.from({ length: 501 }, () => newId()) }), 400, 'invalid-request'],
    ['replay', twoPieces, 400, 'malformed-body'],
    ['replay', flipped, 400, 'malformed-body'],
    ['profile', bomb, 413, 'payload-too-large'],
  ]
  for (const [kind, body, status, code] of refusals) {
    const answer = await send(kind, body)
    expect([answer.status, answer.body.type?.split('/').at(-1)]).toEqual([status, code])
  }
})

test('the first bytes of a number win, whatever is sent later in any order', async () => {
  const [session, tab] = [newId(), newId()]
  const first = segment({ session, tab, index: 3, records: [{ text: 'the first' }] })
  expect((await send('replay', first)).body.accepted).toBe(1)
  const other = segment({ session, tab, index: 3, records: [{ text: 'another' }] })
  expect((await send('replay', other)).body).toMatchObject({ accepted: 0, repeated: true })
  for (const index of [7, 0]) await send('replay', segment({ session, tab, index, full: false }))
  await expect.poll(async () => (await rowsOf(session)).length, patience).toBe(3)
  const rows = await rowsOf(session)
  expect(rows.map(({ seq, full_snapshot }) => [seq, full_snapshot])).toEqual([
    [0, 0],
    [3, 0],
    [7, 0],
  ])
  expect(rows[1]?.body).toBe(first.subarray(first.indexOf(10) + 1).toString('base64'))
})

test('a segment that cannot be stored is dropped with its reason', async () => {
  const day = 86_400_000
  const drops: [Uint8Array, string][] = [
    [segment({ startedAt: Date.now() - 3 * day }), 'timestamp_out_of_range'],
    [segment({ startedAt: Date.now() + day }), 'timestamp_out_of_range'],
    [segment({ about: { endedAt: 5 } }), 'invalid'],
    [segment({ context: { tab: undefined } }), 'invalid'],
    [segment({ about: { records: 7 } }), 'malformed'],
  ]
  for (const [body, reason] of drops) {
    expect((await send('replay', body)).body).toEqual({ accepted: 0, dropped: [{ reason, count: 1 }] })
  }
})

test('a full session is closed for more segments, others are not', async () => {
  const [session, tab] = [newId(), newId()]
  const noise = () => Array.from({ length: 1_000 }, () => ({ text: newId() }))
  const reasons: string[] = []
  for (let index = 0; index < 4; index++) {
    const { body } = await send('replay', segment({ session, tab, index, records: noise() }))
    reasons.push(body.dropped[0]?.reason ?? 'accepted')
  }
  expect(reasons[0]).toBe('accepted')
  expect(reasons.at(-1)).toBe('session_full')
  expect((await send('replay', segment())).body.accepted).toBe(1)
})

test('the same segment, profile or asset sent twenty times concurrently is stored once', async () => {
  const sheet = Buffer.from(`.a { content: "${newId()}" }`)
  const session = newId()
  const sent = [
    ['replay', segment({ session }), undefined],
    ['profile', profile({}, { context: { session } }), undefined],
    ['asset', sheet, { hash: hashOf(sheet), type: 'text/css' }],
  ] as const
  for (const [kind, body, query] of sent) {
    const twenty = Array.from({ length: 20 }, () => send(kind, body, query))
    const receipts = await Promise.all(twenty)
    expect(receipts.map(({ status }) => status)).toEqual(twenty.map(() => 202))
    expect(receipts.filter(({ body: receipt }) => receipt.accepted === 1)).toHaveLength(1)
    expect(receipts.filter(({ body: receipt }) => receipt.repeated)).toHaveLength(19)
  }
})

test('recordings and profiles count for the daily quota by their unpacked size', async () => {
  const staging = await stage.clientKey('staging')
  await stage.telltale.request('PATCH', '/api/v1/projects/shop/environments/staging', {
    as: stage.owner,
    body: { sampling: { replay: 100, profile: 100 } },
  })
  const to = (kind: 'replay' | 'profile', body: Uint8Array) =>
    sendAttachment(stage.telltale.url, { kind, body, key: staging })
  await expect.poll(async () => (await to('profile', profile())).body.accepted, patience).toBe(1)
  const large = () => segment({ records: [{ type: 3, data: { text: 'x'.repeat(8_000_000) }, timestamp: 1 }] })
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) statuses.push((await to('replay', large())).status)
  expect(statuses).toEqual([202, 202, 202, 429])
  const refused = await to('profile', profile())
  expect(refused).toMatchObject({ status: 429, body: { type: '/errors/quota-exceeded' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // Another environment has its own daily quota.
  expect((await send('profile', profile())).body.accepted).toBe(1)
})

test('URLs in a recording are scrubbed, the rest is unchanged', async () => {
  const production = await stage.clientKey('production')
  await stage.telltale.request('PATCH', '/api/v1/projects/shop/environments/production', {
    as: stage.owner,
    body: {
      sampling: { replay: 100 },
      scrub: { parameters: ['voucher'], attributes: [], expressions: ['cust-[0-9]+'] },
    },
  })
  const records = [
    { type: 4, data: { href: 'https://shop.example/cust-4711?voucher=free&page=2', width: 9 }, timestamp: 1 },
    { type: 3, data: { text: 'cust-4711', href: 'cust-4711' }, timestamp: 2 },
  ]
  const bodyOf = async () => {
    const session = newId()
    const body = segment({ session, records })
    const sent = await sendAttachment(stage.telltale.url, { kind: 'replay', body, key: production })
    if (sent.body.accepted !== 1) return []
    await expect.poll(async () => (await rowsOf(session)).length, patience).toBe(1)
    const [row] = await rowsOf(session)
    const text = gunzipSync(Buffer.from(`${row?.body}`, 'base64')).toString()
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  await expect
    .poll(bodyOf, patience)
    .toEqual([
      { ...records[0], data: { href: 'https://shop.example/[hidden]?voucher=[hidden]&page=2', width: 9 } },
      records[1],
    ])
})

test('an environment without recording accepts none', async () => {
  const production = await stage.clientKey('production')
  await stage.telltale.request('PATCH', '/api/v1/projects/shop/environments/production', {
    as: stage.owner,
    body: { sampling: { replay: 0, profile: 0 } },
  })
  const reasonOf = async (kind: 'replay' | 'profile', body: Uint8Array) =>
    (await sendAttachment(stage.telltale.url, { kind, body, key: production })).body.dropped[0]?.reason
  await expect
    .poll(() => reasonOf('replay', segment({ about: { reason: 'error' } })), patience)
    .toBe('sampled_out')
  expect(await reasonOf('profile', profile())).toBe('sampled_out')
})

test('an asset must match its hash, and is stored once', async () => {
  const css = Buffer.from('.card{color:red}\n'.repeat(200))
  const hash = hashOf(css)
  const query = { hash, type: 'text/css' }
  expect((await send('asset', gzipSync(css), query)).body).toEqual({ accepted: 1, dropped: [] })
  expect((await send('asset', css, query)).body).toMatchObject({ repeated: true })
  const stored = () =>
    stage.read<Line>('SELECT mime, bytes, body FROM replay_assets WHERE hash = {hash:UUID}', { hash })
  await expect.poll(async () => (await stored()).length, patience).toBe(1)
  expect(await stored()).toEqual([{ mime: 'text/css', bytes: css.length, body: css.toString() }])

  expect((await send('asset', css, { ...query, hash: newId() })).status).toBe(400)
  expect((await send('asset', css, { ...query, type: 'text/html' })).status).toBe(400)
  expect((await send('asset', css, { ...query, type: 'font/woff2' })).body.dropped).toEqual([
    { reason: 'invalid', count: 1 },
  ])
  const large = Buffer.alloc(3 * 1024 * 1024)
  expect((await send('asset', gzipSync(large), { hash: hashOf(large), type: 'text/css' })).status).toBe(413)
})

test('a profile is aggregated to self time by stack, and stored', async () => {
  const session = newId()
  const read = { flag: 'checkout', variation: 'new', split: '7', epoch: 2, by: 'targetingKey', unit: 'mara' }
  const body = profile({}, { context: { session, reads: [read], version: '1.2.3', sessionUserKey: 'mara' } })
  expect((await send('profile', body)).body).toEqual({ accepted: 1, dropped: [] })
  expect((await send('profile', body)).body).toMatchObject({ repeated: true })
  const rows = () =>
    stage.read<Line>(`SELECT * FROM profile_rows WHERE session_id = {session:UUID} ORDER BY self_ms DESC`, {
      session,
    })
  await expect.poll(async () => (await rows()).length, patience).toBe(3)
  const found = await rows()
  expect(found.map(({ self_ms, samples }) => [self_ms, samples])).toEqual([
    [20, 2],
    [10, 1],
    [10, 1],
  ])
  const [hot] = found
  expect(hot).toMatchObject({ page: '/cart', version: '1.2.3', flags: ['checkout=new'], weight: 1 })
  const frames = () =>
    stage.read<Line>(
      'SELECT frames FROM profile_stacks FINAL WHERE environment_id = {environment:UUID} AND stack = {stack:UInt64}',
      {
        environment: stage.environment,
        stack: hot?.stack,
      },
    )
  await expect.poll(frames, patience).toEqual([
    {
      frames: [
        'main\thttps://shop.example/app.js\t1\t1',
        'load\thttps://shop.example/app.js\t10\t3',
        'hot\thttps://shop.example/app.js\t20\t5',
      ],
    },
  ])
  await expect
    .poll(async () => (await rowsOf(session, 'profile_blobs', 'profile_id')).length, patience)
    .toBe(1)
  expect((await rowsOf(session, 'profile_blobs', 'profile_id'))[0]).toMatchObject({
    duration_ms: 5_000,
    enc: 'gzip',
    body: body.subarray(body.indexOf(10) + 1).toString('base64'),
  })
})

test('a profile with inconsistent tables is dropped', async () => {
  const broken: unknown[] = [
    'x',
    { ...someTables, frames: [99, 1, 1, 1] },
    { ...someTables, frames: [0, 1, 1] },
    { ...someTables, stacks: [0, 3, 0, 0] },
    { ...someTables, stacks: [9, -1] },
    { ...someTables, samples: [10, 99] },
    { ...someTables, samples: [10] },
    { ...someTables, texts: [1] },
  ]
  for (const tables of broken) {
    expect((await send('profile', profile({}, { tables }))).body).toEqual({
      accepted: 0,
      dropped: [{ reason: 'malformed', count: 1 }],
    })
  }
  expect((await send('profile', profile({ duration: 3_600_000 }))).status).toBe(400)
})
