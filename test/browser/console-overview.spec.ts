// The overview, the pages and one page, over a day that is slower than the one before.

import { expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, event, type Line, send, toLines } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import { listenForComplaints, signIn } from './console.ts'
import { clientKey, type FlagServer, shopOwner, startFlagServer } from './flag-server.ts'

const minute = 60_000
const hour = 60 * minute
const patience = { timeout: 30_000 }
const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

let server: FlagServer

/** When the first of a minute of errors occurred. */
let failuresBegan = 0

test.beforeAll(async () => {
  server = await startFlagServer({ telemetry: true })
  await server.create('checkout', 'string', { old: 'old', new: 'new' })
  await visit({ page: '/cart', ago: 30 * hour, count: 60, lcp: 1_500, variation: 'old' })
  await visit({ page: '/cart', ago: 2 * hour, count: 60, lcp: 2_000, variation: 'old' })
  failuresBegan = Date.now() - hour
  await visit({ page: '/cart', ago: hour, count: 60, lcp: 4_600, variation: 'new', fails: true })
  await visit({ page: '/orders/:id', ago: hour, count: 30, lcp: 1_000, variation: 'old' })
  await server.serve('checkout', 'new')
  // Refused while the engine starts.
  await expect(async () => expect((await get('overview')).now.views).toBe(150)).toPass(patience)
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }) => signIn(page, server, shopOwner))

// biome-ignore lint/suspicious/noExplicitAny: what is asked for is looked into here
const get = (path: string): Promise<any> =>
  server.get(`/api/v1/projects/shop/environments/production/${path}`)

interface Visits {
  page: string
  ago: number
  count: number
  lcp: number
  variation: string
  fails?: boolean
}

/** So many people, one after the other, each with one view of its own address. */
async function visit({ page, ago, count, lcp, variation, fails = false }: Visits): Promise<void> {
  const lines = Array.from({ length: count }, (_, index): Line[] => {
    const at = Date.now() - ago + index * 1_000
    const own = { context: index, at }
    return [
      context({
        index,
        page,
        anonymousId: newId(),
        version: '1.4.2',
        url: `https://shop.example/a/${index}`,
        reads: [{ flag: 'checkout', variation }],
      }),
      event('view', { ...own, name: 'load' }),
      event('vital', { ...own, name: 'LCP', value: lcp + index, target: 'main > img.hero' }),
      event('vital', { ...own, name: 'INP', value: 120, target: 'button.pay' }),
      event('vital', { ...own, name: 'CLS', value: 0.05 }),
      ...(fails ? [event('error', { ...own, ...error })] : []),
    ]
  }).flat()
  const headers = { 'user-agent': chrome }
  const { status, body } = await send(server.url, toLines(lines), { key: clientKey, headers })
  expect(status).toBe(202)
  expect(body.dropped).toEqual([])
}

const error = {
  source: 'uncaught',
  type: 'TypeError',
  message: 'ranks.map is not a function',
  stack: 'TypeError: ranks.map is not a function\n    at rank (https://shop.example/cart.js:4:2)',
  handled: false,
}

const charts = (page: Page) => page.getByRole('figure', { name: /^Health of production/i })

async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(`${server.url}/p/shop${path}`)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
}

test('the overview shows changes, new errors and open problems', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await open(page, '', 'Overview')
  await expect(
    charts(page).getByRole('img', { name: /^Largest Contentful Paint, p75 4\.6\d s/ }),
  ).toBeVisible()
  await expect(charts(page).getByRole('img', { name: /^Sessions, 150/ })).toBeVisible()
  await expect(charts(page)).toContainText('Change vs previous period')

  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention).toContainText('Now poor')
  await expect(attention).toContainText('LCP p75 1.55 s → 4.63 s')
  const errors = page.getByRole('region', { name: 'New errors' })
  await expect(errors.getByRole('link', { name: 'TypeError: ranks.map is not a function' })).toBeVisible()
  await expect(errors.getByRole('link', { name: 'checkout = new' })).toBeVisible()
  const moved = page.getByRole('region', { name: 'Biggest changes by page' })
  await expect(moved.getByRole('row', { name: /\/cart/ })).toContainText('+')
  await expectAccessibleInThemes(page)

  await moved.getByRole('link', { name: '/cart', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '/cart' })).toBeFocused()
  expect(complaints).toEqual([])
})

test('a pennant shows a change and leads to its history; m hides all of them', async ({ page }) => {
  await open(page, '', 'Overview')
  const pennant = charts(page)
    .getByRole('button', { name: /^Change \d: checkout/ })
    .first()
  await pennant.click()
  const card = page.getByRole('dialog', { name: /checkout/ })
  await expect(card).toContainText('by Ada')
  await expect(card.getByRole('link', { name: 'checkout' })).toHaveAttribute(
    'href',
    /\/flags\/checkout\/history\?.*v=2/,
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('m')
  await expect(pennant).toHaveCount(0)
  await page.keyboard.press('m')
  await expect(pennant).toBeVisible()
})

test('a period is selected by keyboard and by dragging; Back undoes it', async ({ page }) => {
  await open(page, '', 'Overview')
  const steps = charts(page).getByRole('slider', { name: 'Interval of the charts' })
  await steps.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(steps).toHaveAttribute('aria-valuetext', /LCP p75 .*Sessions/)
  for (let count = 0; count < 4; count += 1) await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/t=.*\.\./)
  await page.goBack()
  await expect(page).not.toHaveURL(/t=.*\.\./)

  const row = charts(page).getByRole('img', { name: /^Interaction/ })
  const box = await row.boundingBox()
  if (!box) throw new Error('the chart is not drawn')
  await page.mouse.move(box.x + box.width * 0.3, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + 40, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/t=.*\.\./)
})

