import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { loggedPath } from './server.ts'

const token = 'a-token-for-metrics'
let telltale: Telltale
beforeAll(async () => {
  telltale = await startTelltale({
    settings: { TELLTALE_METRICS_TOKEN: token, TELLTALE_TRUSTED_PROXIES: '127.0.0.1' },
  })
})
afterAll(() => telltale[Symbol.asyncDispose]())

/** `fetch` sets `Host` automatically. */
function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const requested = get(`${telltale.url}/metrics`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    requested.on('error', reject)
  })
}

/** As forwarded by a proxy on this machine. */
const fromElsewhere = { 'x-forwarded-for': '203.0.113.7' }

describe('health', () => {
  test('reports liveness and readiness, with details for this machine only', async () => {
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

test('a server without its telemetry store is ready, and reports it', async () => {
  // No server listens on the discard port.
  const settings = { CLICKHOUSE_URL: 'http://127.0.0.1:9', TELLTALE_TRUSTED_PROXIES: '127.0.0.1' }
  await using alone = await startTelltale({ settings })
  const requested = async (headers = {}) => (await alone.request('GET', '/health/ready', { headers })).body

  expect(await requested(fromElsewhere)).toEqual({ ready: true, degraded: ['clickhouse'] })
  const reasons = async () =>
    (await requested()).details.map(({ reason }: { reason: string }) => reason).join()
  await expect.poll(reasons, { timeout: 20_000 }).toContain('ECONNREFUSED')
  expect((await alone.request('GET', '/metrics')).body).toContain('telltale_clickhouse_up 0')
})

describe('metrics', () => {
  const metrics = (headers = {}) => telltale.request('GET', '/metrics', { headers })

  test('are for this machine and the token', async () => {
    expect((await metrics()).status).toBe(200)
    expect((await metrics(fromElsewhere)).status).toBe(401)
    expect((await metrics({ ...fromElsewhere, authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await metrics({ ...fromElsewhere, authorization: `Bearer ${token}` })).status).toBe(200)
  })

  test('are closed to proxied requests, by any forwarding header', async () => {
    await using open = await startTelltale()
    const ask = async (path: string, headers: Record<string, string>) =>
      open.request('GET', path, { headers })
    for (const name of [
      'Forwarded',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Forwarded-Server',
      'X-Real-IP',
      'Via',
      'True-Client-IP',
      'CF-Connecting-IP',
      'CDN-Loop',
      'X-Client-IP',
      'X-Cluster-Client-IP',
      'X-Original-Forwarded-For',
      'X-Envoy-External-Address',
      'X-Amzn-Trace-Id',
      'Fastly-Client-IP',
      'Fly-Client-IP',
      'X-Request-Start',
      'X-Cloud-Trace-Context',
      'X-NF-Client-Connection-IP',
      'DO-Connecting-IP',
      'X-MS-Forwarded-Client-IP',
      'SSL-Client-Verify',
      'X-Varnish',
      'X-Proxy-Of-Tomorrow',
    ]) {
      expect((await ask('/metrics', { [name]: '127.0.0.1' })).status, name).toBe(401)
      expect((await ask('/health/ready', { [name]: '127.0.0.1' })).body, name).not.toHaveProperty('details')
    }
    expect((await ask('/metrics', {})).status).toBe(200)
    // The headers that Prometheus sends.
    const scraper = {
      'user-agent': 'Prometheus/3.5.0',
      accept: 'application/openmetrics-text;version=1.0.0',
      'accept-encoding': 'gzip',
      'x-prometheus-scrape-timeout-seconds': '10',
    }
    expect((await ask('/metrics', scraper)).status).toBe(200)
  })

  test('are closed to pages with DNS rebinding to this machine', async () => {
    const { port } = new URL(telltale.url)
    expect(await statusFor(`rebound.example:${port}`)).toBe(401)
    expect(await statusFor(`localhost:${port}`)).toBe(200)
    expect(await statusFor(`[::1]:${port}`)).toBe(200)
  })

  test('count requests by route pattern, never by path', async () => {
    await telltale.request('GET', '/api/v1/projects/a-secret-plan')
    const { body } = await metrics()
    expect(body).toContain('route="/api/v1/projects/:project"')
    expect(body).not.toContain('a-secret-plan')
    expect(body).toContain('telltale_postgres_up 1')
  })
})

describe('every response', () => {
  test('disables features that our pages never need', async () => {
    const { headers } = await telltale.request('GET', '/api/v1/setup')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('and every page has the usual headers', async () => {
    for (const path of [
      '/',
      '/setup',
      '/invite/',
      '/p/shop/flags',
      '/errors/forbidden',
      '/api/openapi.json',
      '/nothing.js',
      '/api/nothing',
      '/health/live',
    ]) {
      const { headers } = await telltale.request('GET', path)
      expect(headers.get('permissions-policy'), path).toContain('camera=()')
      expect(headers.get('content-security-policy'), path).toContain("default-src 'none'")
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('x-frame-options'), path).toBe('DENY')
      expect(headers.get('referrer-policy'), path).toBe('same-origin')
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
    }
  })

  test('of a link with a token is logged without it', () => {
    expect(loggedPath('/invite/tti_0123456789abcdef?x=1')).toBe('/invite/tt…')
    expect(loggedPath('/password-reset?token=ttp_0123')).toBe('/password-reset')
    expect(loggedPath('/api/v1/projects/shop')).toBe('/api/v1/projects/shop')
  })

  test('with an error links to its page', async () => {
    const { body } = await telltale.request('GET', '/api/v1/account')
    const page = await telltale.request('GET', body.type)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.body).toContain('unauthenticated')
  })
})

test('the OpenAPI document describes every call with its responses and errors', async () => {
  const { body } = await telltale.request('GET', '/api/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  const save = body.paths['/api/v1/projects/{project}/environments/{env}'].patch
  expect(save['x-permission']).toBe('environments.manage')
  expect(Object.keys(save.responses).sort()).toEqual(
    ['200', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503'].sort(),
  )
  expect(save.requestBody.content['application/json'].schema.additionalProperties).toBe(false)
})

test('the management API is limited by credential, with Retry-After', async () => {
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
