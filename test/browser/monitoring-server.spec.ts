// What happens in a page and what the server has of it in the end: the built library, the built server, its store.

import { expect, test } from '@playwright/test'
import type { StoredEvent } from '@telltale/core/contract/intake'
import type { Static } from 'typebox'
import { clientKey, type FlagServer, startFlagServer } from './flag-server.ts'
import { shopPage } from './monitoring-page.ts'
import { type ShopSite, startShop } from './shop-site.ts'

type Stored = Static<typeof StoredEvent>

const events = '/api/v1/projects/shop/environments/production/events'
const outcomes = '/api/v1/projects/shop/environments/production/intake/outcomes'

let server: FlagServer
let shop: ShopSite

test.beforeAll(async () => {
  server = await startFlagServer({ telemetry: true })
  await server.create('checkout', 'boolean', { on: true, off: false })
  await server.create('unread', 'boolean', { on: true, off: false })
  shop = await startShop()
  // The store opens while the server already takes what comes.
  const isOpen = () =>
    server.get(events).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, { timeout: 40_000 }).toBe(true)
})
test.afterAll(async () => {
  await shop?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

test("the server stores the page's events, by kind, with flags and stacks, page exit included, and drops nothing", async ({
  page,
}) => {
  const options = `context: { targetingKey: 'ada' }, version: '1.2.3', service: 'web'`
  shop.page = shopPage({ url: server.url, key: clientKey, options })
  await page.goto(`${shop.url}/`)
  await expect.poll(() => page.evaluate(() => app.sessionId())).toBeTruthy()
  await page.evaluate(() => app.whenReady())
  await expect.poll(() => page.evaluate(() => app.getBoolean('checkout', false))).toBe(true)
  await page.click('#slow')
  await page.click('#missing')
  await expect(page.locator('#out')).toHaveText('nothing here')
  await page.click('#fail')
  await page.click('#cart')
  await page.evaluate(() => app.track('purchase', { value: 99.5, attributes: { plan: 'pro' } }))
  const saw = await page.evaluate(() => ({ ...globalThis.seen }))
  const session = await page.evaluate(() => app.sessionId() ?? '')
  await page.goto('about:blank')

  const stored = async (kind: string): Promise<Stored[]> => {
    const { items } = (await server.get(`${events}?kind=${kind}&session=${session}&limit=200`)) as {
      items: Stored[]
    }
    return items
  }
  // Of the last thing that the page said: by then everything is there.
  const lastVitals = async () =>
    (await stored('vital')).filter(({ page: at }) => at.startsWith('/cart')).length
  await expect.poll(lastVitals, { timeout: 30_000 }).toBeGreaterThan(0)

  expect((await stored('view')).map(({ name, page: at }) => [name, at]).sort()).toEqual([
    ['load', '/'],
    ['route', expect.stringMatching(/^\/cart\/./)],
  ])
  const requests = (await stored('resource')).filter(({ endpoint }) => endpoint !== '')
  expect(requests.map(({ endpoint, status, failed }) => [endpoint, status, failed])).toEqual([
    [expect.stringContaining('/api/missing'), 404, true],
  ])
  expect(requests).toHaveLength(saw.requests)
  const [error, ...others] = await stored('error')
  expect(others).toEqual([])
  expect(error).toMatchObject({
    errorType: 'TypeError',
    errorMessage: 'the cart is not a cart',
    userKey: 'ada',
  })
  expect(error).toMatchObject({ flags: ['checkout=on'], version: '1.2.3', service: 'web' })
  expect(await stored('action')).toHaveLength(saw.clicks)
  expect((await stored('exposure')).map(({ name }) => name)).toEqual(['checkout'])
  expect(await stored('custom')).toMatchObject([
    { name: 'purchase', value: 99.5, attributes: { plan: 'pro' }, flags: ['checkout=on'] },
  ])
  const vitals = (await stored('vital')).filter(({ page: at }) => at === '/').map(({ name }) => name)
  expect(vitals.sort()).toEqual(['CLS', 'FCP', 'INP', 'LCP', 'TTFB'])
  expect((await stored('long_frame')).some(({ duration }) => duration >= 150)).toBe(true)

  const answer = (await server.get(outcomes)) as { outcomes: { reason: string }[] }
  expect(answer.outcomes.filter(({ reason }) => reason !== 'accepted')).toEqual([])
})

test('a page that throws before rendering was blank to its user, a painted one was not', async ({
  context,
}) => {
  const render = `app.whenReady().then(() => {
    if (app.getBoolean('checkout', false)) throw new TypeError('the page is not a page')
  })`
  const empty = `<!doctype html><script src="${server.url}/sdk/v1/telltale.js"></script>
    <script>window.app = telltale.init({ key: '${clientKey}' })</script><div id="root"></div><script>${render}</script>`
  const look = async (text: string) => {
    const page = await context.newPage()
    shop.page = text
    await page.goto(`${shop.url}/`)
    await expect.poll(() => page.evaluate(() => app.sessionId())).toBeTruthy()
    return page
  }
  const blank = await look(empty)
  const painted = await look(shopPage({ url: server.url, key: clientKey }))
  const session = await painted.evaluate(() => app.sessionId() ?? '')
  const stored = async (kind: string) =>
    ((await server.get(`${events}?kind=${kind}&session=${session}&limit=200`)) as { items: Stored[] }).items
  // Whoever leaves earlier has not looked at a blank page.
  for (const page of [blank, painted]) await page.waitForFunction(() => performance.now() > 5_200)
  for (const page of [blank, painted]) await page.goto('about:blank')

  await expect.poll(async () => (await stored('vital')).map(({ name }) => name)).toContain('CLS')
  await expect.poll(() => stored('custom')).toHaveLength(1)
  const [reported] = await stored('custom')
  expect(reported).toMatchObject({ name: 'telltale.blank-view', flags: ['checkout=on'] })
  expect(reported?.duration).toBeGreaterThanOrEqual(5_000)
  expect(await stored('view')).toHaveLength(2)
})
