// Comments with mentions, and the inbox of what waits.

import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

let server: BuiltServer

const address = (path = '') => `${server.url}/p/${project.key}${path}`
const history = () => address('/flags/checkout/history')
const comments = (page: Page) => page.getByRole('region', { name: 'Comments' })
const field = (page: Page) => comments(page).getByRole('textbox', { name: 'Comment', exact: true })

// One story, told in order.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  server = await startConsole()
  const page = await browser.newPage()
  await signIn(page, server)
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/flags`,
    body: { key: 'checkout', name: 'Checkout', valueType: 'boolean' },
  })
  await page.close()
})
test.afterAll(() => server?.[Symbol.asyncDispose]())

test('an empty inbox says what will be in it', async ({ page }) => {
  await signIn(page, server)
  await page.goto(address('/inbox'))
  await expect(page.getByText('Nothing waits')).toBeVisible()
  await expectAccessibleInThemes(page)
})

test('a comment is written, shown as Markdown, edited and deleted by keyboard', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await signIn(page, server)
  await page.goto(history())
  await expect(comments(page).getByText('No comments yet.')).toBeVisible()
  await field(page).fill(
    '**Slow** since <b>Tuesday</b>, see [chart](https://x.example) or [this](javascript:alert(1))',
  )
  await field(page).press('Control+Enter')
  const row = comments(page).getByRole('listitem').first()
  await expect(row.locator('strong')).toHaveText('Slow')
  await expect(row).toContainText('<b>Tuesday</b>')
  await expect(row.getByRole('link')).toHaveCount(1)
  await expect(row.getByRole('link')).toHaveAttribute('href', 'https://x.example')
  await expectAccessibleInThemes(page)

  await row.getByRole('button', { name: 'Edit comment' }).press('Enter')
  await row
    .getByRole('textbox', { name: 'Edit comment' })
    .fill('Fast again\n\n| page | ms |\n|---|---|\n| /cart | 90 |\n\n1. first')
  await row.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(row).toContainText('Fast again')
  await expect(row.getByRole('cell', { name: '/cart' })).toBeVisible()
  await expect(row.locator('ol')).toHaveText('first')
  await expect(row).toContainText('edited')
  await row.getByRole('button', { name: 'Delete comment' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(comments(page).getByText('No comments yet.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a mention is counted in the navigation until it is opened', async ({ page, browser }) => {
  const theirs = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await signIn(theirs, server)
  await becomeMember(theirs, server, 'maintainer')

  await signIn(page, server)
  await page.goto(history())
  await field(page).pressSequentially('Look, @A ma')
  await expect(page.getByRole('option', { name: /A maintainer/ })).toHaveAttribute('aria-selected', 'true')
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('Look, @A maintainer ')
  await comments(page).getByRole('button', { name: 'Add comment' }).click()
  await expect(comments(page).getByRole('listitem')).toContainText('@A maintainer')

  await theirs.goto(address('/inbox'))
  await expect(theirs.getByText('Look, @A maintainer')).toBeVisible()
  await expectAccessibleInThemes(theirs)
  await theirs.setViewportSize({ width: 1440, height: 900 })
  const entry = theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ })
  await expect(entry).toContainText('1 need attention')
  await theirs.getByRole('link', { name: 'checkout' }).click()
  await expect(theirs).toHaveURL(/checkout\/history.*#comments/)
  await expect(entry).not.toContainText('need attention')
  await theirs.context().close()
})

test('a viewer reads comments and writes none', async ({ page }) => {
  await signIn(page, server)
  await becomeMember(page, server, 'viewer')
  await page.goto(history())
  await expect(comments(page).getByText('Read-only: editors write comments.')).toBeVisible()
  await expect(comments(page).getByRole('listitem')).toHaveCount(1)
  await expect(comments(page).getByRole('button')).toHaveCount(0)
})
