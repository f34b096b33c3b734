// Errors as a browser throws them, from the list of issues to the line of the code, and what people decide about them.

import { expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, event, send, toLines } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'
import { buildCheckout, type Checkout } from './minified-checkout.ts'

const environment = `${projectPath}/environments/production`
const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const patience = { timeout: 30_000 }

let server: BuiltServer
let clientKey: string
let checkout: Checkout
/** As the browser wrote it, of the minified script. */
let stack: string

interface Visit {
  stack?: string
  message?: string
  type?: string
  version?: string
  variation?: string
}

/** A session of somebody new, and what they ran into. */
async function visit({
  stack,
  message = 'no card',
  type = 'TypeError',
  version = '1.4.0',
  variation,
}: Visit) {
  const session = newId()
  const reads = variation === undefined ? [] : [{ flag: 'checkout', variation }]
  const seen = context({ session, anonymousId: session, version, reads, page: '/checkout' })
  const error = event('error', { source: 'uncaught', type, message, stack, handled: false })
  const lines = toLines(stack === undefined ? [seen, event('view')] : [seen, event('view'), error])
  const { status } = await send(server.url, lines, { key: clientKey, headers: { 'user-agent': chrome } })
  expect(status).toBe(202)
}

/** Different errors, a hundred to a batch. */
/** Numbers would be folded into one issue. */
const wordOf = (index: number) => `row${[...`${index}`].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`

async function visitMany(count: number): Promise<void> {
  for (let first = 0; first < count; first += 100) {
    const errors = Array.from({ length: Math.min(100, count - first) }, (_, index) =>
      event('error', {
        source: 'uncaught',
        type: 'Error',
        message: `no ${wordOf(first + index)}`,
        handled: false,
        stack: `Error\n    at ${wordOf(first + index)} (https://shop.example/table.js:1:1)`,
      }),
    )
    const lines = toLines([context({ page: '/table' }), ...errors])
    await send(server.url, lines, { key: clientKey, headers: { 'user-agent': chrome } })
  }
}

const address = (search = '') => `${server.url}/p/${project.key}/errors${search}`
const rows = (page: Page) => page.getByRole('grid', { name: 'Errors' }).locator('[data-row]')
const card = (page: Page) => rows(page).filter({ hasText: 'TypeError: no card' })

async function openIssue(page: Page): Promise<void> {
  await page.goto(address())
  await card(page).getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'TypeError: no card' })).toBeVisible()
}

// One story, told in order: what one test found, the next one decides about.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  checkout = await buildCheckout()
  const page = await browser.newPage()
  await signIn(page, server)
  const { items } = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
    path: `${environment}/keys`,
  })
  clientKey = items.find(({ kind }) => kind === 'client')?.value ?? ''
  stack = await checkout.throwIn(page)
  // The store opens while the server already takes what comes.
  const isOpen = async () => (await page.request.get(`${server.url}${environment}/issues`)).status()
  await expect.poll(isOpen, patience).toBe(200)
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

test('before the first event it shows how to connect, and without errors the good news', async ({ page }) => {
  await page.goto(address())
  await expect(page.getByRole('heading', { name: 'No events yet in Production' })).toBeVisible()
  await visit({})
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Good news.')).toBeVisible({ timeout: 2_000 })
  }).toPass(patience)
})

