import { expect, test } from '@playwright/test'
import { flagsmithDocument } from '../contracts/flagsmith-document.ts'
import { expectAccessible } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole({ withProject: false })
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

test('an empty installation explains projects and creates the first one', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(server.url)
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Enter a name.')

  await dialog.getByLabel('Name', { exact: true }).fill('Über Café 2')
  await expect(dialog.getByLabel('Key')).toHaveValue('uber-cafe-2')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.url}/p/uber-cafe-2`)
  await expect(page.getByRole('button', { name: /^Project: Über Café 2/ })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a used key is reported at its field, and the name stays', async ({ page }) => {
  await page.goto(server.url)
  await page.getByRole('button', { name: 'New project' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await dialog.getByLabel('Name', { exact: true }).fill('Another')
  await page.mouse.click(5, 400)
  await dialog.getByLabel('Key').fill('uber-cafe-2')
  await dialog.getByRole('button', { name: 'Create project' }).dblclick()
  await expect(dialog.getByLabel('Key')).toHaveAccessibleDescription(/Choose another one/)
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Another')

  await dialog.getByLabel('Key').fill('another')
  await dialog.getByRole('button', { name: 'Create project' }).dblclick()
  await expect(page).toHaveURL(`${server.url}/p/another`)
  await page.goto(server.url)
  await expect(page.getByRole('listitem').filter({ hasText: 'another' })).toHaveCount(1)
})

test('a loading list has placeholders, and a failure can be retried', async ({ page }) => {
  let answer: 'wait' | 'fail' | 'pass' = 'wait'
  await page.route('**/api/v1/projects*', async (route) => {
    if (answer === 'fail') return route.fulfill({ status: 403, body: '{}' })
    if (answer === 'wait') await expect.poll(() => answer).not.toBe('wait')
    return route.continue()
  })
  await page.goto(server.url)
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  answer = 'pass'
  await expect(page.getByRole('link', { name: 'Über Café 2' })).toBeVisible()

  answer = 'fail'
  await page.reload()
  await expect(page.getByText("You don't have access")).toBeVisible()
})

test('a Flagsmith environment is imported from a file, and its errors are listed', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Import from Flagsmith' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import from Flagsmith' })
  const choose = (content: string) =>
    dialog.getByLabel(/^Choose/).setInputFiles({
      name: 'production.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
  await choose('no JSON')
  await expect(dialog.getByText('not valid JSON')).toBeVisible()
  const [first] = flagsmithDocument.feature_states
  await choose(JSON.stringify({ ...flagsmithDocument, feature_states: [first, first] }))
  await dialog.getByRole('button', { name: 'Import environment' }).click()
  await expect(dialog.getByRole('alert')).toContainText('/feature_states/1/feature/id is duplicated: 101')
  await expectAccessible(page)

  const parses = dialog.getByRole('checkbox', { name: 'Parse JSON' })
  await parses.press('Space')
  await expect(parses).toBeChecked()
  await parses.press('Space')
  await choose(JSON.stringify(flagsmithDocument))
  await dialog.getByRole('button', { name: 'Import environment' }).click()
  const done = page.getByRole('dialog', { name: 'Imported' })
  await expect(done).toContainText('6 flags, 2 segments and 2 overrides imported into web-shop, production.')
  await expect(done).toContainText('The feature "Max Items" is the flag "max-items"; Flagsmith clients')
  await expectAccessible(page)
  await done.getByRole('link', { name: 'Show flags' }).click()
  await expect(page.getByRole('link', { name: 'button_colour' })).toBeVisible()
  await page.goto(`${server.url}/p/web-shop/segments/grown_ups`)
  await expect(page.getByRole('heading', { name: 'grown_ups' }).first()).toBeVisible()
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
})
