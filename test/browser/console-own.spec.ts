import { expect, type Page, test } from '@playwright/test'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { ask, projectPath } from './console-member.ts'

// The console as a customer of its own server, with a telemetry store.
let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole({ ownProject: 'on', telemetry: true })
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

interface OwnEvent {
  kind: string
  name: string
  page: string
  url: string
  target: string
  userKey: string
  errorMessage: string
  endpoint: string
}

const own = '/api/v1/projects/telltale/environments/console'

async function ownEvents(page: Page): Promise<OwnEvent[]> {
  const { items } = await ask<{ items: OwnEvent[] }>(page, server, { path: `${own}/events?limit=200` })
  return items
}

test('views, waits and errors of its users arrive under the patterns of its screens, without names', async ({
  page,
}) => {
  await signIn(page, server)
  const account = () => ask<{ ownMonitoring: boolean }>(page, server, { path: '/api/v1/account' })
  await expect.poll(account, { timeout: 30_000 }).toMatchObject({ ownMonitoring: true })
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/flags`,
    body: {
      key: 'secret-plan',
      name: 'A secret plan',
      valueType: 'boolean',
      clientVisible: true,
      variations: [
        { key: 'on', value: true },
        { key: 'off', value: false },
      ],
    },
  })

  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const reported = page.waitForRequest(/\/intake\/v1\/events/)
  await page.goto(`${server.url}/p/pedal-post/flags`)
  await page.getByRole('link', { name: 'secret-plan' }).click()
  await expect(page.getByRole('heading', { name: /secret/ })).toBeVisible()
  // What no screen expects: the screen fails while it is drawn, and says so in its place.
  await page.route('**/api/v1/projects/pedal-post/segments*', (route) =>
    route.fulfill({ json: { items: [null], next: null } }),
  )
  await page.getByRole('link', { name: 'Segments' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await reported
  await page.goto('about:blank')

  const kindsAt = async () => (await ownEvents(page)).map(({ kind, page: at }) => `${kind} ${at}`)
  await expect
    .poll(kindsAt, { timeout: 20_000 })
    .toEqual(
      expect.arrayContaining([
        'view /p/:project/flags',
        'vital /p/:project/flags',
        'view /p/:project/flags/:flag/targeting',
        'resource /p/:project/flags/:flag/targeting',
        'action /p/:project/flags',
        'error /p/:project/segments',
      ]),
    )
  const events = await ownEvents(page)
  expect(JSON.stringify(events)).not.toMatch(/secret|pedal-post|Mara|@/)
  expect(events.filter(({ userKey }) => userKey === '')).toEqual([])

  // What tells of requests is none of them.
  expect(requested.filter((path) => path.startsWith('/intake/')).length).toBeGreaterThan(0)
  const endpoints = events
    .filter(({ kind }) => kind === 'resource')
    .map(({ url, endpoint }) => `${url} ${endpoint}`)
  expect(endpoints.filter((text) => /\/(intake|ofrep|sdk)\//.test(text))).toEqual([])
})

test('a profile of the console itself logs nothing to its console', async ({ page }) => {
  await signIn(page, server)
  const account = () => ask<{ ownMonitoring: boolean }>(page, server, { path: '/api/v1/account' })
  await expect.poll(account, { timeout: 30_000 }).toMatchObject({ ownMonitoring: true })
  const { version } = await ask<{ version: number }>(page, server, { path: own })
  await ask(page, server, {
    method: 'PATCH',
    path: own,
    headers: { 'if-match': `"${version}"` },
    body: { sampling: { session: 100, replay: 0, profile: 100 } },
  })
  const complaints = listenForComplaints(page)
  const profiler = page.waitForResponse(/\/profiler-[^/]+\.js/)
  await page.goto(`${server.url}/p/pedal-post/flags`)
  expect((await profiler).status()).toBe(200)
  await expect(page.getByRole('heading', { name: 'Flags', exact: true })).toBeVisible()
  await page.goto('about:blank')
  expect(complaints).toEqual([])
})

test('without a telemetry store nothing is sent', async ({ page }) => {
  const complaints = listenForComplaints(page)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.route('**/api/v1/account', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), ownMonitoring: false } })
  })
  await signIn(page, server)
  await page.goto(`${server.url}/p/pedal-post/flags`)
  await expect(page.getByRole('heading', { name: 'Flags', exact: true })).toBeVisible()
  await expect.poll(() => requested.some((path) => path.startsWith('/ofrep/'))).toBe(true)
  await page.goto('about:blank')
  // Flags come all the same, over their stream.
  expect(requested.filter((path) => /^\/(intake\/|sdk\/v1\/config)/.test(path))).toEqual([])
  expect(complaints).toEqual([])
})