test('errors are listed with their trend and variation, filtered and previewed by keyboard', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const failing = Array.from({ length: 12 }, () => visit({ stack, variation: 'one-page' }))
  const well = Array.from({ length: 60 }, () => visit({ variation: 'classic' }))
  const spared = Array.from({ length: 48 }, () => visit({ variation: 'one-page' }))
  await Promise.all([...failing, ...well, ...spared, visitMany(130)])
  await expect(async () => {
    await page.goto(address())
    await expect(card(page)).toContainText('12', { timeout: 2_000 })
    await expect(card(page)).toContainText('at least', { timeout: 2_000 })
  }).toPass(patience)
  await expect(card(page)).toContainText('checkout = one-page')
  await expect(card(page)).toContainText('New')

  // More than are drawn at once, and more than one page.
  await expect(page.getByRole('link', { name: /^Open 131$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden()
  await page.getByRole('button', { name: 'Events', exact: true }).click()
  await expect(page).toHaveURL(/sort=events/)

  await page.keyboard.press('/')
  await page.keyboard.type('page:/checkout')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const peek = page.getByRole('complementary', { name: 'TypeError' })
  await expect(peek).toContainText(/12 of 60 users, otherwise 0 of 60/)
  await expectAccessibleInThemes(page)
  await page.keyboard.press('Escape')
  await expect(peek).toBeHidden()

  await page.goto(address('?q=browser%3AOpera'))
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(card(page)).toBeVisible()
  await page.goto(address('?q=nonsense%3Ax'))
  await expect(page.getByRole('alert')).toContainText('there is no field "nonsense"')
  expect(complaints).toEqual([])
})

test('a stack names its missing map; after uploading it, the original line is shown', async ({ page }) => {
  await openIssue(page)
  await expect(page.getByText('Minified stack trace: source maps are missing')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Upload command for' })).toContainText('--version 1.4.0')
  await page.getByRole('link', { name: 'upload the files' }).click()

  const dialog = page.getByRole('dialog', { name: 'Upload source maps' })
  await dialog.locator('input[type=file]').setInputFiles([
    { name: 'notes.map', mimeType: 'application/json', buffer: Buffer.from('no map') },
    { name: 'checkout.js.map', mimeType: 'application/json', buffer: Buffer.from(checkout.map) },
  ])
  await expect(dialog.getByText('Not a source map: invalid JSON.')).toBeVisible()
  await dialog.getByLabel('Version of the application').fill('1.4.0')
  await expect(dialog.getByText('/assets/checkout.js')).toBeVisible()
  await dialog.getByRole('button', { name: 'Upload map' }).click()
  await expect(page.getByText('Source map uploaded.')).toBeVisible()
  const listed = page.getByRole('table', { name: 'Source maps' }).getByRole('row').nth(1)
  await expect(listed).toContainText('/assets/checkout.js')
  await expect(listed).toContainText('1.4.0')
  await expectAccessibleInThemes(page)

  await openIssue(page)
  const code = page.getByRole('region', { name: /^Code around src\/checkout\.ts/ }).first()
  await expect(code.locator('[aria-current=location]')).toContainText("throw new TypeError('no card')")
  await expect(page.getByText('source maps are missing')).toBeHidden()
  await page.getByRole('button', { name: 'Minified' }).click()
  await expect(page.getByRole('region', { name: 'Minified stack trace' })).toContainText(
    /assets\/checkout\.js:1:\d+/,
  )
})

test('errors are paged, filtered by a bar, with the flags in force', async ({ page }) => {
  await openIssue(page)
  const complaints = listenForComplaints(page)
  await expect(page.getByRole('heading', { name: /^Newest error/ })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: /^One error/ })).toBeVisible()
  await expect(page).toHaveURL(/event=/)
  await page.reload()
  await expect(page.getByRole('heading', { name: /^One error/ })).toBeVisible()
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(page.getByRole('heading', { name: /^Newest error/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Flags at that time' })).toContainText('checkout = one-page')
  await expect(page.getByRole('region', { name: 'Suspects' })).toContainText(
    '12 of 60 users, otherwise 0 of 60',
  )

  const bar = page.getByRole('button', { name: /^checkout = one-page/ })
  await bar.click()
  await expect(bar).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/q=flag%3Acheckout/)
  await bar.click()
  await expect(bar).toHaveAttribute('aria-pressed', 'false')
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})

test('a resolved issue leaves the list, and undo restores it', async ({ page }) => {
  await openIssue(page)
  const message = page.getByRole('region', { name: 'Messages' })
  await page.getByRole('button', { name: 'Resolve' }).click()
  await expect(page.getByText('reopens if seen in a later version')).toBeVisible()
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Resolve' })).toBeVisible()

  await page.getByRole('button', { name: 'Assign' }).click()
  await page.getByRole('menuitem', { name: 'Me', exact: true }).click()
  await expect(page.getByText('Assigned to').first()).toBeVisible()
  await page.getByRole('button', { name: 'Resolve' }).click()
  await expect(page.getByText('reopens if seen in a later version')).toBeVisible()
  await page.goto(address('?q=page%3A%2Fcheckout'))
  await expect(page.getByRole('heading', { name: 'No errors match the filter' })).toBeVisible()

  await visit({ stack, version: '1.4.0' })
  await visit({ stack, version: '1.5.0' })
})

test('many are changed together, and undone together', async ({ page }) => {
  await page.goto(address('?q=page%3A%2Ftable'))
  await expect(rows(page).first()).toBeVisible()
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  const bar = page.getByRole('region', { name: 'Selected errors' })
  await expect(bar).toContainText('2 selected')
  await expectAccessibleInThemes(page)
  await bar.getByRole('button', { name: 'Ignore' }).click()
  await page.getByRole('menuitem', { name: 'For a week' }).click()
  await expect(page.getByText('2 errors are ignored for a week.')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Ignored 2$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: /^Ignored 0$/ })).toBeVisible()
})

test('errors are merged by keyboard, and split off on the page of the issue', async ({ page }) => {
  await page.goto(address('?q=page%3A%2Ftable'))
  await expect(rows(page).first()).toBeVisible()
  for (const key of ['j', 'x', 'j', 'x', 'm']) await page.keyboard.press(key)
  await expect(page.getByText('2 errors merged into one.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone.')).toBeVisible()

  await page.goto(address('?q=page%3A%2Ftable&sort=events'))
  await expect(rows(page).first()).toBeVisible()
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  const bar = page.getByRole('region', { name: 'Selected errors' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText('2 errors merged into one.')).toBeVisible()
  await page.goto(address('?q=page%3A%2Ftable&sort=events'))
  await rows(page).first().getByRole('link').first().click()
  const merged = page.getByRole('list', { name: 'Merged from' })
  await expect(merged.getByRole('listitem')).toHaveCount(1)
  await expectAccessibleInThemes(page)
  await merged.getByRole('button', { name: /^Unmerge/ }).press('Enter')
  await expect(merged).toHaveCount(0)
})

test('a later version made the resolved error regress', async ({ page }) => {
  await expect(async () => {
    await page.goto(address('?state=regressed'))
    await expect(card(page)).toContainText('Regressed', { timeout: 2_000 })
  }).toPass({ timeout: 45_000 })
  await card(page).getByRole('link').first().click()
  await expect(page.getByText('after being resolved in 1.4.0')).toBeVisible()
})

test('a viewer sees why actions are disabled, unknown issues say so, and a map is deleted after confirmation', async ({
  page,
}) => {
  const settings = `${server.url}/p/${project.key}/settings/source-maps`
  await page.goto(settings)
  await page.getByRole('button', { name: 'Delete map of /assets/checkout.js…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete map' }).click()
  await expect(page.getByRole('heading', { name: 'No source maps yet' })).toBeVisible()
  await page.goto(address(`/${newId()}`))
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible()

  await becomeMember(page, server, 'viewer')
  await openIssue(page)
  await expect(page.getByText('This needs the role editor; yours is viewer.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resolve' })).toBeDisabled()
  await page.goto(settings)
  await expect(page.getByRole('button', { name: 'Upload', exact: true })).toBeDisabled()
})
