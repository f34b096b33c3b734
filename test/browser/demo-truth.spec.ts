// Somebody walks through the demo shop; what happened in their browser is what every screen of the console shows.

import { type BrowserContext, expect, type Page, type Request, test } from '@playwright/test'
import { countText, vitalText } from '../../packages/console/src/ui/text/measure-text.ts'
import { signIn } from './console.ts'
import { type DemoServer, demoOwner, demoPatience, startDemoServer } from './demo-server.ts'

const patience = { timeout: 60_000 }
const visits = 20
/** What the browser itself saw. */
interface Seen {
  /** Templates, in order. */
  pages: string[]
  /** How often each was asked for, by method and template. */
  requests: Map<string, number>
  failed: number
  errors: string[]
  lcp: number
}

let demo: DemoServer
let seen: Seen
let session: string
let begun: string

test.beforeAll(async ({ browser }) => {
  test.setTimeout(demoPatience)
  demo = await startDemoServer({ telemetry: true, visits })
  await demo.serve('promo-banner', 'winter')
  await demo.serve('checkout-v2', 'one-page')
  await demo.serve('hybrid-search', 'on')
  begun = new Date().toISOString()
  const context = await browser.newContext()
  seen = await walk(context)
  await context.close()
  const expected = {
    views: seen.pages.length,
    requests: sum(seen.requests),
    failedRequests: seen.failed,
    unhandledErrors: seen.errors.length,
  }
  await expect
    .poll(async () => {
      const { items } = (await demo.read(`/sessions?from=${begun}`)) as { items: Record<string, unknown>[] }
      session = String(items[0]?.id)
      return items[0] ?? {}
    }, patience)
    .toMatchObject(expected)
})

test.afterAll(() => demo?.[Symbol.asyncDispose]())

/** Home, a product, anger at what is no button, the cart, the checkout that fails, and a search that breaks. */
async function walk(context: BrowserContext): Promise<Seen> {
  const page = await context.newPage()
  const found: Seen = { pages: [], requests: new Map(), failed: 0, errors: [], lcp: 0 }
  page.on('pageerror', ({ message }) => found.errors.push(message))
  let underWay = 0
  const isOfShop = (request: Request) =>
    request.resourceType() === 'fetch' && new URL(request.url()).pathname.startsWith('/demo/api/')
  page.on('request', (request) => {
    if (!isOfShop(request)) return
    const name = `${request.method()} ${templateOf(new URL(request.url()).pathname)}`
    found.requests.set(name, (found.requests.get(name) ?? 0) + 1)
    underWay += 1
  })
  const settle = (request: Request) => {
    if (isOfShop(request)) underWay -= 1
  }
  page.on('requestfinished', settle)
  page.on('requestfailed', settle)
  page.on('response', (response) => {
    if (isOfShop(response.request()) && response.status() >= 500) found.failed += 1
  })
  await page.route('**/demo/api/quote', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })

  await page.goto(`${demo.url}/demo`)
  await expect(page.locator('ul.products > li > a')).toHaveCount(6)
  await page.waitForLoadState('networkidle')
  found.lcp = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
  await page.locator('ul.products > li > a').first().click()
  await expect(page.getByRole('button', { name: 'Add to cart' })).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click({ clickCount: 4, delay: 10 })
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Go to the cart' }).click()
  await page.getByRole('link', { name: 'Go to checkout' }).click()
  await expect(page.getByRole('group')).toHaveCount(3)
  await expect.poll(() => underWay).toBe(0)
  const box = page.getByRole('textbox', { name: 'Search the shop' })
  await box.fill('bike for two children')
  const broken = page.waitForEvent('pageerror')
  await box.press('Enter')
  await broken
  await expect.poll(() => underWay).toBe(0)
  found.pages = ['/', '/p/:product', '/cart', '/checkout', '/search']
  // What a page has not told yet, it tells when it is left.
  await page.goto('about:blank')
  return found
}

const templateOf = (pathname: string) => pathname.replace(/\/products\/[^/]+/, '/products/:id')
const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0)

/** A screen of the project with only this session in it. */
async function open(page: Page, screen: string, query = `q=session:${session}`): Promise<void> {
  await signIn(page, demo, demoOwner)
  await page.goto(`${demo.url}/p/storefront/${screen}?${query}`)
}

test('sessions list it in one row, with its events in the timeline', async ({ page }) => {
  await open(page, 'sessions')
  const row = page.getByRole('row').filter({ hasText: '/search' })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(`${seen.pages.length} pages`)
  await expect(row).toContainText(vitalText('LCP', seen.lcp))
  await expect(row).toContainText('1 rage')

  await row.getByRole('link').first().click()
  const main = page.getByRole('main')
  for (const trouble of ['2 errors', '1 failed request', '1 rage click'])
    await expect(main.getByText(trouble, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Kind' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Pages' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('list', { name: 'Events, oldest first' }).getByRole('listitem')).toContainText(
    seen.pages,
  )
})

test('errors show the failing line of source', async ({ page }) => {
  await open(page, 'errors')
  const [message = ''] = seen.errors
  await page.getByRole('link', { name: message }).click()
  await expect(page.getByText('shop/pages/search-page.tsx').first()).toBeVisible()
  await expect(page.getByText('const places = new Map(ranks.map(')).toBeVisible()
})

test("requests show the shop's requests", async ({ page }) => {
  await open(page, 'requests')
  for (const [name, count] of seen.requests) {
    const link = page.getByRole('link', { name, exact: true })
    const row = page.getByRole('row').filter({ has: link })
    // Where the table is a list of cards, the number has its unit.
    await expect(row.getByRole('cell').nth(1)).toHaveText(new RegExp(`^${countText(count)} requests?$`))
  }
})

test('pages list each once, and the overview of that time has the same counts', async ({ page }) => {
  await open(page, 'pages')
  for (const template of seen.pages) {
    const link = page.getByRole('link', { name: template, exact: true })
    const row = page.getByRole('row').filter({ has: link })
    await expect(row.getByRole('cell').nth(1)).toHaveText(/^1\b/)
  }

  const later = new Date(Date.now() + 60_000).toISOString()
  await open(page, '', `t=${begun}..${later}`)
  // Two errors, the refused price and the broken search, in five views.
  await expect(
    page.getByRole('figure', { name: /JS errors, 400 per 1,000 views; Sessions, 1$/ }),
  ).toBeVisible()
})

test('explore counts events by kind', async ({ page }) => {
  const events = (await demo.read(
    `/explore?measure=count&by=kind&from=${begun}&filter=session:${session}`,
  )) as { groups: { values: string[]; value: number }[] }
  await open(page, 'explore', `measure=count&by=kind&q=session:${session}`)
  const views = page.getByRole('row').filter({ hasText: 'view' })
  await expect(views.getByRole('cell').nth(1)).toHaveText(String(seen.pages.length))
  expect(events.groups.find(({ values: [kind] }) => kind === 'view')?.value).toBe(seen.pages.length)
})
