// Sentry's client for browsers, unmodified, on a page of another site: what the page did is what the server says.

import { expect, type Page, test } from '@playwright/test'
import type { StoredEvent } from '@telltale/core/contract/intake'
import type { Static } from 'typebox'
import { type FlagServer, startFlagServer } from './flag-server.ts'
import { browserScenarios } from './sentry-scenarios.ts'
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

const open = (page: Page, options: object = {}) =>
  page.goto(`${site.url}/?options=${encodeURIComponent(JSON.stringify({ dsn, ...options }))}`)

const eventsOf = async (kind: string) =>
  Object(await server.get(`${environment}/events?kind=${kind}&limit=200`)).items as Stored[]
const namesOf = async (kind: string) => (await eventsOf(kind)).map(({ name }) => name)
const messages = async () => (await eventsOf('error')).map(({ errorMessage }) => errorMessage).sort()

const inPage = (part: string) => `body > main > button${part}`
const all = <Part>(part: (scenario: (typeof browserScenarios)[number]) => readonly Part[] | undefined) =>
  browserScenarios.flatMap((scenario) => part(scenario) ?? [])
const byMessage = (one: { errorMessage: string }, other: { errorMessage: string }) =>
  one.errorMessage < other.errorMessage ? -1 : 1

test(`a visit with ${browserScenarios.length} scenarios, and pages between them, is one session`, async ({
  page,
}) => {
  await open(page)
  for (const { did } of browserScenarios) await did(page)
  // Sooner, the client takes it for a redirect of the page load.
  const views = async () => (await eventsOf('view')).map(({ url }) => new URL(url).pathname)
  await expect.poll(views, patience).toHaveLength(1)
  await page.click('#go')
  await expect.poll(views, patience).toHaveLength(2)
  await page.goBack()
  await expect.poll(views, patience).toHaveLength(3)
  await page.goto(`${site.url}/bye`)
  await expect.poll(views, patience).toHaveLength(4)
  expect((await views()).sort()).toEqual(['/', '/', '/bye', '/orders/8121/items'])

  const expected = all(({ errors }) => errors).sort(byMessage)
  await expect.poll(messages, patience).toEqual(expected.map(({ errorMessage }) => errorMessage))
  const errors = (await eventsOf('error')).sort(byMessage)
  expect(errors).toMatchObject(
    expected.map((error) => ({ userKey: 'user-7', version: 'shop@7.1.0', ...error })),
  )
  const customs = (await eventsOf('custom')).filter(({ name }) => name !== 'session_start').reverse()
  expect(customs).toMatchObject(all((scenario) => scenario.customs))
  expect(await namesOf('custom')).toContain('session_start')
  const requests = (await eventsOf('resource')).filter(({ endpoint }) => endpoint.startsWith('/api/'))
  expect(requests.map(({ endpoint, status }) => [endpoint, status]).sort()).toEqual(
    all((scenario) => scenario.requests).sort(),
  )
  // Only those before an error are reported.
  expect((await namesOf('action')).sort()).toEqual(
    all(({ actions }) => actions)
      .map(inPage)
      .sort(),
  )
  const vitals = () => namesOf('vital')
  await expect.poll(vitals, patience).toEqual(expect.arrayContaining(['LCP', 'CLS', 'FCP', 'TTFB', 'INP']))
  expect((await eventsOf('long_frame')).length).toBeGreaterThan(0)
  expect((await eventsOf('exposure')).map(({ flags }) => flags)).toEqual([['new-cart=true']])
  const logs = Object(await server.get(`${environment}/logs?limit=50`)).items
  expect(logs.map(({ body, level }: { body: string; level: string }) => ({ body, level })).sort()).toEqual(
    all((scenario) => scenario.logs),
  )
  const issues: { message: string; events: { value: number } }[] = Object(
    await server.get(`${environment}/issues?limit=100`),
  ).items
  expect(issues.filter(({ message }) => message.startsWith('card of'))).toMatchObject([{ events: 2 }])

  const readSession = async () => Object(await server.get(`${environment}/sessions`)).items
  await expect
    .poll(
      async () => (await readSession()).map(({ hasReplay }: { hasReplay: boolean }) => hasReplay),
      patience,
    )
    .toEqual([true])
  const [session] = await readSession()
  expect(session).toMatchObject({
    ...{ userKey: 'user-7', errors: expected.length, unhandledErrors: 2, views: 4 },
    ...{ source: 'sentry', version: 'shop@7.1.0', flags: ['new-cart=true'] },
  })
  // What `beforeSend` left out, and the span of the application.
  const outcomes = () => server.read(`${environment}/intake/outcomes`)
  await expect.poll(outcomes, patience).toContain('"discarded"')
  expect(await outcomes()).toContain('"unknown_kind"')
})

test('by a tunnel, without tracing and recording, a page load is a session and a retried batch is stored once', async ({
  page,
}) => {
  const before = (await messages()).length
  const views = (await eventsOf('view')).length
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
  // Nothing of it was sampled.
  expect(await eventsOf('view')).toHaveLength(views)
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
