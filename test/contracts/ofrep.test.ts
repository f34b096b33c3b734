// OFREP with OpenFeature's own client, and the parts of the protocol that it does not show.

import { OFREPProvider } from '@openfeature/ofrep-provider'
import { type Client, ErrorCode, OpenFeature } from '@openfeature/server-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../start.ts'
import { always, createKey, halves, type Place, placeOf, type SomeFlag, saveFlag } from './flags.ts'

const flags: SomeFlag[] = [
  { key: 'new-menu', valueType: 'boolean', values: { on: true, off: false }, config: always('on') },
  {
    key: 'banner',
    valueType: 'string',
    values: { hello: 'Hello', vip: 'Dear friend' },
    config: {
      fallthrough: { variation: 'hello' },
      rules: [
        {
          id: '0190a1c0-0000-7000-8000-000000000001',
          description: '',
          when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'vip' }] },
          serve: { variation: 'vip' },
        },
      ],
    },
  },
  { key: 'page-size', valueType: 'number', values: { some: 20 }, config: always('some') },
  {
    key: 'theme',
    valueType: 'json',
    values: { dark: { mode: 'dark', hues: [1, 2] } },
    config: always('dark'),
  },
  {
    key: 'closed',
    valueType: 'boolean',
    values: { on: true, off: false },
    config: { ...always('on'), enabled: false },
  },
  { key: 'half', valueType: 'string', values: { a: 'A', b: 'B' }, config: { fallthrough: halves('a', 'b') } },
  {
    key: 'secret',
    valueType: 'boolean',
    values: { on: true, off: false },
    hidden: true,
    config: always('on'),
  },
]

let telltale: Telltale
let place: Place
let serverKey: string
let clientKey: string
let strangerKey: string

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  await telltale.project('other')
  place = await placeOf(telltale, 'shop', 'production')
  for (const flag of flags) await saveFlag(telltale, place, flag)
  serverKey = (await createKey(telltale, 'server')).value
  clientKey = (await createKey(telltale, 'client')).value
  strangerKey = (await createKey(telltale, 'server', { project: 'other' })).value
})

