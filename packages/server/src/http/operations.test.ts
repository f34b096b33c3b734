import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../test/start.ts'

const token = 'a-token-for-metrics'
let telltale: Telltale
beforeAll(async () => {
  telltale = await startTelltale({
    settings: { TELLTALE_METRICS_TOKEN: token, TELLTALE_TRUSTED_PROXIES: '127.0.0.1' },
  })
})
afterAll(() => telltale[Symbol.asyncDispose]())

/** As a proxy on this machine hands it on. */
const fromElsewhere = { 'x-forwarded-for': '203.0.113.7' }

describe('health', () => {
  test('says that the server lives and is ready, with details for this machine only', async () => {
    expect((await telltale.request('GET', '/health/live')).body).toEqual({ live: true })
    expect((await telltale.request('GET', '/health/ready')).body).toMatchObject({
      ready: true,
      degraded: [],
      details: [],
    })

    const outside = await telltale.request('GET', '/health/ready', { headers: fromElsewhere })
    expect(outside.body).toEqual({ ready: true, degraded: [] })
  })
})

test('a server whose telemetry store is away is ready, and says what it lacks', async () => {
  // Nobody listens at the port for discarding.
  const settings = { CLICKHOUSE_URL: 'http://127.0.0.1:9', TELLTALE_TRUSTED_PROXIES: '127.0.0.1' }
  await using alone = await startTelltale({ settings })
  const asked = async (headers = {}) => (await alone.request('GET', '/health/ready', { headers })).body

  expect(await asked(fromElsewhere)).toEqual({ ready: true, degraded: ['clickhouse'] })
  const reasons = async () => (await asked()).details.map(({ reason }: { reason: string }) => reason).join()
  await expect.poll(reasons, { timeout: 20_000 }).toContain('ECONNREFUSED')
  expect((await alone.request('GET', '/metrics')).body).toContain('telltale_clickhouse_up 0')
})

describe('metrics', () => {
  const metrics = (headers = {}) => telltale.request('GET', '/metrics', { headers })

  test('are for this machine and for the token', async () => {
    expect((await metrics()).status).toBe(200)
    expect((await metrics(fromElsewhere)).status).toBe(401)
    expect((await metrics({ ...fromElsewhere, authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await metrics({ ...fromElsewhere, authorization: `Bearer ${token}` })).status).toBe(200)
  })

  test('count requests by the pattern of their route, never by what stands in the path', async () => {
    await telltale.request('GET', '/api/v1/projects/a-secret-plan')
    const { body } = await metrics()
    expect(body).toContain('route="/api/v1/projects/:project"')
    expect(body).not.toContain('a-secret-plan')
    expect(body).toContain('telltale_postgres_up 1')
  })
})

describe('every answer', () => {
  test('forbids what a page of ours never needs', async () => {
    const { headers } = await telltale.request('GET', '/api/v1/setup')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('is explained by a page when it is an error', async () => {
    const { body } = await telltale.request('GET', '/api/v1/account')
    const page = await telltale.request('GET', body.type)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.body).toContain('unauthenticated')
  })
})

test('the OpenAPI document describes every call with its answers and errors', async () => {
  const { body } = await telltale.request('GET', '/api/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  const save = body.paths['/api/v1/projects/{project}/environments/{env}'].patch
  expect(save['x-permission']).toBe('environments.manage')
  expect(Object.keys(save.responses).sort()).toEqual(
    ['200', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503'].sort(),
  )
  expect(save.requestBody.content['application/json'].schema.additionalProperties).toBe(false)
})

test('the management API is limited by credential, and says when to come back', async () => {
  await using slow = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '3' } })
  const [mara, ole] = [await slow.person(), await slow.person()]
  const ask = (as: typeof mara) => slow.request('GET', '/api/v1/account', { as })
  for (let request = 0; request < 3; request++) expect((await ask(mara)).status).toBe(200)

  const refused = await ask(mara)
  expect(refused.body).toMatchObject({ status: 429, type: '/errors/rate-limited' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(ole)).status).toBe(200)
  slow.passTime(60_000)
  expect((await ask(mara)).status).toBe(200)
})
