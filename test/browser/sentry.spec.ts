// Sentry's client for browsers, unmodified, on a page of another site: what the page did is what the server says.

import { expect, type Page, test } from '@playwright/test'
import type { StoredEvent } from '@telltale/core/contract/intake'
import type { Static } from 'typebox'
import { type FlagServer, startFlagServer } from './flag-server.ts'
import { type SentrySite, startSentrySite } from './sentry-site.ts'

type Stored = Static<typeof StoredEvent>

const environment = '/api/v1/projects/shop/environments/production'
const patience = { timeout: 30_000 }

let server: FlagServer
let site: SentrySite
let dsn: string

test.beforeAll(async () => {
  server = await startFlagServer({ telemetry: true })
  site = await startSentrySite()
  const isOpen = () =>
    server.get(`${environment}/events`).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, { timeout: 40_000 }).toBe(true)
  const made = Object(await server.post(`${environment}/keys`, { kind: 'client', label: 'Sentry' }))
  dsn = server.url.replace('//', `//${made.value}@`).concat('/1')
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

declare const Sentry: typeof import('@sentry/react')
declare const breakCart: () => void

const open = (page: Page, options: object = {}) =>
  page.goto(`${site.url}/?options=${encodeURIComponent(JSON.stringify({ dsn, ...options }))}`)

const eventsOf = async (kind: string) =>
  Object(await server.get(`${environment}/events?kind=${kind}&limit=200`)).items as Stored[]
const namesOf = async (kind: string) => (await eventsOf(kind)).map(({ name }) => name)
const messages = async () => (await eventsOf('error')).map(({ errorMessage }) => errorMessage).sort()

test('a visit with errors of every kind, requests, vitals, a flag and a recording is one session', async ({
  page,
}) => {
  await open(page)
  await page.click('#add')
  await page.evaluate(async () => {
    Sentry.captureException(new TypeError('reported by hand', { cause: new Error('the first cause') }), {
      tags: { step: 'pay' },
      extra: { items: 3 },
    })
    Sentry.captureMessage('stock is low', 'warning')
    Sentry.captureMessage('all is well', 'info')
    Sentry.captureMessage('left out', 'error')
    Sentry.captureException(new Error('grouped by hand'), { fingerprint: ['payment', 'declined'] })
    await fetch('/api/stock')
    await fetch('/api/fail')
    // biome-ignore lint/suspicious/noConsole: the client listens to it
    console.error(new RangeError('console says no'))
  })
  await page.click('#throw')
  await page.click('#reject')
  await page.evaluate(() => breakCart())
  await expect(page.getByText('gone')).toBeVisible()
  await page.evaluate(() => Sentry.captureFeedback({ message: 'the basket is slow' }))
  // Sooner, the client takes it for a redirect of the page load.
  await expect.poll(async () => (await eventsOf('view')).length, patience).toBe(1)
  await page.click('#go')
  await expect.poll(async () => (await eventsOf('view')).length, patience).toBe(2)
  await page.goto(`${site.url}/bye`)

  await expect
    .poll(messages, patience)
    .toEqual([
      'basket is empty',
      'cannot render the cart',
      'console says no',
      'coupon is wrong',
      'grouped by hand',
      'reported by hand',
      'stock is low',
    ])
  const byHand = (await eventsOf('error')).find(({ errorMessage }) => errorMessage === 'reported by hand')
  expect(byHand).toMatchObject({
    ...{ errorType: 'TypeError', version: 'shop@7.1.0', userKey: 'user-7', flags: ['new-cart=true'] },
    attributes: { plan: 'pro', step: 'pay', 'extra.items': '3', environment: 'live' },
  })
  expect(await namesOf('custom')).toEqual(expect.arrayContaining(['session_start', 'message', 'feedback']))
  const requests = (await eventsOf('resource')).filter(({ endpoint }) => endpoint.startsWith('/api/'))
  expect(requests.map(({ endpoint, status }) => [endpoint, status]).sort()).toEqual([
    ['/api/fail', 503],
    ['/api/stock', 200],
  ])
  await expect
    .poll(() => namesOf('vital'), patience)
    .toEqual(expect.arrayContaining(['LCP', 'CLS', 'FCP', 'TTFB']))
  expect((await eventsOf('view')).map((event) => new URL(event.url).pathname).sort()).toEqual(
    expect.arrayContaining(['/', '/orders/8121/items']),
  )
  const readSession = async () => Object(await server.get(`${environment}/sessions`)).items
  await expect
    .poll(
      async () => (await readSession()).map(({ hasReplay }: { hasReplay: boolean }) => hasReplay),
      patience,
    )
    .toEqual([true])
  const [session] = await readSession()
  expect(session).toMatchObject({
    userKey: 'user-7',
    errors: 7,
    unhandledErrors: 2,
    source: 'sentry',
    version: 'shop@7.1.0',
  })
  expect(session.flags).toEqual(['new-cart=true'])
  // Only those before an error are reported.
  const clicks = await namesOf('action')
  expect(clicks.sort()).toEqual([
    'body > main > button#add',
    'body > main > button#reject',
    'body > main > button#throw',
  ])
})

test('by a tunnel, without tracing and recording, a page load is a session and a retried batch is stored once', async ({
  page,
}) => {
  const before = (await messages()).length
  let sent = 0
  await page.route('**/intake/sentry', async (route) => {
    sent += 1
    // The server takes it, and the page is told that the network failed.
    await route.fetch()
    if (sent === 2) await route.abort()
    else await route.continue()
  })
  await open(page, { isQuiet: true, tunnel: `${server.url}/intake/sentry` })
  await page.click('#throw')
  await page.evaluate(() => Sentry.captureException(new Error('through the tunnel')))
  await expect.poll(messages, patience).toContain('through the tunnel')
  await expect.poll(async () => (await messages()).length, patience).toBe(before + 2)
  const outcomes = () => server.read(`${environment}/intake/outcomes`)
  await expect.poll(outcomes, patience).toContain('"repeated"')
})

test('a wrong key and an exhausted client are told so', async () => {
  const send = (path: string, body: string, headers = {}) =>
    fetch(`${server.url}${path}`, { method: 'POST', body, headers })
  const lines = (first: object, ...items: [object, object][]) =>
    [first, ...items.flat()].map((line) => JSON.stringify(line)).join('\n')
  const key = new URL(dsn).username
  const refused = await send('/api/1/envelope/?sentry_key=unknown', lines({}), { origin: site.url })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  expect((await send(`/api/1/envelope/?sentry_key=${key}`, 'no envelope')).status).toBe(400)
  expect(
    (await send(`/api/1/envelope/?sentry_key=${key}`, lines({}, [{ type: 'event', length: 900 }, {}])))
      .status,
  ).toBe(400)
  const answer = await send(
    '/api/1/envelope/',
    lines({ event_id: 'a'.repeat(32) }, [{ type: 'check_in' }, {}], [{ type: 'event' }, { event_id: 'no' }]),
    { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key}` },
  )
  expect([answer.status, await answer.json()]).toEqual([200, { id: 'a'.repeat(32) }])
})
