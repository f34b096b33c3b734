import { chromium, expect, type Page, test } from '@playwright/test'
import { chromiumArguments, findChromium } from './chromium.ts'
import { clientKey, type FlagServer, type Site, startFlagServer, startSite } from './flag-server.ts'

let server: FlagServer
let site: Site

test.beforeAll(async () => {
  server = await startFlagServer()
  await server.create('banner', 'string', { hello: 'Hello', sale: 'Sale' })
  await server.create('new-menu', 'boolean', { on: true, off: false })
  await server.create('theme', 'json', { dark: { mode: 'dark' } })
  const script = `<!doctype html><title>Shop</title><script src="${server.url}/sdk/v1/telltale.js"></script>`
  const start = `const flags = globalThis.flags = telltale.init({ key: '${clientKey}' })`
  site = await startSite({
    '/': `${script}<script>
      ${start}
      globalThis.first = flags.getDetails('banner', 'default')
    </script>`,
    '/bootstrap': `${script}<script>
      globalThis.__telltale_flags = { banner: 'From the page' }
      ${start}
      globalThis.first = flags.getDetails('banner', 'default')
      document.write('<h1>' + globalThis.first.value + '</h1>')
    </script>`,
    '/no-storage': `<script>
      const forbidden = () => { throw new DOMException('forbidden', 'SecurityError') }
      Object.defineProperty(globalThis, 'localStorage', { get: forbidden })
    </script>${script}<script>${start}</script>`,
    '/full-storage': `<script>
      Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }
    </script>${script}<script>${start}</script>`,
    '/wrong-key': `${script}<script>globalThis.flags = telltale.init({ key: 'nobody-has-this' })</script>`,
  })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

declare const flags: import('@telltale/browser/flags').Flags
declare const first: import('@telltale/browser/flags/values').FlagDetails<string>

const open = (page: Page, path = '/') => page.goto(site.url + path, { waitUntil: 'domcontentloaded' })
const banner = (page: Page) => page.evaluate(() => flags.getString('banner', 'default'))

test('values, details and errors of every type; each real read is one exposure', async ({ page }) => {
  await open(page)
  const read = await page.evaluate(async () => {
    await flags.whenReady()
    await new Promise<void>((resolve) =>
      flags.status() === 'ready' ? resolve() : flags.onChange(() => resolve()),
    )
    const values = {
      boolean: flags.getBoolean('new-menu', false),
      json: flags.getJson('theme', {}),
      details: flags.getDetails('banner', 'default'),
      again: flags.getString('banner', 'default'),
      unknown: flags.getDetails('nowhere', 1),
      other: flags.getDetails('banner', 1),
    }
    const exposures: unknown[] = []
    flags.onExposure(({ flag, variant }) => exposures.push([flag, variant]))
    await Promise.resolve()
    return { ...values, exposures }
  })
  expect(read).toMatchObject({
    boolean: true,
    json: { mode: 'dark' },
    details: { value: 'Hello', variant: 'hello', reason: 'STATIC', metadata: { flagSetId: 'production' } },
    again: 'Hello',
    unknown: { value: 1, errorCode: 'FLAG_NOT_FOUND' },
    other: { value: 1, errorCode: 'TYPE_MISMATCH' },
  })
  expect(read.exposures).toEqual([
    ['new-menu', 'on'],
    ['theme', 'dark'],
    ['banner', 'hello'],
  ])
})

test("the page's value is available in the first line of its script, until the server's arrives", async ({
  page,
}) => {
  await open(page, '/bootstrap')
  await expect(page.locator('h1')).toHaveText('From the page')
  expect(await page.evaluate(() => first.value)).toBe('From the page')
  await expect.poll(() => banner(page)).toBe('Hello')
})

test('the value of the last visit is available in the first line, even during an outage', async ({
  page,
}) => {
  await open(page)
  await expect.poll(() => banner(page)).toBe('Hello')

  await page.route('**/ofrep/**', (route) => route.abort())
  await open(page)
  expect(await page.evaluate(() => first)).toMatchObject({
    value: 'Hello',
    variant: 'hello',
    reason: 'CACHED',
  })
  await expect.poll(() => page.evaluate(() => flags.status())).toBe('stale')
  expect(await banner(page)).toBe('Hello')
})

test('values of one user are not used for another', async ({ page }) => {
  await open(page)
  await expect.poll(() => banner(page)).toBe('Hello')
  await page.route('**/ofrep/**', (route) => route.abort())
  await open(page)
  expect(
    await page.evaluate(async (url) => {
      const { telltale } = globalThis as unknown as { telltale: { init(options: object): typeof flags } }
      const other = telltale.init({
        url,
        key: 'shop-production-web',
        context: { targetingKey: 'somebody-else' },
      })
      return other.getString('banner', 'default')
    }, server.url),
  ).toBe('default')
})

for (const path of ['/no-storage', '/full-storage']) {
  test(`works with ${path.slice(1).replace('-', ' ')}`, async ({ page }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await open(page, path)
    await expect.poll(() => banner(page)).toBe('Hello')
    expect(errors).toEqual([])
  })
}

test('without a server the defaults hold, whenReady resolves, and values arrive later', async ({ page }) => {
  await page.route('**/ofrep/**', (route) => route.abort())
  await open(page)
  expect(await page.evaluate(() => flags.whenReady())).toBe('error')
  expect(await banner(page)).toBe('default')
  await page.unroute('**/ofrep/**')
  await expect.poll(() => banner(page), { timeout: 15_000 }).toBe('Hello')
})

test('a new context is requested once, however often it is set at the same time', async ({ page }) => {
  await open(page)
  await expect.poll(() => banner(page)).toBe('Hello')
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/ofrep/')) bodies.push(request.postData() ?? '')
  })
  expect(
    await page.evaluate(async () => {
      for (const plan of ['free', 'pro']) void flags.setContext({ targetingKey: 'ada', plan })
      return flags.setContext({ targetingKey: 'ada', plan: 'vip' })
    }),
  ).toBe('ready')
  expect(bodies).toHaveLength(1)
  expect(JSON.parse(bodies[0] ?? '')).toEqual({
    context: { targetingKey: 'ada', plan: 'vip', anonymousId: expect.stringMatching(/^[\d-]{20,}$/) },
  })
})

