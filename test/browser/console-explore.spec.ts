// Questions of one's own, against what was handed in: as a sentence, over time, as a table, and for other programs.

import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { event } from '../intake/visitor.ts'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask } from './console-member.ts'
import { environmentPath, firefox, openSeeder } from './seed-events.ts'

let server: BuiltServer

const hour = 3_600_000
const day = 24 * hour
const timeZone = 'Europe/Berlin'
const begun = Date.now()

/** The last day there on which clocks were put back or forward, and how long it was. */
function findOddDay(): { from: number; hours: number } {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  const offset = (at: number) => (Number(clock.format(at)) - new Date(at).getUTCHours() + 24) % 24
  for (let at = Math.floor(begun / hour) * hour; ; at -= hour) {
    const change = offset(at) - offset(at - hour)
    if (change === 0) continue
    const midnight = at - 2 * hour - (change > 0 ? 0 : hour)
    return { from: midnight, hours: 24 - change }
  }
}
const odd = findOddDay()

const viewsAt = (at: number, count: number) =>
  Array.from({ length: count }, (_, index) => event('view', { at: at + index }))

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  await ask(page, server, { method: 'PATCH', path: environmentPath, body: { timeZone } })
  const seeder = await openSeeder(page, server)
  const reads = [{ flag: 'checkout', variation: 'new' }]
  const vitals = Array.from({ length: 60 }, (_, index) =>
    event('vital', { at: begun - hour - index, name: 'LCP', value: 1_000 + index * 10 }),
  )
  // Now: 30 views of the cart, 20 of the front page, 12 pages with one each.
  await seeder.visit({ about: { page: '/cart', reads }, events: [...viewsAt(begun - hour, 30), ...vitals] })
  await seeder.visit({ about: { page: '/' }, events: viewsAt(begun - 2 * hour, 20), browser: firefox })
  for (let place = 1; place <= 12; place += 1) {
    await seeder.visit({ about: { page: `/p${'x'.repeat(place)}` }, events: viewsAt(begun - hour, 1) })
  }
  // Silence for more than two days, then the time before, and a day with an hour more or less.
  await seeder.visit({ about: { page: '/cart' }, events: viewsAt(begun - 4 * day, 40) })
  const clockChange = [viewsAt(odd.from + hour, 3), viewsAt(odd.from + (odd.hours - 1) * hour, 4)].flat()
  const nextDay = viewsAt(odd.from + odd.hours * hour, 5)
  const aroundChange = [...clockChange, ...nextDay]
  await seeder.visit({ about: { page: '/odd' }, events: aroundChange })
  const recent = aroundChange.filter(({ at }) => Number(at) > begun - 30 * day)
  await seeder.untilStored(30 + 60 + 20 + 12 + 40 + recent.length)
  await shop(page)
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

/** A tab, and what is asked. */
const address = (query = '') => `${server.url}/p/${project.key}/explore${query}`
const rowsOf = (page: Page, name: string) => page.getByRole('table', { name }).locator('[data-row]')
const instants = (from: number, to: number) =>
  encodeURIComponent(`${new Date(from).toISOString()}..${new Date(to).toISOString()}`)

