import { expect, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { startSite } from './flag-server.ts'

let server: BuiltServer

test.beforeAll(async () => {
  server = await startConsole({ telemetry: true })
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

test('the code of the first steps, pasted into a page, completes them at its first view', async ({
  page,
  context,
}) => {
  const complaints = listenForComplaints(page)
  await signIn(page, server)
  await page.clock.install()
  await page.goto(`${server.url}/p/pedal-post`)
  const steps = page.getByRole('region', { name: 'See data arrive' })
  await expect(steps).toContainText('Waiting for the first evaluation or event.')
  await expect(page.getByRole('term').filter({ hasText: 'Content policy' })).toBeHidden()

  // After a while without anything, what to check is there by itself.
  await page.clock.fastForward('00:40')
  await expect(page.getByRole('term').filter({ hasText: 'Content policy' })).toBeVisible()
  await expectAccessibleInThemes(page)

  const snippet = await page
    .getByLabel('In the head of every page, before other scripts', { exact: true })
    .textContent()
  await using site = await startSite({
    '/orders/8121': `<!doctype html><head><title>Shop</title>${snippet}</head><body><h1>Order</h1></body>`,
  })
  const visit = await context.newPage()
  await visit.goto(`${site.url}/orders/8121`)
  await expect(visit.getByRole('heading', { name: 'Order' })).toBeVisible()
  await page.clock.resume()

  await expect(page.getByRole('heading', { name: 'See data arrive (done)' })).toBeVisible({ timeout: 20_000 })
  await expect(steps).toContainText('Receiving events.')
  await expect(steps).toContainText(/view from \/orders\/:id/)
  await expect(page.getByRole('term').filter({ hasText: 'Content policy' })).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: 'Your application is connected.' })).toHaveCount(1)
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})
