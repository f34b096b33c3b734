import { expect, type Page, test } from '@playwright/test'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, owner, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const typed = 'Riders who came back'

/** A segment of its own, open, with another name typed into it, and its review. */
async function editSegment(page: Page, key: string): Promise<void> {
  const body = { key, name: key, when: { match: 'any', of: [] } }
  await ask(page, server, { method: 'POST', path: `${projectPath}/segments`, body })
  await page.goto(`${server.url}/p/pedal-post/segments/${key}`)
  await page.getByLabel('Name', { exact: true }).fill(typed)
  await page.keyboard.press('Control+s')
  await expect(dialogOf(page)).toBeVisible()
}
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Change segment/ })
const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Save segment' }).click()
const trouble = (page: Page) => dialogOf(page).getByRole('alert')

/** Whatever it was: nothing typed is gone, and the next try saves it. */
async function expectKept(page: Page): Promise<void> {
  await expect(dialogOf(page)).toContainText(typed)
  await save(page)
  await expect(page.getByText(/saved as version/)).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(typed)
}

test('an unavailable, full or overloaded server is named, and a retry saves the input', async ({ page }) => {
  await editSegment(page, 'unlucky')
  const answers = [
    { says: 'The server does not respond', also: 'What you entered is kept', status: undefined },
    { says: 'Body too large', also: 'Send less', status: 413 },
    { says: 'An engine is not there', also: 'Try again', status: 503 },
    { says: 'The server responded with 500', also: 'Reference', status: 500 },
  ]
  for (const { says, also, status } of answers) {
    await page.route('**/api/v1/**/segments/unlucky', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      if (status === undefined) return route.abort()
      const problem = { title: says, status, detail: also, requestId: 'the-reference' }
      return route.fulfill({ status, body: JSON.stringify(status === 500 ? { requestId: 'r' } : problem) })
    })
    await save(page)
    await expect(trouble(page)).toContainText(says)
    await expect(trouble(page)).toContainText(also)
    await page.unroute('**/api/v1/**/segments/unlucky')
  }
  await expectKept(page)
})

test('a slow save is shown on its button, and is sent once with several clicks', async ({ page }) => {
  await editSegment(page, 'slow')
  let sent = 0
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/v1/**/segments/slow', async (route) => {
    if (route.request().method() === 'PATCH') {
      sent += 1
      await held
    }
    return route.continue()
  })
  const button = dialogOf(page).getByRole('button', { name: 'Save segment' })
  await button.dblclick()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Control+Enter')
  answer()
  await expect(page.getByText('slow saved as version 2.')).toBeVisible()
  expect(sent).toBe(1)
})

test('a session that expires during an edit continues where it was', async ({ page }) => {
  await editSegment(page, 'signed-out')
  await page.context().clearCookies()
  await save(page)
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByLabel('Password').fill(owner.password)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await expect(again).toBeHidden()
  await expectKept(page)
})

test('a removed role and a deleted entity are reported; input can be copied', async ({ page, browser }) => {
  const context = await browser.newContext()
  const editor = await context.newPage()
  await signIn(editor, server)
  await becomeMember(editor, server, 'editor')
  await editSegment(editor, 'disputed')
  const { items } = await ask<{ items: { user: { id: string; name: string } }[] }>(page, server, {
    path: `${projectPath}/members`,
  })
  const { id } = items.find(({ user }) => user.name === 'A editor')?.user ?? { id: '' }
  const member = `${projectPath}/members/${id}`
  await ask(page, server, { method: 'PATCH', path: member, body: { role: 'viewer' } })
  await save(editor)
  await expect(trouble(editor)).toContainText('Permission denied')
  await expect(dialogOf(editor)).toContainText(typed)

  await ask(page, server, { method: 'PATCH', path: member, body: { role: 'editor' } })
  await ask(page, server, { method: 'DELETE', path: `${projectPath}/segments/disputed` })
  await save(editor)
  await expect(trouble(editor)).toBeVisible()
  await expect(dialogOf(editor)).toContainText(typed)
  await context.close()
})

test('every fault of a rejected rule is at its condition', async ({ page }) => {
  const body = { key: 'faulty', name: 'Faulty', valueType: 'boolean' }
  await ask(page, server, { method: 'POST', path: `${projectPath}/flags`, body })
  await page.goto(`${server.url}/p/pedal-post/flags/faulty/targeting?env=development`)
  await expect(page.getByRole('heading', { name: 'Rules', exact: true })).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.type('Two faults')
  const card = page.getByRole('listitem', { name: 'Rule 1: Two faults' })
  await card.getByRole('button', { name: 'Condition', exact: true }).click()
  for (const number of [1, 2]) {
    const condition = card.getByRole('group', { name: `Condition ${number}`, exact: true })
    await condition.getByRole('combobox', { name: 'Attribute' }).fill('version')
    await condition.getByLabel('Operator').selectOption('is at least version')
    await condition.getByLabel('Value', { exact: true }).fill(`no version ${number}`)
  }
  await page.keyboard.press('Control+s')
  await page
    .getByRole('dialog', { name: /^Review/ })
    .getByRole('button', { name: /^Save to/ })
    .click()
  await expect(page.getByText('Invalid targeting rule')).toBeVisible()
  for (const number of [1, 2]) {
    const condition = card.getByRole('group', { name: `Condition ${number}`, exact: true })
    await expect(condition.getByLabel('Value', { exact: true })).toHaveValue(`no version ${number}`)
    await expect(condition.getByLabel('Value', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  }
})

test('two tabs of one member: the older one sees the conflict, and loses nothing', async ({
  page,
  context,
}) => {
  const complaints = listenForComplaints(page)
  await editSegment(page, 'twice')
  const second = await context.newPage()
  await second.goto(`${server.url}/p/pedal-post/segments/twice`)
  await second.getByLabel('Description').fill('From the second tab')
  await second.keyboard.press('Control+s')
  await save(second)
  await expect(second.getByText(/saved as version/)).toBeVisible()

  await save(page)
  await expect(page.getByText('Someone else saved first')).toBeVisible()
  await page.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByLabel('Description')).toHaveValue('From the second tab')
  await page.keyboard.press('Control+s')
  await expectKept(page)
  expect(complaints).toEqual([])
})

test('Back above a dialog closes it, and asks if there is input', async ({ page }) => {
  const body = { key: 'left', name: 'left', when: { match: 'any', of: [] } }
  await ask(page, server, { method: 'POST', path: `${projectPath}/segments`, body })
  await page.goto(`${server.url}/p/pedal-post/segments`)
  await page.getByRole('link', { name: 'left' }).click()
  await page.getByLabel('Name', { exact: true }).fill(typed)
  await expect(page.getByRole('region', { name: 'Unsaved changes' })).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(dialogOf(page)).toBeVisible()
  await page.goBack()
  const leave = page.getByRole('dialog', { name: 'Leave the segment left without saving' })
  await leave.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialogOf(page)).toContainText(typed)
  await page.goBack()
  await leave.getByRole('button', { name: 'Leave and discard' }).click()
  await expect(page).toHaveURL(/\/segments$/)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Segments')
})