test('an example runs immediately; table, total and the rest match the events, survive a reload and are exported', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/${project.key}`)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await expect(page.getByRole('heading', { name: 'Explore', exact: true })).toBeFocused()
  await expectAccessibleInThemes(page)
  await page.getByRole('link', { name: /Most viewed pages/ }).click()
  const rows = rowsOf(page, 'Views by Page')
  await expect(rows).toHaveCount(11)
  await expect(rows.nth(0)).toContainText(/\/cart3048%/)
  await expect(rows.nth(1)).toContainText(/\/2032%/)
  await expect(rows.nth(10)).toContainText(/Other46.5%/)
  await expect(page.getByText(/Total 62/).first()).toBeVisible()
  await expect(page.getByRole('img', { name: 'Views over time', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Page', exact: true }).click()
  await expect(rows.nth(0)).toContainText('/20')
  await page.reload()
  await expect(rows.nth(0)).toContainText('/20')
  await expect(rows.nth(10)).toContainText('Other')
  await expectAccessibleInThemes(page)

  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download the table as CSV' }).click()
  const lines = (await readFile(await (await saved).path(), 'utf8')).split('\r\n')
  expect(lines).toHaveLength(13)
  expect(lines).toEqual(expect.arrayContaining(['Page,Views,Events', '/cart,30,30', 'Other,4,4']))

  await page.getByRole('button', { name: '/cart', exact: true }).click()
  await expect(page).toHaveURL(/q=page%3A%2Fcart/)
  await expect(rows).toHaveCount(1)
  await page.goBack()
  await expect(rows).toHaveCount(11)
  expect(complaints).toEqual([])
})

test('the query is edited by keyboard: another measure, a field with description, a variation, a filter', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(address())
  await page.getByLabel('Measure', { exact: true }).selectOption('the p75')
  await page.getByLabel('Event type').selectOption('vitals')
  await expect(page.getByLabel('Field', { exact: true })).toHaveValue('lcp')
  await expect(page.getByText(/Total 1.45/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Group by: none' }).press('Enter')
  const find = page.getByRole('combobox', { name: 'Search fields and flags' })
  await find.fill('carries people')
  await expect(page.getByText('No matching fields.')).toBeVisible()
  await find.fill('network')
  await expect(page.getByRole('option', { name: /^Connection/ })).toBeVisible()
  await find.fill('browser')
  await page.keyboard.press('Enter')
  await expect(rowsOf(page, 'p75 LCP by Browser')).toHaveText([/^Chrome1.45\u00a0s60/])

  await page.getByLabel('Measure', { exact: true }).selectOption('the share')
  await expect(page.getByRole('heading', { name: 'Choose a filter for the share' })).toBeVisible()
  await page.getByLabel('Filter of the share').fill('lcp:>1290')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Total 50%/).first()).toBeVisible()
  await page.getByLabel('Filter of the share').fill('lcp:>fast')
  await page.keyboard.press('Enter')
  await expect(page.getByText('"fast" is not a valid value of lcp')).toBeVisible()

  await page.goto(address('?measure=count&kind=view&by=flag%3Acheckout,browser'))
  await expect(rowsOf(page, 'Views by Flag checkout and Browser')).toHaveText([
    ...[/^newChrome30/, /^noneFirefox20/, /^noneChrome12/],
  ])
  await page.keyboard.press('/')
  await page.keyboard.type('browser:Firefox')
  await page.keyboard.press('Enter')
  await expect(rowsOf(page, 'Views by Flag checkout and Browser')).toHaveText([/^noneFirefox20/])
  await page.goto(address('?measure=count&q=browser%3ALynx'))
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(page.getByText(/Total 122/).first()).toBeVisible()
  expect(complaints).toEqual([])
})

test('compared with the previous period, through gaps, over a day with a clock change', async ({ page }) => {
  const complaints = listenForComplaints(page)
  const [from, to] = [begun - 2.5 * day, begun]
  await page.goto(address(`?measure=count&kind=view&by=page&compare=true&t=${instants(from, to)}`))
  await expect(rowsOf(page, 'Views by Page').first()).toContainText(/\/cart3048% of all40\u221225%/)
  await expect(page.getByText(/previously 40 \(\+55%\)/).first()).toBeVisible()

  // Nothing happened is a zero where events are counted, and a gap where they are measured.
  const week = instants(begun - 5 * day, begun)
  await page.goto(address(`?measure=count&kind=view&step=1d&t=${week}`))
  await page.getByRole('button', { name: 'Show as table' }).click()
  const steps = page.getByRole('region', { name: 'Views over time' }).getByRole('row')
  const texts = async () =>
    (await steps.allTextContents()).slice(1).map((text) => text.replace(/^.*, \d\d:\d\d/, ''))
  await expect
    .poll(async () => (await texts()).filter((text) => text === '0').length)
    .toBeGreaterThanOrEqual(2)
  expect((await texts()).reduce((sum, text) => sum + Number(text), 0)).toBe(102)
  await page.goto(address(`?measure=mean&of=lcp&kind=vital&step=1d&t=${week}`))
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect(page.getByRole('cell', { name: 'not recorded' }).first()).toBeVisible()

  const around = instants(odd.from - day, odd.from + 2 * day)
  await page.goto(address(`?measure=count&kind=view&q=page%3A%2Fodd&step=1d&t=${around}`))
  await page.getByRole('button', { name: 'Show as table' }).click()
  const midnight = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium' }).format(odd.from)
  await expect(page.getByRole('row', { name: new RegExp(`${midnight}, 00:00 7$`) })).toBeVisible()
  expect(complaints).toEqual([])
})

test('rates per session have intervals or say why not, and are compared', async ({ page }) => {
  await page.goto(address('?measure=count&kind=view&by=page&t=24h'))
  await page.getByLabel('Rate', { exact: true }).selectOption('Events per session')
  const rates = page.getByRole('region', { name: 'Rates' })
  await expect(rates.getByText(/^Views per session: 4\.43/)).toBeVisible()
  const rows = rowsOf(page, 'Rates by Page')
  await expect(rows.filter({ hasText: '/cart' })).toContainText('30')
  await page.getByLabel('Compare', { exact: true }).selectOption('two values')
  await expect(rates.getByRole('status')).toContainText('Too few users')
  await expect(page).toHaveURL(/rate=per-session&against=values/)
  await page.reload()
  await page.getByLabel('Compare', { exact: true }).selectOption('with the previous period')
  await expect(rates.getByRole('status')).toContainText('Periods are not randomised')
  await expectAccessibleInThemes(page)
})

test('dragging selects the period; a query that is too large suggests a shorter one', async ({ page }) => {
  await page.goto(address('?measure=count&kind=view&look=bars&t=7d'))
  const chart = page.locator('.u-over')
  await expect(chart).toBeVisible()
  const box = await chart.boundingBox()
  expect(box).not.toBeNull()
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width * 0.3, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/t=20[^&]*\.\.20/)
  await page.goBack()
  await expect(page).toHaveURL(/t=7d/)

  const to = new Date()
  const shorter = { from: new Date(to.getTime() - day).toISOString(), to: to.toISOString() }
  await page.route(/\/api\/.*\/explore\?/, (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: '/errors/query-too-large', title: 'Query too large', shorter }),
    }),
  )
  await page.goto(address('?measure=count&kind=view&t=30d'))
  await page.getByRole('button', { name: 'Show the last 24\u00a0h' }).click()
  await expect(page).toHaveURL(/t=24h/)
})

/** Twelve visits of three weeks ago: all start, eight pay, five buy; those with `new` more often. */
const shopping = begun - 21 * day
const shoppingTime = `t=${instants(shopping - hour, shopping + 2 * day)}`

async function shop(page: Page) {
  const seeder = await openSeeder(page, server)
  const path = (index: number) => [
    event('view', { at: shopping + index * 1_000 }),
    event('exposure', { at: shopping + index * 1_000 + 1, flag: 'checkout' }),
  ]
  await seeder.crowd(
    Array.from({ length: 12 }, (_, index) => ({
      about: { page: '/start', reads: [{ flag: 'checkout', variation: index % 3 === 0 ? 'old' : 'new' }] },
      events: [
        ...path(index),
        ...(index < 8 ? [event('action', { at: shopping + index * 1_000 + 60_000, name: 'Pay now' })] : []),
        ...(index < 5 ? [event('custom', { at: shopping + index * 1_000 + 90_000, name: 'bought' })] : []),
      ],
    })),
  )
  const query = new URLSearchParams({
    from: new Date(shopping - hour).toISOString(),
    to: new Date(shopping + hour).toISOString(),
    kind: 'view',
  })
  const views = async () =>
    (await (await page.request.get(`${server.url}${environmentPath}/explore?${query}`)).json()).total.events
  await expect.poll(views, { timeout: 40_000 }).toBe(12)
}

test('a funnel is built by keyboard, opens the sessions of a loss, is split by variation and survives a reload', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto(address(`?${shoppingTime}`))
  await page.getByRole('link', { name: 'Funnel' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Choose at least two steps' })).toBeVisible()
  await expectAccessibleInThemes(page)
  const step = (number: number) => page.getByRole('textbox', { name: `Step ${number}` })
  await step(1).fill('kind:view page:/start')
  await step(1).press('Enter')
  await step(2).fill('colour:red')
  await step(2).press('Enter')
  await expect(page.getByText('there is no field "colour"')).toBeVisible()
  await step(2).fill('kind:custom name:bought')
  await step(2).press('Enter')
  await page.getByRole('button', { name: 'Add step' }).press('Enter')
  await step(3).fill('kind:action name:"Pay now"')
  await step(3).press('Enter')
  await expect(page.getByText('0% of 12 users took every step')).toBeVisible()
  await page.getByRole('button', { name: 'Move step 3 up' }).press('Enter')
  await expect(page.getByText('42% of 12 users took every step')).toBeVisible()
  const steps = page.getByRole('table', { name: 'Steps of the funnel' }).getByRole('row')
  await expect(steps.nth(2)).toContainText(/Pay now.*8.*67%.*67%/)
  await expect(steps.nth(3)).toContainText(/bought.*5.*42%.*63%/)

  await page.getByRole('button', { name: '4 lost before step 2: show sessions' }).click()
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('link')).toHaveCount(4)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Lost before step 2' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('link')).toHaveCount(4)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Lost before step 2' })).toBeHidden()

  await page.getByRole('button', { name: 'Split by: none' }).press('Enter')
  await page.getByRole('combobox', { name: 'Search fields and flags' }).fill('browser')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: 'Groups at step 2' })).toContainText(/Chrome.*8.*of 12/)
  await page.goto(page.url().replace('by=browser', 'by=flag%3Acheckout'))
  const groups = page.getByRole('table', { name: 'Groups at step 3' }).getByRole('row')
  await expect(groups.nth(1)).toContainText(/new.*3.*of 8/)
  await expect(groups.nth(2)).toContainText(/old.*2.*of 4.*points/)
  await expect(page.getByText('0 users with several variations, 0 not exposed')).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.route(/api\/.*explore\/funnel\?/, (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: '/errors/forbidden', title: 'Forbidden', status: 403 }),
    }),
  )
  await page.goto(address(`/funnel?${shoppingTime}&steps=kind:view -> kind:action`))
  await expect(page.getByRole('heading', { name: "You don't have access" })).toBeVisible()
  expect(complaints.filter((text) => !text.includes('403'))).toEqual([])
})

test('retention by day and the paths after a page lead to their sessions', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(address(`/retention?${shoppingTime}`))
  await expect(page.getByText('12 users').first()).toBeVisible()
  const cohorts = page.getByRole('region', { name: 'Cohorts' }).getByRole('row')
  await expect(cohorts.nth(1)).toContainText(/12/)
  await expectAccessibleInThemes(page)
  await page.goto(address(`/retention?${shoppingTime}&q=browser:Lynx`))
  await expect(page.getByRole('button', { name: 'Clear the filter' })).toBeVisible()

  await page.goto(address(`/paths?${shoppingTime}&of=events`))
  await page.getByRole('textbox', { name: 'Start' }).fill('kind:view page:/start')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: 'Whole paths' }).getByRole('row')).toHaveCount(4)
  await page.getByRole('button', { name: /^Pay now/ }).click()
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('link')).toHaveCount(8)
  await page.reload()
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('link')).toHaveCount(8)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^ended here/ }).click()
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('link')).toHaveCount(4)
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})
