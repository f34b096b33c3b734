import { type BrowserContext, expect, type Page, type Request, test } from '@playwright/test'
import { clientKey, type FlagServer, type Site, startFlagServer, startSite } from './flag-server.ts'

let server: FlagServer
let site: Site

test.beforeAll(async () => {
  server = await startFlagServer()
  await server.create('banner', 'string', { hello: 'Hello', sale: 'Sale', gone: 'Gone' })
  site = await startSite({ '/': pageOf(server.url) })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

/** Shows the banner and remembers everything that it ever showed. */
function pageOf(url: string): string {
  return `<!doctype html><title>Shop</title><h1></h1>
<script src="${url}/sdk/v1/telltale.js"></script>
<script>
  window.shown = []
  window.flags = telltale.init({ key: '${clientKey}' })
  const show = () => {
    const value = flags.getString('banner', 'default')
    document.querySelector('h1').textContent = value
    if (shown.at(-1) !== value) shown.push(value)
  }
  flags.onChange(show)
  show()
</script>`
}

declare global {
  var shown: string[]
}

const banner = (page: Page) => page.locator('h1')
const shownBy = (page: Page) => page.evaluate(() => globalThis.shown)

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(site.url, { waitUntil: 'domcontentloaded' })
  return page
}

/** What the pages of a context ask of the server. */
function watchRequests(context: BrowserContext) {
  const streams = new Set<Request>()
  let evaluations = 0
  let mostStreams = 0
  context.on('request', (request) => {
    if (request.url().includes('/sdk/v1/stream')) streams.add(request)
    if (request.url().includes('/ofrep/')) evaluations += 1
    mostStreams = Math.max(mostStreams, streams.size)
  })
  context.on('page', (page) =>
    page.on('close', () => {
      for (const request of streams) if (request.frame().page() === page) streams.delete(request)
    }),
  )
  context.on('requestfailed', (request) => streams.delete(request))
  context.on('requestfinished', (request) => streams.delete(request))
  const leader = () => [...streams][0]?.frame().page()
  return { open: () => streams.size, leader, mostOpen: () => mostStreams, evaluations: () => evaluations }
}

test('two tabs follow a change without reloading, survive the death of the server, and never show a wrong value', async ({
  context,
}) => {
  const requests = watchRequests(context)
  const one = await openPage(context)
  await expect(banner(one)).toHaveText('Hello')
  const two = await openPage(context)
  await expect(banner(two)).toHaveText('Hello')
  await expect.poll(requests.open).toBe(1)

  await server.serve('banner', 'sale')
  for (const page of [one, two]) await expect(banner(page)).toHaveText('Sale')

  await server.kill()
  await expect.poll(requests.open).toBe(0)
  await server.start()
  await expect.poll(requests.open, { timeout: 40_000 }).toBe(1)
  await server.serve('banner', 'gone')
  for (const page of [one, two]) await expect(banner(page)).toHaveText('Gone', { timeout: 20_000 })

  expect(await shownBy(one)).toEqual(['default', 'Hello', 'Sale', 'Gone'])
  // It began with what the other one had kept.
  expect(await shownBy(two)).toEqual(['Hello', 'Sale', 'Gone'])
  expect(requests.mostOpen()).toBe(1)
  await server.serve('banner', 'hello')
})

test('ten tabs over HTTP/1.1 load, evaluate and follow with one stream; when its tab closes another leads', async ({
  context,
}) => {
  const requests = watchRequests(context)
  const pages: Page[] = []
  for (let count = 0; count < 10; count++) pages.push(await openPage(context))
  for (const page of pages) await expect(banner(page)).toHaveText('Hello')
  await expect.poll(requests.open).toBe(1)

  const before = requests.evaluations()
  await server.serve('banner', 'sale')
  for (const page of pages) await expect(banner(page)).toHaveText('Sale')
  // The contexts are alike: the others take the answer of the tab that leads.
  expect(requests.evaluations() - before).toBeLessThanOrEqual(2)

  expect(requests.mostOpen()).toBe(1)

  const leader = requests.leader()
  const rest = pages.filter((page) => page !== leader)
  await leader?.close()
  await expect.poll(requests.open).toBe(1)
  await server.serve('banner', 'gone')
  for (const page of rest) await expect(banner(page)).toHaveText('Gone', { timeout: 15_000 })
  expect(requests.open()).toBe(1)
})
