// Versions of the application, in the list and one by one: the numbers are those of the visits sent in.

import { expect, type Page, test } from '@playwright/test'
import { event } from '../intake/visitor.ts'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, becomeMember } from './console-member.ts'
import { environmentPath, openSeeder, type Visit } from './seed-events.ts'

let server: BuiltServer

const minute = 60_000
/** Over nine and five hours, so that the last five have both versions. */
const olderSessions = 90
const newerSessions = 60

/** One session with a view, a vital, and, if it crashes, an uncaught error. */
function visitOf(version: string, index: number, crashes: boolean): Visit {
  const at = Date.now() - (3 + index * (version === '2.3.0' ? 6 : 5)) * minute
  const stack = `TypeError: no total\n    at pay (https://shop.example/app.js:1:200)`
  return {
    about: { url: 'https://shop.example/', page: '/cart', version },
    events: [
      event('view', { at }),
      event('vital', { at: at + 10, name: 'LCP', value: (version === '2.3.0' ? 2_000 : 3_000) + index * 7 }),
      ...(crashes
        ? [
            event('error', {
              ...{ at: at + 20, source: 'uncaught', handled: false },
              ...{ type: 'TypeError', message: 'no total', stack },
            }),
          ]
        : []),
    ],
  }
}

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const seeder = await openSeeder(page, server)
  await seeder.crowd(
    Array.from({ length: olderSessions }, (_, index) => visitOf('2.3.0', index, index % 30 === 0)),
  )
  await seeder.crowd(
    Array.from({ length: newerSessions }, (_, index) => visitOf('2.4.0', index, index % 5 === 0)),
  )
  await seeder.untilStored(2 * (olderSessions + newerSessions) + 15)
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const rows = (page: Page) => page.getByRole('table', { name: 'Releases' }).locator('[data-row]')

test('the list has releases with adoption and crash-free shares, and is reached by keyboard', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/${project.key}`)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText('2.4.0')
  await expect(rows(page).first()).toContainText('40%')
  await expect(rows(page).first()).toContainText('80% crash-free sessions')
  await expect(rows(page).last()).toContainText('96.7% crash-free sessions')
  await expect(page.getByRole('img', { name: /^Adoption of 2.versions over time/ })).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.getByRole('button', { name: 'Sessions', exact: true }).click()
  await expect(page).toHaveURL(/sort=sessions/)
  await expect(rows(page).first()).toContainText('2.3.0')
  await page.reload()
  await expect(rows(page).first()).toContainText('2.3.0')
  await page.getByRole('searchbox', { name: 'Search versions' }).fill('2.4')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search versions' }).fill('9.9')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '2.3.0' })).toBeFocused()
  expect(complaints).toEqual([])
})

test('a release has its sessions over time, vitals, issues, and a link to the version before it', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/${project.key}/errors`)
  await page
    .getByRole('link', { name: /no total/ })
    .first()
    .click()
  await page.getByRole('link', { name: '2.3.0' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: '2.3.0' })).toBeFocused()
  await page.goto(`${server.url}/p/${project.key}/releases/2.4.0`)
  const charts = page.getByRole('figure', { name: /^2\.4\.0: Adoption 40%; 60 sessions of 60 users/ })
  await expect(charts.getByRole('img', { name: /^Crash-free sessions 80%/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Upload source maps' })).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.getByRole('link', { name: '2.3.0', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '2.3.0' })).toBeFocused()
  await expect(page.getByRole('link', { name: /TypeError: no total/ })).toBeVisible()
  await page.getByRole('link', { name: 'Show sessions' }).click()
  await expect(page).toHaveURL(/q=version/)
  await expect(page.getByRole('table', { name: 'Sessions' }).locator('[data-row]').first()).toBeVisible()
  expect(complaints).toEqual([])
})

test('the palette finds a release by its version', async ({ page }) => {
  await page.goto(`${server.url}/p/${project.key}`)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').last().fill('2.4.0')
  await page
    .getByRole('option', { name: /2\.4\.0/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: '2.4.0' })).toBeVisible()
})

