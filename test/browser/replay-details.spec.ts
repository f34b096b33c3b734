// Console messages and requests of a real page, from the setting to the replay screen and the exported archive.

import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import { listenForComplaints, signIn } from './console.ts'
import {
  clientKey,
  type FlagServer,
  type Site,
  shopOwner,
  startFlagServer,
  startSite,
} from './flag-server.ts'
import { current, row, timeOf } from './replay-screen.ts'
import { startTap, type Tap } from './tapped-server.ts'

const environment = '/api/v1/projects/shop/environments/production'
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r'
/** What must not leave the page, at any setting. */
const secrets = ['hunter2', 'opensesame', 'ada@shop.example', '4111 1111 1111 1111', 'sid-4711', 'k-17', jwt]

let server: FlagServer
let tap: Tap
let site: Site
let api: Server
let apiUrl = ''

test.beforeAll(async () => {
  server = await startFlagServer({
    telemetry: true,
    environment: { sampling: { session: 100, replay: 100, profile: 0 }, privacyLevel: 'allow' },
  })
  tap = await startTap(server.url)
  api = createServer((request, response) => {
    const cors = {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization, content-type, x-api-key, x-request-id',
      'access-control-expose-headers': '*, x-request-id, x-api-key',
    }
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
    const head = { ...cors, 'x-request-id': 'r-1', 'x-api-key': 'k-17', 'set-cookie': 'sid=sid-4711' }
    const isBroken = request.url?.startsWith('/broken') ?? false
    response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json', ...head })
    const user = { email: 'ada@shop.example', password: 'hunter2', card: '4111 1111 1111 1111' }
    return response.end(JSON.stringify({ total: 12, html: '<img src=x onerror=alert(1)>', user }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => api.once('listening', resolve))
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  site = await startSite({
    '/page': `<!doctype html><html><head><title>Shop</title></head><body><h1>Bicycles</h1>
<script src="${tap.url}/sdk/v1/telltale.js"></script><script>app = telltale.init({ key: '${clientKey}' })</script></body></html>`,
  })
  await expect
    .poll(
      () =>
        server.read(`${environment}/events`).then(
          () => true,
          () => false,
        ),
      { timeout: 40_000 },
    )
    .toBe(true)
})
test.afterAll(async () => {
  api?.close()
  await site?.[Symbol.asyncDispose]()
  await tap?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const everything = {
  consoleRecorded: true,
  requestRules: [{ host: '*', path: '*', headers: ['content-type', 'x-request-id'], fields: ['*'] }],
}

/** Saves the settings, visits the page, lets it log and fetch, and leaves. Gives the session and what the page saw. */
async function visit(page: Page, settings: object): Promise<{ session: string; seen: unknown }> {
  await server.ask('PATCH', environment, settings)
  const config = async () => JSON.parse(await server.read(`/sdk/v1/config?key=${clientKey}`))
  const { consoleRecorded: isConsole } = { consoleRecorded: false, ...settings }
  await expect.poll(config).toMatchObject({ capture: { console: isConsole } })
  tap.left.length = 0
  await page.goto(`${site.url}/page`)
  const parts = () => tap.left.filter(({ path }) => path.startsWith('/sdk/v1/telltale-'))
  const last = isConsole ? 'details' : 'recorder'
  await expect
    .poll(() => parts().some(({ path }) => path.includes(`telltale-${last}`)), { timeout: 30_000 })
    .toBe(true)
  if (isConsole) {
    await page.waitForFunction(() => {
      const { log } = globalThis.console
      return !/native code/.test(String(log))
    })
  }
  const segment = page.waitForResponse((answer) => answer.url().includes('/intake/v1/replay'))
  const seen = await page.evaluate(async (url) => {
    const shop = globalThis.console
    shop.info('cart of', 'ada@shop.example', { items: [{ name: 'Bell' }], password: 'hunter2' })
    shop.warn('token:', 'opensesame', '<img src=x onerror=alert(1)>')
    const answer = await fetch(`${url}/orders?q=1`, {
      method: 'POST',
      credentials: 'include',
      headers: {
        Authorization: 'Bearer opensesame',
        'X-Api-Key': 'k-17',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ note: 'two bells', password: 'hunter2' }),
    })
    const orders = await answer.json()
    const broken = await new Promise((resolve) => {
      const xhr = new XMLHttpRequest()
      xhr.open('GET', `${url}/broken`)
      xhr.onload = () => resolve([xhr.status, JSON.parse(xhr.responseText).total])
      xhr.send()
    })
    shop.error(new TypeError('the order failed'))
    return { orders, broken }
  }, apiUrl)
  const session = await page.evaluate(() => app.sessionId() ?? '')
  // The page stays until the server has it: what it sends while it is left may be cut off on the way.
  await segment
  if (isConsole) await expect.poll(recordedText, { timeout: 30_000 }).toContain('the order failed')
  const shown = () =>
    server.read(`${environment}/sessions/${session}`).then(
      () => true,
      () => false,
    )
  await expect.poll(shown, { timeout: 30_000 }).toBe(true)
  return { session, seen }
}

const recordedText = () =>
  tap.left
    .filter(({ path }) => path.startsWith('/intake/v1/replay'))
    .map(({ text }) => text)
    .join('\n')

test('nothing of console and network is recorded unless the environment allows it', async ({ page }) => {
  const { seen } = await visit(page, { consoleRecorded: false, requestRules: [] })
  expect(seen).toMatchObject({ orders: { total: 12 }, broken: [500, 12] })
  expect(recordedText()).not.toContain('two bells')
  expect(recordedText()).not.toContain('cart of')
  expect(tap.left.some(({ path }) => path.includes('telltale-details'))).toBe(false)
})

test.describe.configure({ timeout: 120_000 })

test('what is allowed is recorded without secrets, shown in the replay, and exported', async ({
  page,
  browser,
}) => {
  const { session, seen } = await visit(page, everything)
  expect(seen).toMatchObject({ orders: { total: 12, user: { password: 'hunter2' } }, broken: [500, 12] })
  const left = tap.left.map(({ text }) => text).join('\n')
  for (const secret of secrets) expect(left, secret).not.toContain(secret)
  expect(recordedText()).toContain('two bells')

  const ready = async () =>
    JSON.stringify(await server.get(`${environment}/sessions/${session}/replay/details`))
  await expect.poll(() => ready().catch(() => ''), { timeout: 30_000 }).toContain('the order failed')

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const screen = await context.newPage()
  const complaints = listenForComplaints(screen)
  await signIn(screen, server, shopOwner)
  await screen.goto(`${server.url}/p/shop/sessions/${session}?env=production&tab=console`)
  await row(screen, 'cart of').click()
  await expect(current(screen)).toContainText('cart of')
  const message = screen.getByRole('region', { name: 'Console message' })
  await expect(message).toContainText('"name": "Bell"')
  await expect(message).toContainText('"password": "[secret]"')
  const heard = await timeOf(screen)
  await row(screen, 'the order failed').click()
  await expect.poll(() => timeOf(screen)).toBeGreaterThanOrEqual(heard)
  await expect(row(screen, 'onerror')).toContainText('<img src=x onerror=alert(1)>')

  await screen.getByLabel('Level').selectOption('error')
  await expect(row(screen, 'cart of')).toHaveCount(0)
  await screen.getByRole('searchbox', { name: 'Filter messages' }).fill('nothing like it')
  await expect(screen.getByText('Nothing matches the filter.')).toBeVisible()
  await screen.getByRole('searchbox', { name: 'Filter messages' }).fill('')
  await screen.getByLabel('Level').selectOption('')
  await expectAccessibleInThemes(screen)

  await screen.getByRole('tab', { name: /^Network/ }).press('Enter')
  await screen.getByRole('tab', { name: /^Network/ }).click()
  await row(screen, 'POST /orders').click()
  const request = screen.getByRole('region', { name: 'Request', exact: true })
  await expect(request.getByRole('region', { name: 'Request body' })).toContainText('"note": "two bells"')
  await expect(request.getByRole('region', { name: 'Response body' })).toContainText('"total": 12')
  await expect(request).toContainText('x-request-id')
  await expect(request.locator('img')).toHaveCount(0)
  await expectAccessibleInThemes(screen)

  const downloading = screen.waitForEvent('download')
  await screen.getByRole('button', { name: 'HAR', exact: true }).click()
  const har = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expectHar(har)
  const order = har.log.entries.find(({ request: { url } }: HarEntry) => url.includes('/orders'))
  expect(order).toMatchObject({
    request: { method: 'POST', postData: { mimeType: 'application/json' } },
    response: { status: 200, content: { mimeType: 'application/json' } },
  })
  expect(JSON.parse(order.response.content.text)).toMatchObject({ total: 12, user: { password: '[secret]' } })
  const text = JSON.stringify(har)
  for (const secret of secrets) expect(text, secret).not.toContain(secret)
  const audit = JSON.stringify(await server.get('/api/v1/projects/shop/audit?entity=session'))
  expect(audit).toContain('session.export')

  if (process.env.NETWORK_SHOTS)
    await takeShots(screen, `${server.url}/p/shop/sessions/${session}?env=production`)
  expect(complaints).toEqual([])
  await context.close()
})

test('a replay of an environment that allows neither says so, with the way to the setting', async ({
  page,
  browser,
}) => {
  const { session } = await visit(page, { consoleRecorded: false, requestRules: [] })
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const screen = await context.newPage()
  await signIn(screen, server, shopOwner)
  await expect
    .poll(
      () =>
        server.read(`${environment}/sessions/${session}/replay`).then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true)
  await screen.goto(`${server.url}/p/shop/sessions/${session}?env=production&tab=network`)
  await expect(screen.getByText(/Headers and bodies are not recorded/)).toBeVisible()
  await screen.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await expect(screen.getByRole('region', { name: 'Console and network in replays' })).toBeVisible()
  await context.close()
})

interface HarEntry {
  request: { url: string }
}

/** The members that HAR 1.2 requires, each of its type. */
function expectHar(har: { log: { entries: unknown[]; pages: unknown[] } }): void {
  const [text, number, list] = [expect.any(String), expect.any(Number), expect.any(Array)]
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(har.log).toMatchObject({
    version: '1.2',
    creator: { name: text, version: text },
    pages: list,
    entries: list,
  })
  expect(har.log.pages.length).toBeGreaterThan(0)
  for (const page of har.log.pages)
    expect(page).toMatchObject({ startedDateTime: instant, id: text, title: text, pageTimings: {} })
  for (const entry of har.log.entries) {
    const message = { httpVersion: text, cookies: list, headers: list, headersSize: number, bodySize: number }
    expect(entry).toMatchObject({
      startedDateTime: instant,
      time: number,
      request: { method: text, url: text, queryString: list, ...message },
      response: {
        status: number,
        statusText: text,
        redirectURL: text,
        content: { size: number, mimeType: text },
        ...message,
      },
      cache: {},
      timings: { send: number, wait: number, receive: number },
    })
  }
}

async function takeShots(screen: Page, address: string): Promise<void> {
  for (const [name, width, height] of [
    ['wide', 1440, 900],
    ['phone', 390, 844],
  ] as const) {
    await screen.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await screen.emulateMedia({ colorScheme })
      for (const tab of ['console', 'network']) {
        await screen.goto(`${address}&tab=${tab}`)
        await row(screen, tab === 'console' ? 'cart of' : 'POST /orders').click()
        const path = `${process.env.NETWORK_SHOTS}/${tab}-${name}-${colorScheme}.png`
        await screen.screenshot({ path, fullPage: name === 'phone' })
      }
    }
    await screen.goto(`${address.replace(/\/sessions\/.*/, '')}/settings/environments/production`)
    await screen
      .getByRole('region', { name: 'Console and network in replays' })
      .screenshot({ path: `${process.env.NETWORK_SHOTS}/settings-${name}.png` })
  }
}
