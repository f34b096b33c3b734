import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'

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

const address = () => `${server.url}/p/pedal-post/settings/data`

/** What a store would say that took telemetry for a while. */
async function pretend(page: Page): Promise<void> {
  const hour = new Date().toISOString()
  const of = (kind: string, reason: string, count: number) => ({
    hour,
    kind,
    source: 'telltale',
    reason,
    count,
  })
  await page.route('**/intake/outcomes?*', (route) =>
    route.fulfill({
      json: {
        ...{ from: hour, to: hour, quarantined: 12 },
        outcomes: [
          of('view', 'accepted', 120_000),
          of('batch', 'repeated', 4),
          of('custom', 'invalid', 240),
          of('view', 'timestamp_out_of_range', 12),
        ],
      },
    }),
  )
  const waiting = [
    {
      id: '0123456789abcdef',
      table: 'events',
      code: 6,
      reason: `Cannot parse string '${'long '.repeat(40)}' as Float32`,
      count: 12,
      since: hour,
      sample: { kind: 'custom', name: 'x'.repeat(200), user_key: 'mara' },
    },
  ]
  await page.route('**/intake/quarantine', (route) =>
    route.fulfill({ json: { items: waiting, complete: true } }),
  )
  await page.route('**/intake/quarantine/discard', (route) => {
    waiting.length = 0
    return route.fulfill({ json: { discarded: 12 } })
  })
  await page.route('**/intake/quarantine/retry', (route) => route.fulfill({ json: { stored: 3, left: 9 } }))
}

test('what was dropped and what waits is shown with its reasons, tried again and discarded', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await pretend(page)
  await page.goto(address())
  const dropped = page.getByRole('region', { name: 'What we dropped and why' })
  await expect(dropped.getByRole('row')).toHaveText([/Reason/, /Invalid.*custom 240.*240/, /Wrong time/])
  await expect(dropped.getByText('120,000 events stored')).toBeVisible()
  await expectAccessibleInThemes(page)

  const quarantine = page.getByRole('region', { name: 'Quarantine' })
  await quarantine.getByText('The first of them').click()
  await expect(quarantine.getByText('mara', { exact: true })).toBeVisible()
  await quarantine.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('3 rows stored, 9 refused again.')).toBeVisible()
  await quarantine.getByRole('button', { name: 'Discard…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard 12 rows of events' })
  await dialog.getByRole('button', { name: 'Discard them' }).click()
  await expect(quarantine.getByText('Nothing waits here')).toBeVisible()
  expect(complaints).toEqual([])
})

test('rules are saved, a faulty one is named at its field, and a narrow screen shows it all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address())
  const expressions = page.getByLabel('Expressions', { exact: true })
  await expressions.fill('cust-[0-9]+\nbroken(')
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await expect(page.getByText(/^broken\(: Not an expression/)).toBeVisible()
  await expressions.fill('cust-[0-9]+')
  await page.getByLabel('Parameters', { exact: true }).fill('voucher')
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await expect(page.getByText('The rules are saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Parameters', { exact: true })).toHaveValue('voucher')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
})

test('while the store is away the rest works, and somebody is erased with a receipt', async ({ page }) => {
  await page.goto(address())
  const dropped = page.getByRole('region', { name: 'What we dropped and why' })
  await expect(dropped.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 15_000 })
  await page.getByLabel('Targeting key', { exact: true }).fill('ada')
  await page.getByRole('button', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase ada' })
  await dialog.getByLabel('Type ada to go on').fill('ada')
  await page.keyboard.press('Enter')
  const receipts = page.getByRole('list', { name: 'Receipts' })
  await expect(receipts.getByText('Waiting for the telemetry store')).toBeVisible()
  await expect(receipts).not.toContainText(/\bada\b/)
})