test('every chart has a table', async ({ page }) => {
  await open(page, '', 'Overview')
  await charts(page).getByRole('button', { name: 'Chart options' }).click()
  await page.getByRole('menuitem', { name: 'Show as table' }).click()
  const table = charts(page).getByRole('table')
  await expect(table.getByRole('columnheader', { name: 'LCP p75' })).toBeVisible()
  await expect(table).toContainText('not recorded')
})

test('pages are sorted, searched, filtered and previewed by keyboard, and the URL keeps it', async ({
  page,
}) => {
  await open(page, '', 'Overview')
  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await expect(page.getByRole('heading', { level: 1, name: 'Pages' })).toBeFocused()
  const rows = page.getByRole('table', { name: 'Pages' }).locator('[data-row]')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('/cart')
  await expect(rows.nth(1)).toContainText('too few (30 of 50)')

  await page.getByRole('button', { name: 'Errors' }).click()
  await expect(page).toHaveURL(/sort=errors/)
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const peek = page.getByRole('complementary', { name: '/cart' })
  await expect(peek).toContainText('Largest Contentful Paint')
  await expectAccessibleInThemes(page)
  await page.keyboard.press('Escape')
  await expect(peek).toHaveCount(0)

  await page.getByRole('searchbox', { name: 'Search pages' }).fill('ORD')
  await expect(rows).toHaveCount(1)
  await page.reload()
  await expect(rows).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search pages' }).fill('nowhere')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('/')
  await page.keyboard.type('flag:checkout=new')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL(/q=flag/)
})

test('one page shows its distributions, slow users and causes; every row filters it', async ({ page }) => {
  await open(page, '/pages/%2Fcart', '/cart')
  const largest = page.getByRole('region', { name: 'Largest Contentful Paint' })
  await expect(largest).toContainText('50% good of 120 measured')
  await expect(
    largest.getByRole('img', { name: /^Largest Contentful Paint of 120 views: 50% good/ }),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Largest elements' })).toContainText('main > img.hero')
  const by = page.getByRole('region', { name: 'LCP by' })
  await expect(
    by.getByRole('img', { name: /^Largest Contentful Paint with (old and new|new and old)/ }),
  ).toBeVisible()
  await expect(by.getByRole('row', { name: /^new/ })).toContainText('4.6')
  await expectAccessibleInThemes(page)

  await by.getByRole('link', { name: 'new', exact: true }).click()
  await expect(page).toHaveURL(/q=flag/)
  await expect(largest).toContainText('60 measured')
  await page.getByRole('button', { name: 'Version', exact: true }).click()
  await expect(by.getByRole('row', { name: /1\.4\.2/ })).toBeVisible()
  await page.getByRole('button', { name: 'INP', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Slow elements' })).toContainText('button.pay')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Slow elements' })).toContainText('button.pay')
  await page.getByRole('link', { name: 'Sessions', exact: true }).last().click()
  await expect(page).toHaveURL(/sessions\?.*page/)
})

test('a page with fewer than 50 views shows no p75, and one without views says so', async ({ page }) => {
  await open(page, `/pages/${encodeURIComponent('/orders/:id')}`, '/orders/:id')
  await expect(page.getByRole('region', { name: 'Largest Contentful Paint' })).toContainText(
    'too few to show a p75',
  )
  await open(page, '/pages/%2Fnowhere', '/nowhere')
  await expect(page.getByRole('heading', { name: 'No views of this page in this time range' })).toBeVisible()
})

test('no errors and no new errors are distinguished', async ({ page }) => {
  const span = (from: number, to: number) =>
    encodeURIComponent(`${new Date(from).toISOString()}..${new Date(to).toISOString()}`)
  await open(page, `?t=${span(failuresBegan - 28 * hour, failuresBegan - 27 * hour)}`, 'Overview')
  await expect(page.getByText('No open error occurred in this period.')).toBeVisible()
  await expect(page.getByText('No new errors')).toHaveCount(0)
  // The same error every second for a minute: from the half of it on it is known.
  await open(page, `?t=${span(failuresBegan + 30_000, failuresBegan + 50 * minute)}`, 'Overview')
  await expect(page.getByText('Every error in this period was known before.')).toBeVisible()
  await expect(page.getByText('No open error occurred')).toHaveCount(0)
})

test('on a phone nothing is wider than the window', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, heading, seen] of [
    ['', 'Overview', 'Needs attention'],
    ['/pages', 'Pages', '/orders/:id'],
    ['/pages/%2Fcart', '/cart', 'Breakdown'],
  ] as const) {
    await open(page, path, heading)
    await expect(page.getByText(seen).first()).toBeVisible()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, path).toBeLessThanOrEqual(390)
  }
})
