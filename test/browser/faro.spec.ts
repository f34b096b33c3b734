// Grafana Faro's web client, unmodified, on a page of another site: what the page did is what the server says.

import { expect, type Page, test } from '@playwright/test'
import type { StoredEvent } from '@telltale/core/contract/intake'
import type { Static } from 'typebox'
import { faroScenarios } from './faro-scenarios.ts'
import { type FaroSite, startFaroSite } from './faro-site.ts'
import { clientKey, type FlagServer, startFlagServer } from './flag-server.ts'

type Stored = Static<typeof StoredEvent>

const environment = '/api/v1/projects/shop/environments/production'
const patience = { timeout: 30_000 }

let server: FlagServer
let site: FaroSite

test.beforeAll(async () => {
  server = await startFlagServer({ telemetry: true })
  site = await startFaroSite()
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

declare const faro: import('@grafana/faro-web-sdk').Faro

const open = (page: Page, options: object) =>
  page.goto(`${site.url}/?options=${encodeURIComponent(JSON.stringify(options))}`)

const eventsOf = async (kind: string) =>
  Object(await server.get(`${environment}/events?kind=${kind}&limit=200`)).items as Stored[]
const ofMember = async (kind: string, userKey: string) =>
  (await eventsOf(kind)).filter((event) => event.userKey === userKey)
const itemsOf = async (path: string) => Object(await server.get(`${environment}/${path}`)).items

const all = <Part>(part: (scenario: (typeof faroScenarios)[number]) => readonly Part[] | undefined) =>
  faroScenarios.flatMap((scenario) => part(scenario) ?? [])
const by = (member: string) => (one: object, other: object) =>
  Object(one)[member] < Object(other)[member] ? -1 : 1

test(`a visit with ${faroScenarios.length} scenarios, and pages between them, is one session`, async ({
  page,
}) => {
  await open(page, { url: `${server.url}/intake/faro/${clientKey}` })
  const views = async () => (await eventsOf('view')).map(({ url }) => new URL(url).pathname)
  await expect.poll(views, patience).toEqual(['/'])
  for (const { did } of faroScenarios) await did(page)
  await page.click('#go')
  await page.evaluate(() => faro.api.pushEvent('arrived'))
  await expect.poll(views, patience).toHaveLength(2)
  await page.goBack()
  await page.evaluate(() => faro.api.pushEvent('returned'))
  await expect.poll(views, patience).toHaveLength(3)
  await page.goto(`${site.url}/bye`)
  await expect.poll(views, patience).toHaveLength(4)
  expect((await views()).sort()).toEqual(['/', '/', '/bye', '/orders/8121/items'])
  const beginnings = (await eventsOf('view')).map(({ name }) => name)
  expect(beginnings.sort()).toEqual(['load', 'load', 'route', 'route'])

  const errors = all((scenario) => scenario.errors).sort(by('errorMessage'))
  const stored = async () => (await eventsOf('error')).sort(by('errorMessage'))
  await expect.poll(stored, patience).toHaveLength(errors.length)
  expect(await stored()).toMatchObject(
    errors.map((error) => ({ userKey: 'user-7', version: '7.1.0', ...error })),
  )
  const ofClient = new Set(['session_start', 'session_resume', 'arrived', 'returned'])
  const customs = (await eventsOf('custom')).filter(({ name }) => !ofClient.has(name)).sort(by('name'))
  expect(customs).toMatchObject(all((scenario) => scenario.customs).sort(by('name')))
  const requests = (await eventsOf('resource')).filter(({ endpoint }) => endpoint.startsWith('/api/'))
  expect(requests.map(({ endpoint, status }) => [endpoint, status]).sort()).toEqual(
    all((scenario) => scenario.requests).sort(),
  )
  expect((await eventsOf('action')).map(({ name }) => name)).toEqual(all(({ actions }) => actions))
  const vitals = async () => (await eventsOf('vital')).map(({ name }) => name)
  await expect.poll(vitals, patience).toEqual(expect.arrayContaining(['LCP', 'CLS', 'FCP', 'TTFB', 'INP']))
  expect((await eventsOf('exposure')).map(({ flags }) => flags)).toEqual([['new-cart=true']])
  expect((await itemsOf('logs?limit=50')).sort(by('body'))).toMatchObject(all(({ logs }) => logs))
  const issues: { message: string }[] = await itemsOf('issues?limit=100')
  expect(issues.filter(({ message }) => message.startsWith('card of'))).toMatchObject([{ events: 2 }])

  const sessions = () => itemsOf('sessions')
  await expect
    .poll(async () => (await sessions()).map((session: { views: number }) => session.views), patience)
    .toEqual([4])
  expect(await sessions()).toMatchObject([
    {
      ...{ userKey: 'user-7', errors: errors.length, unhandledErrors: 2, actions: 1 },
      ...{ source: 'faro', version: '7.1.0', flags: ['new-cart=true'] },
    },
  ])
})

test('with tracing, each request is stored once, with its trace, although the network loses an answer', async ({
  page,
}) => {
  let sent = 0
  const bodies: string[] = []
  await page.route('**/intake/faro', async (route) => {
    sent += 1
    // The server takes it, and the page is told that the network failed.
    if (sent === 2) {
      await route.fetch()
      await route.abort()
    } else await route.continue()
    bodies.push(String(route.request().headers()['content-encoding']))
  })
  await open(page, { url: `${server.url}/intake/faro`, apiKey: clientKey, isTraced: true, gzip: true })
  await page.evaluate(() => faro.api.setUser({ id: 'user-8' }))
  const traces = () => itemsOf('traces?limit=50')
  const ask = () => page.evaluate(() => fetch('/api/stock').then(() => undefined))
  await ask()
  await expect.poll(traces, patience).toHaveLength(1)
  await ask()
  await page.evaluate(() => faro.api.pushError(new Error('while traced')))
  await expect.poll(traces, patience).toHaveLength(2)
  const requests = async () =>
    (await ofMember('resource', 'user-8')).filter(({ endpoint }) => endpoint === '/api/stock')
  await expect.poll(requests, patience).toHaveLength(2)
  const outcomes = () => server.read(`${environment}/intake/outcomes`)
  await expect.poll(outcomes, patience).toContain('"reported_twice"')
  expect(await outcomes()).toContain('"repeated"')
  expect(new Set(bodies)).toEqual(new Set(['gzip']))
  const [session] = (await itemsOf('sessions')).filter(
    ({ userKey }: { userKey: string }) => userKey === 'user-8',
  )
  const found = await Promise.all(
    (await traces()).map(({ traceId }: { traceId: string }) =>
      server.get(`${environment}/traces/${traceId}`),
    ),
  )
  // The first was timed before the server knew that the page is traced.
  expect(found.flatMap(({ requests: own }) => own)).toMatchObject([{ method: 'GET', session: session.id }])
  expect(found.map(({ spanList }) => spanList)).toMatchObject([[{ httpStatus: 200 }], [{ httpStatus: 200 }]])
})
