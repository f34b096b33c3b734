// The weekly digest: previewed, turned on with a channel, refused without one, and shown to those who may not change it.

import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { becomeMember } from './console-member.ts'

let server: BuiltServer

// One story, told in order.
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startConsole({ telemetry: true })
})
test.afterAll(() => server?.[Symbol.asyncDispose]())
test.beforeEach(({ page }) => signIn(page, server))

const open = (page: Page) => page.goto(`${server.url}/p/${project.key}/settings/digest`)
const on = (page: Page) => page.getByRole('switch', { name: 'Send a digest every week' })

test('it is off, shows what it would say, and names what it needs', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await open(page)
  await expect(on(page)).not.toBeChecked()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText(/^Week of Pedal & Post/)).toBeVisible()
  await expect(preview).toContainText('Waiting')
  await on(page).press('Space')
  await expect(page.getByText('No channels yet. A digest needs at least one.')).toBeVisible()
  await page.getByRole('button', { name: 'Save digest' }).press('Enter')
  await expect(page.getByText('Select at least one channel, or turn the digest off.')).toBeVisible()
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})

test('with a channel it is turned on, survives a reload, and says when the next one is sent', async ({
  page,
}) => {
  const channel = { kind: 'slack', name: '#releases', url: 'https://chat.example.com/hook', events: [] }
  const made = await page.request.post(`${server.url}/api/v1/projects/${project.key}/channels`, {
    data: channel,
    headers: { origin: server.url },
  })
  expect(made.status()).toBe(201)
  await open(page)
  await on(page).click()
  await page.getByRole('checkbox', { name: '#releases' }).click()
  await page.getByRole('combobox', { name: 'Day' }).selectOption('Friday')
  await page.getByRole('combobox', { name: 'Time' }).selectOption('17:00')
  await page.getByRole('button', { name: 'Save digest' }).click()
  await expect(page.getByText('Saved. The digest is on.')).toBeVisible()
  await page.reload()
  await expect(on(page)).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Day' })).toHaveValue('5')
  await expect(page.getByText('Next', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessibleInThemes(page)
})

test('a change by another member in the meantime is refused with a way on', async ({ page }) => {
  await open(page)
  await page.getByRole('combobox', { name: 'Day' }).selectOption('Monday')
  const path = `${server.url}/api/v1/projects/${project.key}/digest`
  const { enabled, env, weekday, channels } = await (await page.request.get(path)).json()
  const other = { data: { enabled, env, weekday, hour: 9, channels }, headers: { origin: server.url } }
  expect((await page.request.put(path, other)).status()).toBe(200)
  await page.getByRole('button', { name: 'Save digest' }).click()
  await expect(page.getByText('The digest was changed')).toBeVisible()
  await page.getByRole('button', { name: 'Reload', exact: true }).first().click()
  await expect(page.getByRole('combobox', { name: 'Time' })).toHaveValue('9')
  await expect(page.getByRole('combobox', { name: 'Day' })).toHaveValue('5')
})

test('who may not manage the project sees it and cannot change it', async ({ page }) => {
  await becomeMember(page, server, 'editor')
  await open(page)
  await expect(on(page)).toBeChecked()
  await expect(on(page)).toBeDisabled()
  await expect(page.getByRole('combobox', { name: 'Day' })).toBeDisabled()
  await expect(page.getByRole('region', { name: 'Preview' }).getByText(/^Week of/)).toBeVisible()
})
