// Datadog's client for browsers, unmodified, on a page of another site: what it was told is kept is what the server says.

import { expect, type Page, test } from '@playwright/test'
import type { StoredEvent } from '@telltale/core/contract/intake'
import type { Static } from 'typebox'
import { type DatadogSite, type SentEvent, startDatadogSite } from './datadog-site.ts'
import { clientKey, type FlagServer, startFlagServer } from './flag-server.ts'

type Stored = Static<typeof StoredEvent>

interface Items<Item> {
  items: Item[]
}

const environment = '/api/v1/projects/shop/environments/production'

let server: FlagServer
let site: DatadogSite

test.beforeAll(async () => {
  server = await startFlagServer({ telemetry: true })
  site = await startDatadogSite(server.url)
  const isOpen = () =>
    server.get(`${environment}/events`).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, { timeout: 40_000 }).toBe(true)
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

declare const datadogRum: typeof import('@datadog/browser-rum').datadogRum

/** What somebody does in the shop, on two routes and two pages. */
async function visit(page: Page, options: object): Promise<void> {
  const isRefused = site.refused > 0
  const given = encodeURIComponent(JSON.stringify({ key: clientKey, ...options }))
  await page.goto(`${site.url}/?options=${given}`)
  await page.evaluate(async () => {
    datadogRum.addAction('basket_add', { sku: 'a-1', price: 12 })
    datadogRum.addTiming('hydrated')
    datadogRum.addDurationVital('search', { startTime: Date.now() - 120, duration: 120 })
    datadogRum.addError(new Error('reported by hand'), { where: 'start' })
    await fetch('/api/stock')
    await fetch('/api/fail')
    await fetch('http://127.0.0.1:9/').catch(() => undefined)
    await new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.open('POST', '/api/stock')
      request.onloadend = resolve
      request.send()
    })
    // biome-ignore lint/suspicious/noConsole: the client listens to it
    console.error(new RangeError('console says no'))
  })
  await page.click('#add')
  await page.click('#dead')
  await page.click('#throw')
  await page.click('#reject')
  await page.click('#rage', { clickCount: 5, delay: 20 })
  await page.click('#burn')
  await page.evaluate(() => history.pushState(null, '', '/orders/8121/items'))
  await page.click('#add')
  await page.evaluate(() => datadogRum.addAction('paid', { total: 3 }))
  // What waits to be sent again is lost with its page.
  if (isRefused) await expect.poll(() => site.refused === 0 && site.accepted.length > 0).toBe(true)
  // A click is told once nothing follows it.
  await page.waitForTimeout(1_300)
  await page.goto(`${site.url}/second`)
  await page.click('#add')
  await page.waitForTimeout(1_300)
  await page.goto(`${site.url}/bye`)
}

const own = (reported: readonly SentEvent[], type: string): Record<string, unknown>[] => {
  const found = reported.filter((event) => event.type === type).map((event) => event[type])
  return [...new Map(found.map((each) => [each.id, each])).values()]
}

/** The last whole state of each view. */
function lastViews(reported: readonly SentEvent[]): SentEvent[] {
  const views = new Map<string, SentEvent>()
  for (const event of reported.filter(({ type }) => type === 'view')) {
    const known = views.get(event.view.id)
    const [before, after] = [known?._dd.document_version ?? 0, event._dd.document_version ?? 0]
    if (after > before) views.set(event.view.id, event)
  }
  return [...views.values()]
}

const vitalNames = {
  FCP: 'first_contentful_paint',
  TTFB: 'first_byte',
  LCP: 'largest_contentful_paint',
  INP: 'interaction_to_next_paint',
  CLS: 'cumulative_layout_shift',
}

const ways = [
  { name: 'by a text, plain, refused at first', form: 'text', isDoubled: false, refused: 2 },
  {
    name: 'by a function, compressed, changes of views, everything twice',
    form: 'function',
    isDoubled: true,
  },
] as const