afterAll(async () => {
  await OpenFeature.close()
  await telltale?.[Symbol.asyncDispose]()
})

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const bulk = (key: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  telltale.request('POST', '/ofrep/v1/evaluate/flags', { body, headers: { ...bearer(key), ...headers } })
const single = (key: string, flag: string, body: unknown = {}) =>
  telltale.request('POST', `/ofrep/v1/evaluate/flags/${flag}`, { body, headers: bearer(key) })

async function clientFor(key: string, domain: string): Promise<Client> {
  const provider = new OFREPProvider({ baseUrl: telltale.url, headers: [['Authorization', `Bearer ${key}`]] })
  await OpenFeature.setProviderAndWait(domain, provider)
  return OpenFeature.getClient(domain)
}

describe("OpenFeature's server SDK", () => {
  let client: Client
  beforeAll(async () => {
    client = await clientFor(serverKey, 'server')
  })

  test('gets values of every type, with variant, reason and metadata', async () => {
    expect(await client.getBooleanDetails('new-menu', false)).toMatchObject({
      value: true,
      variant: 'on',
      reason: 'STATIC',
      flagMetadata: { flagSetId: 'production', version: '1', valueType: 'boolean' },
    })
    expect(await client.getNumberDetails('page-size', 0)).toMatchObject({
      value: 20,
      flagMetadata: { valueType: 'number' },
    })
    expect(await client.getObjectDetails('theme', {})).toMatchObject({
      value: { mode: 'dark', hues: [1, 2] },
      flagMetadata: { valueType: 'json' },
    })
    expect(await client.getStringDetails('banner', '')).toMatchObject({ value: 'Hello', reason: 'DEFAULT' })
    expect(await client.getStringDetails('banner', '', { plan: 'vip' })).toMatchObject({
      value: 'Dear friend',
      reason: 'TARGETING_MATCH',
      flagMetadata: { ruleId: '0190a1c0-0000-7000-8000-000000000001' },
    })
    expect(await client.getBooleanDetails('closed', true)).toMatchObject({ value: false, reason: 'DISABLED' })
  })

  test('gets split, epoch and unit of a bucketed variation, consistently', async () => {
    const first = await client.getStringDetails('half', '', { targetingKey: 'user-1' })
    expect(first).toMatchObject({
      reason: 'SPLIT',
      flagMetadata: { split: '7', epoch: 3, unit: 'targetingKey' },
    })
    expect(await client.getStringValue('half', '', { targetingKey: 'user-1' })).toBe(first.value)
  })

  test('gets the reason for a missing value', async () => {
    expect(await client.getBooleanDetails('nowhere', true)).toMatchObject({
      value: true,
      errorCode: ErrorCode.FLAG_NOT_FOUND,
    })
    expect(await client.getStringDetails('half', 'C')).toMatchObject({
      value: 'C',
      errorCode: ErrorCode.TARGETING_KEY_MISSING,
    })
    expect(await client.getStringDetails('new-menu', 'C')).toMatchObject({
      value: 'C',
      errorCode: ErrorCode.TYPE_MISMATCH,
    })
  })

  test('uses its defaults with an invalid key', async () => {
    const stranger = await clientFor('ser.wrong', 'wrong')
    expect(await stranger.getBooleanDetails('new-menu', false)).toMatchObject({
      value: false,
      errorCode: ErrorCode.GENERAL,
    })
  })
})

describe('one flag', () => {
  test("a failure names the flag and an error code, with the contract's status", async () => {
    const cases: [string, unknown, number, string][] = [
      ['nowhere', {}, 404, 'FLAG_NOT_FOUND'],
      ['half', {}, 400, 'TARGETING_KEY_MISSING'],
      ['new-menu', '{', 400, 'PARSE_ERROR'],
      ['new-menu', { context: [] }, 400, 'INVALID_CONTEXT'],
      ['new-menu', { context: 'me' }, 400, 'INVALID_CONTEXT'],
      ['new-menu', [], 400, 'INVALID_CONTEXT'],
      ['new-menu', { context: { targetingKey: {} } }, 400, 'INVALID_CONTEXT'],
    ]
    for (const [flag, body, status, errorCode] of cases) {
      const answer = await single(serverKey, flag, body)
      expect([answer.status, answer.body.key, answer.body.errorCode]).toEqual([status, flag, errorCode])
    }
  })

  test('a key may be percent-encoded, and the base URL may end in a slash', async () => {
    const path = '//ofrep/v1/evaluate/flags/new%2Dmenu'
    expect((await telltale.request('POST', path, { headers: { 'x-api-key': serverKey } })).body.value).toBe(
      true,
    )
  })
})

describe('all flags', () => {
  test('are returned in the order of keys, including failures', async () => {
    const { status, body } = await bulk(serverKey)
    expect(status).toBe(200)
    expect(body.flags.map((flag: { key: string }) => flag.key)).toEqual(flags.map(({ key }) => key).sort())
    expect(body.flags).toContainEqual(
      expect.objectContaining({ key: 'half', errorCode: 'TARGETING_KEY_MISSING' }),
    )
    expect(body.metadata).toMatchObject({ flagSetId: 'production', version: expect.any(String) })
    expect(JSON.stringify(body.eventStreams)).not.toContain(serverKey)
  })

  test('an unchanged request gets 304; another context of the same user does not', async () => {
    const context = { targetingKey: 'user-1', plan: 'free' }
    const first = await bulk(clientKey, { context })
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"\S+"$/)

    const again = await bulk(clientKey, { context }, { 'if-none-match': tag })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', tag])
    expect((await bulk(clientKey, { context }, { 'if-none-match': `W/${tag}` })).status).toBe(304)

    const other = await bulk(clientKey, { context: { ...context, plan: 'vip' } }, { 'if-none-match': tag })
    expect(other.status).toBe(200)
    expect((await bulk(serverKey, { context }, { 'if-none-match': tag })).status).toBe(200)
  })

  test('the ETag changes with the age of the stream token, so that a client gets a new one', async () => {
    await using another = await startTelltale({ beside: telltale })
    const ask = (tag = '') =>
      another.request('POST', '/ofrep/v1/evaluate/flags', {
        body: {},
        headers: { ...bearer(clientKey), 'if-none-match': tag },
      })
    const tag = (await ask()).headers.get('etag') ?? ''
    another.passTime(31 * 60_000)
    expect((await ask(tag)).status).toBe(200)
  })
})

