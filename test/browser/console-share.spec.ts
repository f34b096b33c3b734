// A replay shared by a link: created, opened by a person without an account, revoked; and links that show nothing.

import { type Browser, expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import { listenForComplaints, signIn } from './console.ts'
import { type FlagServer, shopOwner } from './flag-server.ts'
import { startWithWalks } from './recorded-sessions.ts'
import { row, shownText, slider } from './replay-screen.ts'

let server: FlagServer
let link: string
const environment = '/api/v1/projects/shop/environments/production'
const [walked, gone] = [newId(), newId()]

// One story, told in order.
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startWithWalks([walked, gone])
})
test.afterAll(() => server?.[Symbol.asyncDispose]())

const open = (page: Page, session: string) =>
  page.goto(`${server.url}/p/shop/sessions/${session}?env=production`)
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Share this replay' })

/** A browser of a person without an account. */
async function outside(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(address)
  return page
}

test('a member creates a link that is shown once', async ({ page }) => {
  await signIn(page, server, shopOwner)
  const complaints = listenForComplaints(page)
  await open(page, walked)
  await page.getByRole('button', { name: 'Share outside…' }).press('Enter')
  const dialog = dialogOf(page)
  await expect(dialog.getByText('No links yet.')).toBeVisible()
  await expect(dialog.getByLabel('The link works for')).toHaveValue('168')
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  await expect(dialog.getByText('Shown only once')).toBeVisible()
  link = (await dialog.locator('code').innerText()).trim()
  expect(link).toMatch(/\/shared\/session#tts_\w{32}$/)
  await expect(dialog.getByRole('listitem')).toContainText('never opened')
  await expectAccessibleInThemes(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(complaints).toEqual([])
})

test('a person without an account plays it, and learns nothing else', async ({ browser }) => {
  const page = await outside(browser, 'about:blank')
  const complaints = listenForComplaints(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked.push(new URL(request.url()).pathname)
  })
  const answer = await page.goto(link)
  expect(answer?.headers()['x-robots-tag']).toBe('noindex, nofollow')
  expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
  await expect(page.getByRole('heading', { name: 'Shared replay' })).toBeVisible()
  await expect(page.getByText('The link works until')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect.poll(() => shownText(page)).toContain('Bicycles that arrive')
  await row(page, '/cart').click()
  await expect.poll(() => shownText(page)).toContain('The cart of one-page')
  await expect(page.getByText('anonymous-1')).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await expect(slider(page)).not.toHaveValue('9000')
  // The address keeps the link.
  expect(page.url()).toBe(link)
  await expectAccessibleInThemes(page)
  expect(asked.filter((path) => !path.startsWith('/api/v1/shared/'))).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('recorded pages stay in their sandbox', async ({ browser }) => {
  const page = await outside(browser, link)
  await expect.poll(() => shownText(page)).toContain('Bicycles that arrive')
  const player = page.frames().find((frame) => frame.url().includes('/replay-player/'))
  const sandbox = await player?.evaluate(() => document.querySelector('iframe')?.getAttribute('sandbox'))
  expect(sandbox).not.toContain('allow-scripts')
  await page.context().close()
})

test('a revoked link shows nothing', async ({ page, browser }) => {
  await signIn(page, server, shopOwner)
  await page.goto(`${server.url}/p/shop/settings/share-links`)
  const links = page.getByRole('table', { name: 'Share links' })
  await expect(links.getByRole('row').nth(1)).toContainText('Active')
  await expectAccessibleInThemes(page)
  await links.getByRole('button', { name: 'Revoke link…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click()
  await expect(links.getByRole('row').nth(1)).toContainText('Revoked')

  const stranger = await outside(browser, link)
  await expect(stranger.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  await expect(stranger.getByText('The link was revoked.')).toBeVisible()
  await expectAccessible(stranger)
  await stranger.goto(`${server.url}/shared/session`)
  await expect(stranger.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  await stranger.context().close()
})

test('a dashboard is shared with its tiles and a choice of periods', async ({ page, browser }) => {
  const tile = (more: object) => ({ id: newId(), title: '', width: 6, height: 'small', ...more })
  const views = tile({ kind: 'explore', chart: 'number', measure: 'count', event: 'view', title: 'Views' })
  const users = tile({ kind: 'explore', chart: 'table', measure: 'count', by: 'user', title: 'Users' })
  const text = tile({ kind: 'text', text: 'Numbers of the **new** checkout.' })
  const made = (await server.post('/api/v1/projects/shop/dashboards', {
    ...{ name: 'Checkout', description: '', tiles: [views, users, text], defaults: { range: '24h' } },
  })) as { id: string }
  await signIn(page, server, shopOwner)
  await page.goto(`${server.url}/p/shop/dashboards/${made.id}?env=production`)
  await page.getByRole('button', { name: 'Share outside…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this dashboard' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const address = (await dialog.locator('code').innerText()).trim()

  const stranger = await outside(browser, address)
  const complaints = listenForComplaints(stranger)
  await expect(stranger.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible()
  await expect(stranger.getByRole('region', { name: 'Views', exact: true })).toContainText('4')
  await expect(stranger.getByRole('region', { name: 'Users', exact: true })).toContainText('Not shared')
  await expect(stranger.getByText('Numbers of the new checkout.')).toBeVisible()
  const measured = stranger.waitForResponse((answer) => {
    const body = answer.request().postData() ?? ''
    return answer.url().endsWith('/shared/tile') && body.includes(views.id)
  })
  await stranger.getByLabel('Period').selectOption({ index: 0 })
  expect((await measured).status()).toBe(200)
  await expectAccessibleInThemes(stranger)
  expect(complaints).toEqual([])
  await stranger.context().close()
})

test('a link to an erased session says so', async ({ browser }) => {
  const made = (await server.post('/api/v1/projects/shop/share-links', {
    ...{ kind: 'session', target: gone, env: 'production', hours: 1 },
  })) as { url: string }
  await server.post(`${environment}/erasures`, { anonymousId: 'anonymous-1' })
  const view = () =>
    fetch(`${server.url}/api/v1/shared/view`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: new URL(made.url).hash.slice(1) }),
    }).then((answer) => answer.json())
  await expect.poll(view, { timeout: 60_000 }).toMatchObject({ session: null })
  const stranger = await outside(browser, made.url)
  await expect(stranger.getByRole('heading', { name: 'This session was deleted' })).toBeVisible()
  await expectAccessible(stranger)
  await stranger.context().close()
})

test('a role without the permission learns why', async ({ page }) => {
  await signIn(page, server, shopOwner)
  const invited = (await server.post('/api/v1/projects/shop/invitations', {
    ...{ email: 'eli@example.com', role: 'editor' },
  })) as { url: string }
  await page.context().clearCookies()
  await page.request.post(`${server.url}/api/v1/invitation/accept`, {
    headers: { origin: server.url },
    data: { token: new URL(invited.url).hash.slice(1), name: 'Eli', password: shopOwner.password },
  })
  await page.goto(`${server.url}/p/shop/settings/share-links`)
  await expect(page.getByText("You don't have access")).toBeVisible()
})
