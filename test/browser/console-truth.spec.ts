// Times are those of the environment wherever the browser stands, and what a screen leaves out is said and can be seen.
import { expect, type Page, test } from '@playwright/test'
import { context, toLines, views } from '../intake/visitor.ts'
import { expectAccessible, expectStructured } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { signIn, startConsole } from './console.ts'
import { ask } from './console-member.ts'

let server: BuiltServer

test.use({ timezoneId: 'America/New_York' })
test.beforeAll(async () => {
  server = await startConsole({ telemetry: true })
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const environment = '/api/v1/projects/pedal-post/environments/production'

test("a custom range is interpreted and labelled in the environment's time zone", async ({ page }) => {
  const found = await ask<{ version: number }>(page, server, { path: environment })
  await ask(page, server, {
    method: 'PATCH',
    path: environment,
    headers: { 'if-match': `"${found.version}"` },
    body: { timeZone: 'Europe/Berlin' },
  })
  await page.goto(`${server.url}/p/pedal-post/pages?env=production`)
  await page.getByRole('button', { name: /^Time range/ }).click()
  await expect(page.getByText('Time zone: Europe/Berlin')).toBeVisible()
  await page.getByLabel('From', { exact: true }).fill('2026-11-20T09:00')
  await page.getByLabel('To', { exact: true }).fill('2026-11-20T10:30')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/t=2026-11-20T08(%3A|:)00Z\.\.2026-11-20T09(%3A|:)30Z/)
})

test('bots are counted where they are excluded, and shown on request', async ({ page }) => {
  const { items } = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
    path: `${environment}/keys`,
  })
  const key = items.find(({ kind }) => kind === 'client')?.value
  const answer = await fetch(`${server.url}/intake/v1/events?key=${key}`, {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    body: toLines([context(), ...views(1)]),
  })
  expect(await answer.json()).toMatchObject({ accepted: 1 })
  await expect(async () => {
    await page.goto(`${server.url}/p/pedal-post/sessions?env=production`)
    await expect(page.getByRole('switch', { name: /Bots: 1 event hidden/ })).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  await page.goto(`${server.url}/p/pedal-post/requests?env=production`)
  await expect(page.getByRole('switch', { name: /Bots: 1 event hidden/ })).toBeVisible()
  await page.goto(`${server.url}/p/pedal-post/sessions?env=production`)
  await page.getByRole('switch', { name: /Bots/ }).click()
  await expect(page).toHaveURL(/bot(%3A|:)true/)
  await expect(page.getByRole('switch', { name: 'Bots only' })).toBeChecked()
})

test('members see the owners of the installation', async ({ page }) => {
  await page.goto(`${server.url}/p/pedal-post/settings/members`)
  const owners = page.getByRole('list', { name: 'Owners of the installation' })
  await expect(owners.getByText('Owner', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'colours')
})

const addFlag = (page: Page, key: string) =>
  ask(page, server, {
    method: 'POST',
    path: '/api/v1/projects/pedal-post/flags',
    body: {
      key,
      name: `Flag ${key}`,
      valueType: 'boolean',
      clientVisible: true,
      variations: [
        { key: 'on', value: true },
        { key: 'off', value: false },
      ],
    },
  })

test('the preview of a row is beside the table and follows j and k', async ({ page }) => {
  for (const key of ['alpha', 'beta']) await addFlag(page, key)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${server.url}/p/pedal-post/flags?env=production`)
  await expect(page.getByRole('link', { name: 'alpha' })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const peek = page.locator('[data-peek]')
  const title = peek.getByRole('heading').first()
  const first = await title.textContent()
  await page.keyboard.press('j')
  await expect(title).not.toHaveText(first ?? '')
  await page.keyboard.press('k')
  await expect(title).toHaveText(first ?? '')
  const [table, beside] = [
    await page.locator('main div:has(> table)').first().boundingBox(),
    await peek.boundingBox(),
  ]
  expect((table?.x ?? 0) + (table?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0)
})

const screens = [
  '',
  '/flags',
  '/flags/delta/targeting',
  '/flags/delta/impact',
  '/flags/delta/settings',
  '/rollouts',
  '/segments',
  '/change-requests',
  '/scheduled-changes',
  '/sessions',
  '/errors',
  '/pages',
  '/requests',
  '/settings/environments/production',
  '/settings/metrics',
  '/settings/members',
  '/settings/tokens',
  '/settings/source-maps',
]

test('headings, landmarks, table headers and names of controls are valid on every screen', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await addFlag(page, 'delta')
  for (const path of screens) {
    await test.step(path || 'overview', async () => {
      await page.goto(`${server.url}/p/pedal-post${path}?env=production`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
      await expectStructured(page)
    })
  }
})

/** Where they are opened, by what. */
const dialogs = [
  ['/flags', 'New flag'],
  ['/flags/epsilon/targeting', 'Guarded rollout…'],
  ['/flags/epsilon/settings', 'Archive flag…'],
  ['/segments', 'New segment'],
  ['/settings/environments', 'New environment'],
  ['/settings/members', 'Invite member'],
  ['/settings/metrics', 'New metric'],
  ['/settings/channels', 'New channel'],
] as const

test('headings, landmarks, table headers and names of controls are valid in open dialogs', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await addFlag(page, 'epsilon')
  for (const [path, opener] of dialogs) {
    await test.step(`${path} ${opener}`, async () => {
      await page.goto(`${server.url}/p/pedal-post${path}?env=production`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.getByRole('button', { name: opener }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectStructured(page)
    })
  }
  await page.goto(`${server.url}/p/pedal-post/flags?env=production`)
  await expect(page.getByRole('link', { name: 'epsilon' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectStructured(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeVisible()
  await expectStructured(page)
})

test('a used client key is marked in the list of environments, besides a newer unused one', async ({
  page,
}) => {
  const keys = `${environment}/keys`
  const { items } = await ask<{ items: { kind: string; value: string }[] }>(page, server, { path: keys })
  const key = items.find(({ kind }) => kind === 'client')?.value ?? ''
  await ask(page, server, { method: 'POST', path: keys, body: { kind: 'client', label: 'not yet' } })
  const answer = await fetch(`${server.url}/ofrep/v1/evaluate/flags`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"context":{"targetingKey":"ada"}}',
  })
  expect(answer.status).toBe(200)
  // The use of a key is written beside.
  await expect(async () => {
    await page.goto(`${server.url}/p/pedal-post/settings/environments`)
    const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Production' }) })
    await expect(row).toContainText(/used .*, 1 more/, { timeout: 2_000 })
  }).toPass({ timeout: 20_000 })
})

test('the selected tab is visible in forced colours', async ({ page }) => {
  await addFlag(page, 'gamma')
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`${server.url}/p/pedal-post/flags/gamma/targeting?env=production`)
  const outlineOf = (name: string) =>
    page.getByRole('link', { name, exact: true }).evaluate((tab) => getComputedStyle(tab).outlineStyle)
  await expect(page.getByRole('link', { name: 'Targeting', exact: true })).toBeVisible()
  expect(await outlineOf('Targeting')).toBe('solid')
  expect(await outlineOf('History')).toBe('none')
})
