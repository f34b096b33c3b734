// From a click in a page through two services to a query: one trace, opened from the replay at the moment of the click.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { signIn } from './console.ts'
import { clientKey, type FlagServer, shopOwner, startFlagServer } from './flag-server.ts'
import { row } from './replay-screen.ts'

const environment = '/api/v1/projects/shop/environments/production'
const program = join(import.meta.dirname, '../contracts/opentelemetry/shop.cjs')
const patience = { timeout: 30_000 }

let server: FlagServer
let shop: string
const services: ChildProcess[] = []

async function startService(name: string, settings: Record<string, string>): Promise<string> {
  const service = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      OTEL_SERVICE_NAME: name,
      OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
      ...settings,
    },
  })
  services.push(service)
  const [address] = await once(service.stdout ?? service, 'data')
  return String(address).trim()
}

/** The product's own PostgreSQL serves as that of the application. */
async function findDatabase(): Promise<string> {
  const read = async (...path: string[]) => (await readFile(join(...path), 'utf8')).trim()
  const { dataFolder } = server
  const home = await read(dataFolder, 'postgres.location').catch(() => dataFolder)
  const [, , , port, host] = (await read(home, 'postgres/postmaster.pid')).split('\n')
  const password = await read(dataFolder, 'postgres.password')
  return JSON.stringify({ host, port: Number(port), user: 'telltale', database: 'telltale', password })
}

test.beforeAll(async () => {
  server = await startFlagServer({
    telemetry: true,
    ownEngines: true,
    environment: { sampling: { replay: 100 } },
  })
  await expect(() => server.get(`${environment}/events`)).toPass({ timeout: 40_000 })
  const { value } = Object(await server.post(`${environment}/keys`, { kind: 'server', label: 'services' }))
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${value}` }
  const stock = await startService('stock', { ...headers, SERVICE_DATABASE: await findDatabase() })
  const page = `<!doctype html><title>Shop</title><script src="${server.url}/sdk/v1/telltale.js"></script>
    <script>window.app = telltale.init({ key: '${clientKey}', tracing: true })</script>
    <h1>Bicycles</h1><button id="order">Order now</button> <button id="older">Older browser</button><p id="out"></p><script>
    const show = () => { out.textContent += 'ordered ' }
    order.onclick = () => fetch('/api/order?card=4111', { method: 'POST', headers: { 'x-own': 'kept' } }).then(show)
    older.onclick = () => {
      const request = new XMLHttpRequest()
      request.open('GET', '/api/older')
      request.onload = show
      request.send()
    }
    </script>`
  shop = await startService('shop', { ...headers, SERVICE_STOCK: stock, SERVICE_PAGE: page })
})
test.afterAll(async () => {
  for (const service of services) {
    service.stdin?.end()
    await once(service, 'exit')
  }
  await server?.[Symbol.asyncDispose]()
})

/** The header of the next request to a path. */
const headersOf = async (page: Page, path: string) =>
  (await page.waitForRequest((request) => new URL(request.url()).pathname === path)).allHeaders()

test('a click is followed through two services to a query, from the replay', async ({ page, context }) => {
  // The part is loaded with the first event, and then runs at once.
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('telltale-tracing')),
    page.goto(shop),
  ])
  const send = async () => {
    const [headers] = await Promise.all([
      headersOf(page, '/api/ready'),
      page.evaluate(() => void fetch('/api/ready')),
    ])
    return headers
  }
  await expect.poll(send).toHaveProperty('traceparent')
  const [headers] = await Promise.all([headersOf(page, '/api/order'), page.click('#order')])
  expect(headers).toMatchObject({
    'x-own': 'kept',
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
  })
  const trace = headers.traceparent?.split('-')[1] ?? ''
  await expect(page.getByText('ordered')).toBeVisible()
  const [older] = await Promise.all([headersOf(page, '/api/older'), page.click('#older')])
  expect(older.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(older.traceparent).not.toContain(trace)
  const foreign = page.waitForRequest((request) =>
    request.url().startsWith(server.url.replace('127.0.0.1', 'localhost')),
  )
  await page.evaluate(
    (url) => void fetch(url).catch(() => undefined),
    `${server.url.replace('127.0.0.1', 'localhost')}/x`,
  )
  expect(await (await foreign).allHeaders()).not.toHaveProperty('traceparent')
  await page.goto('about:blank')

  const spansOf = async () => {
    const found = Object(await server.get(`${environment}/traces/${trace}`).catch(() => ({})))
    return (found.spanList ?? []).map(
      ({ service, name }: { service: string; name: string }) => `${service}: ${name}`,
    )
  }
  await expect.poll(async () => (await spansOf()).length, patience).toBeGreaterThanOrEqual(4)
  expect(await spansOf()).toEqual(
    expect.arrayContaining([
      'shop: POST',
      'shop: GET',
      'stock: GET',
      expect.stringMatching(/^stock: pg\.query:SELECT/),
    ]),
  )

  const console = await context.newPage()
  await signIn(console, server, shopOwner)
  const sessions = async () => Object(await server.get(`${environment}/sessions`)).items
  await expect.poll(async () => (await sessions())[0]?.hasReplay, patience).toBe(true)
  const [{ id }] = await sessions()
  await console.goto(`${server.url}/p/shop/sessions/${id}?env=production`)
  await row(console, 'POST /api/order').click()
  await console.getByRole('link', { name: 'Open trace' }).click()
  await expect(console).toHaveURL(new RegExp(`/traces/${trace}`))
  await expect(console.getByText('pg.query:SELECT').first()).toBeVisible()
  await expect(console.getByText('stock').first()).toBeVisible()
})
