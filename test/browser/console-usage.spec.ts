// Usage: what the project used as chart, table and CSV, its quotas, and the disk of the installation.

import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { context, send, toLines, views } from '../intake/visitor.ts'
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

const open = (page: Page, search = '') => page.goto(`${server.url}/p/${project.key}/settings/usage${search}`)

async function clientKey(page: Page): Promise<string> {
  const path = `${server.url}/api/v1/projects/${project.key}/environments/production/keys`
  const { items } = await (await page.request.get(path)).json()
  return items.find(({ kind }: { kind: string }) => kind === 'client').value
}

test('a new project has used nothing; then events count by application, and download as CSV', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await open(page)
  await expect(page.getByText('Nothing was used in this period')).toBeVisible()

  const key = await clientKey(page)
  for (const service of ['shop', 'shop', 'admin']) {
    const sent = await send(server.url, toLines([context({ service }), ...views(4)]), { key })
    expect(sent.status).toBe(202)
  }
  await expect(async () => {
    await open(page, '?by=application')
    await expect(page.getByText('12 in total, days in UTC')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  const table = page.getByRole('table', { name: 'Usage by Application' })
  await expect(table.getByRole('row', { name: /^shop/ })).toContainText('8')
  await expect(table.getByRole('row', { name: /^Total/ })).toContainText('12')

  await page.getByRole('combobox', { name: 'Meter' }).selectOption('Sessions')
  await expect(page.getByText('3 in total, days in UTC')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  expect(text).toContain('day,application,kind,count')
  expect(text).toContain(',shop,events,8')
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})

test('an admin sets a quota and turns the spike protection off; a viewer changes nothing', async ({
  page,
}) => {
  await open(page)
  await page.getByRole('button', { name: 'Add quota' }).press('Enter')
  await page.getByRole('button', { name: 'Save quota' }).click()
  await expect(page.getByText('Enter a number from 100.')).toBeVisible()
  await page.getByLabel('At most').fill('100')
  await page.getByRole('button', { name: 'Save quota' }).click()
  const quotas = page.getByRole('list', { name: 'Quotas' })
  await expect(quotas).toContainText('Events per month')
  await expect(quotas).toContainText('12 of 100')
  const protection = page.getByRole('switch', { name: 'production' })
  await protection.click()
  await expect(protection).not.toBeChecked()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessibleInThemes(page)

  await becomeMember(page, server, 'viewer')
  await open(page)
  await expect(quotas).toContainText('12 of 100')
  await expect(page.getByRole('button', { name: 'Add quota' })).toBeDisabled()
  await expect(protection).toBeDisabled()
})

test('owners see every project and the disk, others do not', async ({ page }) => {
  await page.goto(`${server.url}/admin/usage`)
  await expect(page.getByRole('region', { name: 'Disk' })).toContainText('Known after 3 days of measurements')
  await expect(page.getByRole('table', { name: 'Usage by Project' })).toContainText('pedal-post')
  await expectAccessibleInThemes(page)
  await becomeMember(page, server, 'admin')
  await page.goto(`${server.url}/admin/usage`)
  await expect(page.getByText('managed by its owners')).toBeVisible()
})
