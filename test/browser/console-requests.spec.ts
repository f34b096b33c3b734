// Requests as visitors made them, in the list and one by one: the numbers are those that were handed in.

import { expect, type Page, test } from '@playwright/test'
import { event } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { becomeMember } from './console-member.ts'
import { firefox, openSeeder } from './seed-events.ts'

let server: BuiltServer

const minute = 60_000
const requested = (index: number, more: object) =>
  event('resource', { at: Date.now() - (index + 1) * minute, type: 'fetch', ...more })

/** 80 orders, every tenth refused, slower with each; 5 payments at somebody else's. */
const orders = Array.from({ length: 80 }, (_, index) =>
  requested(index, {
    method: 'GET',
    url: `https://api.shop.example/orders/${index + 1}`,
    size: 1_000,
    duration: (index + 1) * 10,
    status: index % 10 === 9 ? 503 : 200,
    failed: index % 10 === 9,
  }),
)
const payments = Array.from({ length: 5 }, (_, index) =>
  requested(index, { method: 'POST', url: 'https://pay.example/charge', duration: 2_000, status: 201 }),
)

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const seeder = await openSeeder(page, server)
  const shop = { url: 'https://shop.example/', version: '1.4.0' }
  const reads = [{ flag: 'checkout', variation: 'new' }]
  await seeder.visit({ about: { ...shop, page: '/cart', reads }, events: orders.slice(0, 60) })
  await seeder.visit({ about: { ...shop, page: '/account' }, events: orders.slice(60), browser: firefox })
  await seeder.visit({ about: { ...shop, page: '/checkout' }, events: payments })
  await seeder.untilStored(85)
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const rows = (page: Page) => page.getByRole('table', { name: 'Requests' }).locator('[data-row]')
const cells = (page: Page, row: string) => rows(page).filter({ hasText: row }).getByRole('cell')

test('the list has requests with counts, failure rates and durations, in the chosen order', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/${project.key}`)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('q')
  await expect(rows(page)).toHaveCount(2)
  await expect(cells(page, '/orders/:id')).toHaveText([
    ...[
      'GET/orders/:idapi.shop.example',
      '80 requests',
      '10% failed',
      '410\u00a0ms',
      '610\u00a0ms p75',
      '770\u00a0ms',
    ],
    ...['32.4\u00a0s', '1\u00a0kB', '/account'],
  ])
  await expect(rows(page).filter({ hasText: '/charge' })).toContainText('Third party')
  await expect(rows(page).filter({ hasText: '/charge' })).toContainText('too few')
  await expectAccessibleInThemes(page)

  await page.getByRole('button', { name: 'Third party' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'All hosts' }).click()
  await page.getByRole('searchbox', { name: 'Search hosts and endpoints' }).fill('ORDERS')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'p95', exact: true }).click()
  await expect(page).toHaveURL(/sort=p95/)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('searchbox', { name: 'Search hosts and endpoints' })).toHaveValue('ORDERS')

  await page.keyboard.press('/')
  await page.keyboard.type('page:/nowhere')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'No requests match the filter' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(rows(page)).toHaveCount(2)
  expect(complaints).toEqual([])
})

test('a preview shows one over time; it is reached by keyboard, and each row filters it', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/${project.key}/requests`)
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const peek = page.getByRole('complementary', { name: 'GET /orders/:id' })
  await expect(peek.getByRole('img', { name: /^Requests to \/orders\/:id over time/ })).toBeVisible()
  await expect(peek).toContainText('8 of them')
  await page.keyboard.press('Escape')
  await expect(peek).toHaveCount(0)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1, name: 'GET /orders/:id' })).toBeFocused()
  await expect(page.getByText('First party')).toBeVisible()
  await expect(page.getByRole('button', { name: /^200/ })).toContainText('72')
  await expect(page.getByRole('button', { name: /^503/ })).toContainText('8')
  const charts = page.getByRole('figure', {
    name: /^GET \/orders\/:id: 80 requests in 2 sessions; 8 of them/,
  })
  await expect(charts).toContainText('610\u00a0ms')
  await expect(charts.getByRole('img', { name: 'duration p95 770\u00a0ms' })).toBeVisible()
  await expectAccessibleInThemes(page)

  const slow = page.getByRole('link', { name: 'With requests of 770\u00a0ms or more' })
  const q = new URL((await slow.getAttribute('href')) ?? '', server.url).searchParams.get('q')
  expect(q).toBe('endpoint:/orders/:id host:api.shop.example method:GET duration:>=770')

  await page.getByRole('button', { name: 'Group by: Page' }).click()
  await page.getByRole('combobox', { name: 'Search fields and flags' }).fill('version')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/by=/)
  await page.goto(`${page.url().replace(/&by=[^&]*/, '')}&by=flag%3Acheckout`)
  const slices = page.getByRole('table', { name: 'By Flag checkout' }).locator('[data-row]')
  await expect(slices).toHaveText([/^new60/, /^none20/])
  await slices.first().getByRole('button', { name: 'new' }).click()
  await expect(page).toHaveURL(/q=flag%3Acheckout%3Dnew/)
  await expect(page.getByRole('button', { name: /^200/ })).toContainText('54')
  await page.reload()
  await expect(page.getByRole('button', { name: /^503/ })).toContainText('6')
  await page.getByRole('button', { name: /^503/ }).click()
  await expect(page).toHaveURL(/status%3A503/)
  await page.goBack()
  await expect(page.getByRole('button', { name: /^200/ })).toContainText('54')
  expect(complaints).toEqual([])
})

test('no requests, and too many to count, are reported; a viewer sees the same', async ({ page }) => {
  await becomeMember(page, server, 'viewer')
  const address = `${server.url}/p/${project.key}/requests`
  await page.goto(`${address}/%2Fnothing?method=GET&host=shop.example`)
  await expect(page.getByRole('heading', { name: 'No requests in this time range' })).toBeVisible()

  const to = new Date()
  const shorter = { from: new Date(to.getTime() - 3_600_000).toISOString(), to: to.toISOString() }
  await page.route(/\/api\/.*\/requests\?/, (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: '/errors/query-too-large', title: 'Query too large', shorter }),
    }),
  )
  await page.goto(address)
  await page.getByRole('button', { name: 'Show the last 1\u00a0h' }).click()
  await expect(page).toHaveURL(/t=1h/)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page)).toHaveCount(2)
})