test('an invalid key is not retried', async ({ page }) => {
  let requests = 0
  page.on('request', (request) => {
    if (request.url().startsWith(server.url)) requests += 1
  })
  await open(page, '/wrong-key')
  expect(await page.evaluate(() => flags.whenReady())).toBe('error')
  // For what must not happen there is only waiting.
  await page.waitForTimeout(5_000)
  // The script, the preflight and the request.
  expect(requests).toBeLessThanOrEqual(3)
})

test('Retry-After is respected', async ({ page }) => {
  let requests = 0
  await page.route('**/ofrep/**', (route) => {
    requests += 1
    return route.fulfill({
      status: 429,
      headers: {
        'retry-after': '4',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Retry-After',
      },
    })
  })
  await open(page)
  await expect.poll(() => page.evaluate(() => flags.status())).toBe('error')
  await page.evaluate(() => void flags.setContext({ targetingKey: 'ada' }))
  // For what must not happen there is only waiting.
  await page.waitForTimeout(2_000)
  expect(requests).toBe(1)
  await expect.poll(() => requests).toBe(2)
})

test('a page without TLS, where the Locks API is missing, gets its values and opens no stream', async () => {
  // Not localhost, which counts as safe.
  const args = [...chromiumArguments, '--host-resolver-rules=MAP shop.test 127.0.0.1']
  const browser = await chromium.launch({ executablePath: findChromium(), args })
  try {
    const page = await browser.newPage()
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto(site.url.replace('127.0.0.1', 'shop.test'))
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await expect.poll(() => banner(page)).toBe('Hello')
    await expect.poll(() => requested.some((path) => path.includes('telltale-live'))).toBe(true)
    expect(requested).not.toContain('/sdk/v1/stream')
  } finally {
    await browser.close()
  }
})