for (const way of ways) {
  test(`what the client sent successfully is what the server stored: ${way.name}`, async ({ page }) => {
    site.accepted = []
    site.isDoubled = way.isDoubled
    site.refused = 'refused' in way ? way.refused : 0
    const isTwo = way.form === 'function'
    await visit(page, {
      form: way.form,
      compressIntakeRequests: isTwo,
      betaEnableViewUpdates: isTwo,
    })
    await expect.poll(() => lastViews(site.accepted).length, { timeout: 30_000 }).toBe(3)
    expect(site.refused).toBe(0)

    const { accepted } = site
    const session = accepted[0]?.session.id ?? ''
    const stored = async (kind: string) =>
      ((await server.get(`${environment}/events?kind=${kind}&session=${session}&limit=200`)) as Items<Stored>)
        .items
    const actions = own(accepted, 'action')
    const clicks = actions.filter(({ type }) => type === 'click')
    const views = lastViews(accepted)
    const resources = own(accepted, 'resource')
    const timings = new Set(views.flatMap(({ view }) => Object.keys(Object(view).custom_timings ?? {})))
    const vitals = views.flatMap(({ view }) =>
      Object.entries(vitalNames).flatMap(([name, member]) => {
        const value = Object(view)[member]
        return value === undefined ? [] : [{ name, value: name === 'CLS' ? value : value / 1e6 }]
      }),
    )
    const counts = {
      view: 3,
      action: clicks.length,
      custom: actions.length - clicks.length + own(accepted, 'vital').length + timings.size,
      error: own(accepted, 'error').length,
      resource: resources.length,
      long_frame: own(accepted, 'long_task').length,
      vital: vitals.length,
    }
    const kinds = Object.keys(counts)
    const countAll = async () =>
      Object.fromEntries(
        await Promise.all(kinds.map(async (kind) => [kind, (await stored(kind)).length] as const)),
      )
    await expect.poll(countAll, { timeout: 30_000 }).toEqual(counts)

    // What was done is what the client told of.
    expect(clicks.length).toBe(8)
    expect((await stored('error')).map(({ errorMessage }) => errorMessage).sort()).toEqual([
      'RangeError: console says no',
      'checkout exploded',
      'promise went wrong',
      'reported by hand',
    ])
    const byName = (items: Stored[]) => items.map(({ name, value }) => [name, Math.round(value)]).sort()
    expect(byName(await stored('vital'))).toEqual(
      byName(vitals.map(({ name, value }) => ({ name, value }) as Stored)),
    )
    const requests = (await stored('resource')).filter(({ endpoint }) => endpoint !== '')
    expect(requests.map(({ endpoint, status, failed }) => [endpoint, status, failed]).sort()).toEqual([
      ['/', 0, true],
      ['/api/fail', 500, true],
      ['/api/stock', 200, false],
      ['/api/stock', 200, false],
    ])

    const sessions = (await server.get(`${environment}/sessions?limit=50`)) as Items<Record<string, unknown>>
    const withSign = (sign: string) =>
      clicks.filter(({ frustration }) => Object(frustration).type.includes(sign)).length
    expect(sessions.items.find(({ id }) => id === session)).toMatchObject({
      userKey: 'user-7',
      version: '7.1.0',
      entryPage: '/',
      exitPage: '/second',
      views: 3,
      actions: 8,
      errors: 4,
      unhandledErrors: 2,
      requests: 4,
      failedRequests: 2,
      rageClicks: withSign('rage_click'),
      deadClicks: withSign('dead_click'),
      errorClicks: withSign('error_click'),
    })
    expect(withSign('rage_click')).toBe(1)
    const paid = (await stored('custom')).find(({ name }) => name === 'paid')
    expect(paid).toMatchObject({
      page: '/orders/:id/items',
      attributes: { total: '3', tenant: 'acme', env: 'live', 'usr.plan': 'pro', 'account.id': 'acct-1' },
    })
  })
}

test('an unknown key is rejected in a way that the client stops, readable for the page', async ({ page }) => {
  await page.goto(`${site.url}/bye`)
  const path = encodeURIComponent('/api/v2/rum?dd-api-key=pub0000&dd-request-id=1')
  const status = await page.evaluate(
    async (url) => (await fetch(url, { method: 'POST', body: '{}', credentials: 'include' })).status,
    `${server.url}/intake/datadog?ddforward=${path}`,
  )
  expect(status).toBe(403)
  const quota = await page.evaluate(
    async ({ url, key }) => (await fetch(url, { headers: { 'DD-CLIENT-TOKEN': key } })).json(),
    { url: `${server.url}/intake/datadog/api/v2/profiling/quota?session_id=1`, key: clientKey },
  )
  expect(quota.data.attributes).toHaveProperty('admitted')
})