test('no releases, an unknown one and a refused query are reported; a viewer sees the same', async ({
  page,
}) => {
  await becomeMember(page, server, 'viewer')
  const address = `${server.url}/p/${project.key}/releases`
  await page.goto(`${address}/9.9.9`)
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible()
  await page.goto(`${address}?t=2020-01-01T00:00:00.000Z..2020-01-02T00:00:00.000Z`)
  await expect(page.getByRole('heading', { name: 'No releases in this time range' })).toBeVisible()
  await page.route(/\/api\/.*\/releases\?/, (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: '/errors/forbidden', title: 'Forbidden', permission: 'project.view' }),
    }),
  )
  await page.goto(address)
  await expect(page.getByRole('heading', { name: "You don't have access" })).toBeVisible()
})

test('two releases are compared from the palette, with intervals and a caveat', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/${project.key}`)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Compare releases')
  await expect(page.getByRole('combobox', { name: 'Search' })).toHaveValue('Compare releases')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Compare releases' })).toBeVisible()
  await expect(page.getByText('Users choose when they update')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Version', exact: true })).toHaveValue('2.4.0')
  await expect(page.getByRole('combobox', { name: 'Compared with' })).toHaveValue('2.3.0')
  const compared = page.getByRole('table', { name: 'Comparison' }).locator('[data-row]')
  const crashed = compared.filter({ hasText: 'Sessions with an uncaught error' })
  await expect(crashed).toContainText(/\+\d+.points/)
  await expect(
    crashed.getByRole('img', { name: /^Sessions with an uncaught error: .* to .*points$/ }),
  ).toBeVisible()
  await expect(compared.filter({ hasText: 'Largest Contentful Paint' })).toContainText(/\+\d+%/)
  await expect(compared.filter({ hasText: 'Failed requests' })).toContainText(
    'Too few users or events to compare',
  )
  await expectAccessibleInThemes(page)

  await page.getByRole('combobox', { name: 'Compared with' }).selectOption('2.4.0')
  await expect(page).toHaveURL(/version=2\.3\.0/)
  await expect(crashed).toContainText(/\u2212\d+.points/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Compared with' })).toHaveValue('2.4.0')
  await page.goBack()
  await expect(crashed).toContainText(/\+\d+.points/)

  await page.goto(`${server.url}/p/${project.key}/releases/2.4.0`)
  await page.getByRole('link', { name: 'Compare', exact: true }).click()
  await expect(page).toHaveURL(/base=2\.3\.0/)
  await page.goto(
    `${server.url}/p/${project.key}/releases/compare?version=2.4.0&t=2020-01-01T00:00:00.000Z..2020-01-02T00:00:00.000Z`,
  )
  await expect(page.getByRole('heading', { name: 'No releases in this time range' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a deploy is a mark on charts, with its version, author and commits', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await ask(page, server, {
    method: 'POST',
    path: `${environmentPath}/deploys`,
    body: {
      version: '2.4.0',
      at: new Date(Date.now() - 300 * minute).toISOString(),
      author: 'Ana',
      link: 'https://ci.example/runs/7',
      commits: [{ id: 'abc1234def', message: 'Mend the total' }],
    },
  })
  for (const screen of ['', '/releases/2.4.0']) {
    await page.goto(`${server.url}/p/${project.key}${screen}`)
    await page.getByRole('button', { name: 'Change 1: 2.4.0 deployed' }).first().click()
    await expect(page.getByText(/Deployed by Ana/)).toBeVisible()
    await expect(page.getByText('Mend the total').filter({ visible: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open pipeline' })).toHaveAttribute(
      'href',
      'https://ci.example/runs/7',
    )
    await expectAccessible(page)
  }
  await page.keyboard.press('Escape')
  const deploys = page.getByRole('list', { name: 'Deploys of 2.4.0' })
  await deploys.getByText('1 commit').click()
  await expect(deploys.getByText('Mend the total')).toBeVisible()
  await expect(deploys.getByText('by Ana')).toBeVisible()
  expect(complaints).toEqual([])
})
