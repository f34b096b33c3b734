import { expect, type Page, test } from '@playwright/test'
import { context, event, type Line, send, toLines, views } from '../intake/visitor.ts'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

// Without a telemetry store: the tail shows what the intake keeps on disk.
let server: BuiltServer
const clientKeys = new Map<string, string>()

test.beforeAll(async ({ browser }) => {
  server = await startConsole()
  const page = await browser.newPage()
  await signIn(page, server)
  for (const env of ['development', 'staging', 'production']) {
    const keys = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
      path: `${projectPath}/environments/${env}/keys`,
    })
    clientKeys.set(env, keys.items.find(({ kind }) => kind === 'client')?.value ?? '')
  }
  await page.close()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

async function hand(lines: readonly Line[], env = 'development'): Promise<void> {
  const { status } = await send(server.url, toLines(lines), { key: clientKeys.get(env) ?? '' })
  expect(status).toBe(202)
}

async function openTail(page: Page, query = 'env=development'): Promise<void> {
  await page.goto(`${server.url}/p/pedal-post/live?${query}`)
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
}

const linesOf = (page: Page) =>
  page.getByRole('list', { name: 'Events, the newest last' }).getByRole('button')
const error = (message: string) =>
  event('error', { source: 'uncaught', type: 'TypeError', message, handled: false, stack: 'at pay' })

test('an empty environment shows how to connect, and the first event immediately', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/pedal-post/?env=staging`)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(page.getByRole('heading', { name: 'No events yet in Staging' })).toBeVisible()
  await expect(page.getByText(clientKeys.get('staging') ?? '').first()).toBeVisible()
  await expect(page.getByText('The telemetry store is unavailable')).toBeVisible()
  await expectAccessible(page)
  await hand([context(), error('No card')], 'staging')
  await expect(linesOf(page)).toHaveCount(1)
  await expect(linesOf(page)).toContainText('TypeError: No card')
  expect(complaints).toEqual([])
})

test('chips filter the events, are in the URL, and can be removed individually', async ({ page }) => {
  await openTail(page)
  await page.keyboard.press('/')
  await page.keyboard.type('kind:error flag:checkout=new stock')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=kind/)
  await expect(page.getByText('No matches yet')).toBeVisible()
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
  const reads = [{ flag: 'checkout', variation: 'new' }]
  await hand([context(), error('out of stock')])
  await hand([context({ reads }), ...views(2), error('Out of stock')])
  await expect(linesOf(page)).toHaveCount(1)
  await expect(linesOf(page)).toContainText('Out of stock')

  await page.getByRole('button', { name: 'Remove flag:checkout=new' }).click()
  await expect(page).not.toHaveURL(/checkout/)
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('button', { name: 'Remove stock' })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Remove stock' })).toBeVisible()

  await page.getByRole('combobox', { name: 'Filter: error' }).fill('colour:red')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('there is no field "colour"')

  await page.goto(`${server.url}/p/pedal-post/live?env=development&q=errors%3A%3E3`)
  await expect(page.getByRole('alert')).toContainText('errors:>3 is a session field')
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
})

test('space pauses and resumes; events in between are counted', async ({ page }) => {
  await openTail(page, 'env=production')
  await hand([context(), error('before')], 'production')
  await expect(linesOf(page)).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  await hand([context(), ...views(3)], 'production')
  await expect(page.getByRole('button', { name: '3 new' })).toBeVisible()
  await expect(linesOf(page)).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(linesOf(page)).toHaveCount(4)
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
})

test('a burst is reported with its size, keeps the page small, and scrolling up stops the rows', async ({
  page,
}) => {
  await openTail(page)
  for (let burst = 0; burst < 4; burst += 1) await hand([context(), ...views(5_000)])
  await expect(page.getByText(/Dropping [\d,]+ of [\d,]+ per s to keep up/)).toBeVisible()
  await expect(page.getByText(/[\d,]+ hidden so far/)).toBeVisible()
  expect(await linesOf(page).count()).toBeLessThanOrEqual(200)
  await hand([context(), ...views(10)])
  await hand([context(), error('the last of them')])
  await expect(linesOf(page).last()).toContainText('the last of them')

  await page.getByRole('list', { name: 'Events, the newest last' }).hover()
  await page.mouse.wheel(0, -400)
  await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  await page.mouse.wheel(0, 4_000)
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
})

test('an event opens with all its fields, by keyboard, and filters the tail', async ({ page }) => {
  await openTail(page)
  const read = { flag: 'checkout', variation: 'new', split: '7', epoch: 1, by: 'targetingKey', unit: 'mara' }
  const own = context({ userKey: 'mara', reads: [read], attributes: { plan: 'pro' } })
  await hand([own, event('view'), error('No card'), event('action', { name: 'Pay', frustration: ['rage'] })])
  await expect(linesOf(page).last()).toContainText('Pay rage click')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const peek = page.getByRole('complementary', { name: 'error' })
  await expect(peek.getByText('TypeError: No card')).toBeVisible()
  await expect(peek.getByRole('link', { name: 'checkout' })).toBeVisible()
  await expect(peek.getByLabel('The event as JSON')).toContainText('"plan": "pro"')
  await expectAccessibleInThemes(page)
  await peek.getByRole('button', { name: 'Only this user' }).click()
  await expect(page).toHaveURL(/q=user%3Amara/)
  await page.keyboard.press('Escape')
  await expect(peek).toHaveCount(0)
  await expectAccessibleInThemes(page)
})

test('a lost connection is reported and restored; a rejection stays until retried', async ({ page }) => {
  await page.route('**/environments/development/live', (route) => route.abort())
  await page.goto(`${server.url}/p/pedal-post/live?env=development`)
  await expect(page.getByText('Reconnecting', { exact: true }).first()).toBeVisible()
  await page.unrouteAll()
  await expect(page.getByText('Running', { exact: true })).toBeVisible()

  await page.route('**/environments/development/live', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: '/errors/forbidden', title: 'Not allowed', permission: 'project.view' }),
    }),
  )
  await page.reload()
  await expect(page.getByRole('heading', { name: "You don't have access" })).toBeVisible()
})

test('a viewer can follow it too', async ({ page }) => {
  await becomeMember(page, server, 'viewer')
  await openTail(page)
  await hand([context(), error('seen by a viewer')])
  await expect(linesOf(page).last()).toContainText('seen by a viewer')
})
