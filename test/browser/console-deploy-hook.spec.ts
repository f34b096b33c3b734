// The deploy webhook of an environment: created, its secret shown once, replaced and deleted.

import { createHmac } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { becomeMember } from './console-member.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole()
})
test.afterAll(() => server?.[Symbol.asyncDispose]())
test.beforeEach(({ page }) => signIn(page, server))

const settings = () => `${server.url}/p/${project.key}/settings/environments/production`

test('an admin creates it, reports a deploy with it, and deletes it', async ({ page, request }) => {
  const complaints = listenForComplaints(page)
  await page.goto(settings())
  const panel = page.getByRole('region', { name: 'Deploy webhook' })
  await panel.getByRole('button', { name: 'Create webhook' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Secret of the deploy webhook' })
  await expect(dialog.getByText('Shown only once')).toBeVisible()
  const secret = (await dialog.locator('code').first().innerText()).trim()
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(panel.getByText('No deliveries yet')).toBeVisible()

  const address = (await panel.getByText(/\/hooks\/deploys\//).innerText()).trim()
  const data = JSON.stringify({ version: '4.2.0' })
  const signature = `sha256=${createHmac('sha256', secret).update(data).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  expect((await request.post(address, { headers, data })).status()).toBe(201)
  await page.reload()
  await expect(panel.getByText(/Recorded 4\.2\.0/)).toBeVisible()

  await panel.getByRole('button', { name: 'New secret…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create secret' }).click()
  await expect(dialog.locator('code').first()).not.toHaveText(secret)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await panel.getByRole('button', { name: 'Delete webhook…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(panel.getByRole('button', { name: 'Create webhook' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('other roles learn why they see none', async ({ page }) => {
  await becomeMember(page, server, 'maintainer')
  await page.goto(settings())
  const panel = page.getByRole('region', { name: 'Deploy webhook' })
  await expect(panel.getByText('Read-only: admins see and change the webhook.')).toBeVisible()
  await expect(panel.getByRole('button')).toHaveCount(0)
})
