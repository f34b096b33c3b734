// The command palette finds what exists in a project, and only that.

import { expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, event, send, toLines } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { project, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

const environment = `${projectPath}/environments/production`
const patience = { timeout: 30_000 }
const session = newId()
const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

let server: BuiltServer

const address = (path = '') => `${server.url}/p/${project.key}${path}`
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

async function openPalette(page: Page, text: string): Promise<void> {
  await page.goto(address('/flags'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Flags')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(text)
}

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const { items } = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
    path: `${environment}/keys`,
  })
  const key = items.find(({ kind }) => kind === 'client')?.value ?? ''
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/alerts`,
    body: {
      name: 'Checkout is broken',
      env: 'production',
      rule: { kind: 'events', events: ['issue.new'] },
      channels: [],
    },
  })
  const error = event('error', {
    source: 'uncaught',
    type: 'RangeError',
    message: 'basket overflow',
    handled: false,
  })
  const lines = toLines([
    context({ session, anonymousId: session, page: '/basket/summary' }),
    event('view'),
    error,
  ])
  expect((await send(server.url, lines, { key, headers: { 'user-agent': chrome } })).status).toBe(202)
  const find = async () => (await page.request.get(`${server.url}${environment}/issues`)).text()
  await expect.poll(find, patience).toContain('basket overflow')
  await page.close()
})
test.afterAll(() => server?.[Symbol.asyncDispose]())
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

test('it finds pages, errors and alerts by a part of their text', async ({ page }) => {
  await openPalette(page, 'basket')
  await expect(option(page, /basket\/summary/)).toBeVisible()
  await expect(option(page, /RangeError: basket overflow/)).toBeVisible()
  await expectAccessibleInThemes(page)
  await option(page, /RangeError/).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('RangeError: basket overflow')

  await openPalette(page, 'is broken')
  await expect(option(page, /Checkout is broken/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout is broken')
})

test('a session is found by its id, and an unknown id finds nothing', async ({ page }) => {
  await openPalette(page, session.toUpperCase())
  await expect(option(page, session)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/sessions/${session}`))

  const unknown = newId()
  const answered = page.waitForResponse((reply) => reply.url().includes(unknown) && reply.status() === 404)
  await openPalette(page, unknown)
  await answered
  await expect(page.getByText('No matches.')).toBeVisible()
})

for (const { typed, name, dialog } of [
  { typed: 'new flag', name: 'New flag', dialog: 'New flag' },
  { typed: 'segment new', name: 'New segment', dialog: 'New segment' },
  { typed: 'invite', name: 'Invite member', dialog: 'Invite' },
  { typed: 'new proj', name: 'New project', dialog: 'New project' },
]) {
  test(`"${typed}" opens the dialog`, async ({ page }) => {
    await openPalette(page, typed)
    await expect(option(page, new RegExp(name))).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: new RegExp(dialog) })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).not.toHaveURL(/new=true/)
  })
}

test('a viewer is offered no command that would be refused', async ({ page }) => {
  await becomeMember(page, server, 'viewer')
  await openPalette(page, 'new flag')
  await expect(page.getByText('No matches.')).toBeVisible()
})

test('it signs out', async ({ page }) => {
  await openPalette(page, 'sign out')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sign-in/)
})

test('what is typed before it has loaded is kept', async ({ page }) => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/assets\/palette-.*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(address('/flags'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Flags')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new flat')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('g')
  release()
  const field = page.getByRole('combobox', { name: 'Search' })
  await expect(field).toHaveValue('new flag')
  await expect(field).toBeFocused()
  await page.keyboard.type('s')
  await expect(field).toHaveValue('new flags')
})