describe('visibility by key', () => {
  test('a client key cannot see a server-only flag', async () => {
    const { body } = await bulk(clientKey)
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(await single(clientKey, 'secret')).toMatchObject({
      status: 404,
      body: { errorCode: 'FLAG_NOT_FOUND' },
    })
    expect((await single(serverKey, 'secret')).body.value).toBe(true)
  })

  test('a key of another environment cannot see this one', async () => {
    expect((await bulk(strangerKey)).body.flags).toEqual([])
    expect((await single(strangerKey, 'new-menu')).status).toBe(404)
  })

  test('unknown and revoked keys are rejected, and pages of other sites, always with CORS headers', async () => {
    const refused = await bulk('tt_prod_c_wrong')
    expect(refused).toMatchObject({ status: 401, body: { type: '/errors/invalid-key' } })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    for (const name of ['ETag', 'Retry-After']) {
      expect(refused.headers.get('access-control-expose-headers')).toContain(name)
    }

    const owner = await telltale.person({ role: 'owner' })
    const key = await createKey(telltale, 'client', { environment: 'staging' })
    expect((await bulk(key.value)).status).toBe(200)
    const environment = '/api/v1/projects/shop/environments/staging'
    const origins = { as: owner, body: { allowedOrigins: ['https://*.shop.example'] } }
    expect((await telltale.request('PATCH', environment, origins)).status).toBe(200)
    await expect
      .poll(async () => (await bulk(key.value, {}, { origin: 'https://evil.example' })).body.type)
      .toBe('/errors/origin-not-allowed')
    expect((await bulk(key.value, {}, { origin: 'https://www.shop.example' })).status).toBe(200)
    expect((await bulk(key.value)).status).toBe(200)

    await telltale.request('DELETE', `${environment}/keys/${key.id}`, { as: owner })
    await expect.poll(async () => (await bulk(key.value)).body.type).toBe('/errors/key-revoked')
  })

  test('preflights allow any origin, without credentials', async () => {
    const { status, headers } = await telltale.request('OPTIONS', '/ofrep/v1/evaluate/flags', {
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')).toContain('If-None-Match')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('a page may read the errors of its request, also at an unknown URL', async () => {
    const origin = 'https://shop.example'
    const wrong = [
      ['GET', '/ofrep/v1/evaluate/flags', 405, '/errors/method-not-allowed'],
      ['POST', '/sdk/v1/config', 405, '/errors/method-not-allowed'],
      ['POST', '/ofrep/v2/flags', 404, '/errors/not-found'],
      ['GET', '/sdk/v1/nothing.js', 404, '/errors/not-found'],
    ] as const
    for (const [method, path, status, type] of wrong) {
      const answer = await telltale.request(method, path, { headers: { origin } })
      expect([answer.status, answer.body.type]).toEqual([status, type])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
    const preflight = { origin, 'access-control-request-method': 'POST' }
    expect((await telltale.request('OPTIONS', '/ofrep/v2/flags', { headers: preflight })).status).toBe(204)
    const management = await telltale.request('GET', '/api/v1/projects', { headers: { origin } })
    expect(management.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('a context of 2 MB is rejected immediately', async () => {
  const body = JSON.stringify({ context: { text: 'x'.repeat(2 * 1_048_576) } })
  const start = performance.now()
  expect((await bulk(clientKey, body)).status).toBe(413)
  expect(performance.now() - start).toBeLessThan(1_000)
})

describe("the library's own calls", () => {
  const get = (path: string, headers: Record<string, string>) => telltale.request('GET', path, { headers })

  test('a server key reads the rule set, with 304 if unchanged; a client key does not', async () => {
    const answer = await get('/sdk/v1/ruleset', bearer(serverKey))
    expect(answer.body.flags).toHaveLength(flags.length)
    const tag = answer.headers.get('etag') ?? ''
    expect((await get('/sdk/v1/ruleset', { ...bearer(serverKey), 'if-none-match': tag })).status).toBe(304)
    expect((await get('/sdk/v1/ruleset', bearer(clientKey))).status).toBe(401)
  })

  test('both read the settings of their environment', async () => {
    const answer = await get(`/sdk/v1/config?key=${clientKey}`, {})
    expect(answer.body).toMatchObject({ environment: 'production', privacyLevel: expect.any(String) })
    expect((await get('/sdk/v1/config', bearer(serverKey))).status).toBe(200)
  })
})

test('a client-visible flag never names a server-only one, before or after the change', async () => {
  const values = { on: true, off: false }
  const gate: SomeFlag = { key: 'gate', valueType: 'boolean', values, config: always('off') }
  const prerequisites = [{ flag: 'gate', variation: 'on' }]
  await saveFlag(telltale, place, gate)
  await saveFlag(telltale, place, { ...gate, key: 'gated', config: { ...always('on'), prerequisites } })
  const reported = async () => (await single(clientKey, 'gated')).body.metadata?.prerequisite
  await expect.poll(reported).toBe('gate')

  const as = await telltale.person({ role: 'owner' })
  const see = (clientVisible: boolean) =>
    telltale.request('PATCH', '/api/v1/projects/shop/flags/gate', { as, body: { clientVisible } })
  expect((await see(false)).status).toBe(200)
  await expect.poll(reported).toBeUndefined()
  expect(JSON.stringify((await bulk(clientKey)).body)).not.toContain('"gate"')
  await see(true)
  await expect.poll(reported).toBe('gate')
})
