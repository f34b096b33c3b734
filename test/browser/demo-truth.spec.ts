// Somebody walks through the demo shop; what happened in their browser is what every screen of the console shows.

import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { countText, vitalText } from '../../packages/console/src/ui/measure-text.ts'
import { type DemoServer, demoOwner, startDemoServer } from './demo-server.ts'

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

test.beforeAll(async ({ browser }) => {
  demo = await startDemoServer({ telemetry: true, visits })
  await demo.serve('promo-banner', 'winter')
  await demo.serve('checkout-v2', 'one-page')
  await demo.serve('hybrid-search', 'on')
  const begun = new Date().toISOString()
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

test.afterAll(() => demo[Symbol.asyncDispose]())

/** Home, a product, anger at what is no button, the cart, the checkout that fails, and a search that breaks. */
async function walk(context: BrowserContext): Promise<Seen> {
  const page = await context.newPage()
  const found: Seen = { pages: [], requests: new Map(), failed: 0, errors: [], lcp: 0 }
  page.on('pageerror', ({ message }) => found.errors.push(message))
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/demo/api/') || response.request().resourceType() !== 'fetch') return
    const name = `${response.request().method()} ${templateOf(pathname)}`
    found.requests.set(name, (found.requests.get(name) ?? 0) + 1)
    if (response.status() >= 500) found.failed += 1
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
  const box = page.getByRole('textbox', { name: 'Search the shop' })
  await box.fill('bike for two children')
  const broken = page.waitForEvent('pageerror')
  await box.press('Enter')
  await broken
  await page.waitForLoadState('networkidle')
  found.pages = ['/', '/p/:product', '/cart', '/checkout', '/search']
  // What a page has not told yet, it tells when it is left.
  await page.goto('about:blank')
  return found
}

const templateOf = (pathname: string) => pathname.replace(/\/products\/[^/]+/, '/products/:id')
const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0)

/** A screen of the project with only this session in it. */
async function open(page: Page, screen: string): Promise<void> {
  const answer = await page.request.post(`${demo.url}/api/v1/sign-in`, {
    headers: { origin: demo.url },
    data: { email: demoOwner.email, password: demoOwner.password },
  })
  expect(answer.ok()).toBe(true)
  await page.goto(`${demo.url}/p/storefront/${screen}?q=session:${session}`)
}

test('sessions show it in one row, and its time line shows what was done', async ({ page }) => {
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
  await expect(
    page.getByRole('list', { name: 'Events, the first one first' }).getByRole('listitem'),
  ).toContainText(seen.pages)
})

test('errors show the line of the source that broke', async ({ page }) => {
  await open(page, 'errors')
  const [message = ''] = seen.errors
  await page.getByRole('link', { name: message }).click()
  await expect(page.getByText('shop/pages/search-page.tsx').first()).toBeVisible()
  await expect(page.getByText('const places = new Map(ranks.map(')).toBeVisible()
})

test('requests show what was asked of the shop', async ({ page }) => {
  await open(page, 'requests')
  for (const [name, count] of seen.requests) {
    const link = page.getByRole('link', { name, exact: true })
    const row = page.getByRole('row').filter({ has: link })
    await expect(row.getByRole('cell').nth(1)).toHaveText(countText(count))
  }
})
