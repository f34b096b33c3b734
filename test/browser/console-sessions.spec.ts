import { expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, event, type Line, send, toLines } from '../intake/visitor.ts'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import { listenForComplaints, signIn } from './console.ts'
import { clientKey, type FlagServer, shopOwner, startFlagServer } from './flag-server.ts'

const minute = 60_000
const browsers = {
  Chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
  Safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
}

let server: FlagServer
/** Of a person who bought, and one of the guests who met an error. */
const bought = newId()
const failed = newId()
const long = newId()
const guests = 60

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startFlagServer({ telemetry: true, ownEngines: true })
  await server.create('checkout', 'string', { old: 'old', new: 'new' })
  await visit(bought, { userKey: 'mara', variation: 'new', ago: 30 * minute, lines: purchase })
  await visit(failed, { userKey: '', variation: 'old', ago: 20 * minute, lines: failure })
  for (let guest = 0; guest < guests; guest += 1) {
    await visit(newId(), {
      userKey: '',
      variation: 'old',
      ago: 60 * minute + guest * 1_000,
      browser: 'Safari' as const,
      lines: (at) => [event('view', { at, name: 'load' })],
    })
  }
  await visit(long, { userKey: 'machine', variation: 'old', ago: 110 * minute, lines: thousands })
  // Refused while the engine starts.
  await expect(async () => {
    expect((await ask('sessions/facets?fields=browser')).sessions).toBe(guests + 3)
    expect((await ask(`sessions/${long}`)).events).toBe(10_000)
  }).toPass({ timeout: 60_000 })
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }) => signIn(page, server, shopOwner))

interface Visit {
  userKey: string
  variation: string
  ago: number
  browser?: keyof typeof browsers
  lines: (at: number) => Line[]
}

async function visit(session: string, { userKey, variation, ago, browser = 'Chrome', lines }: Visit) {
  const own = context({
    session,
    userKey,
    anonymousId: `browser-of-${session}`,
    page: '/cart',
    version: '1.4.2',
    url: 'https://shop.example/cart',
    reads: [{ flag: 'checkout', variation }],
  })
  const all = lines(Date.now() - ago)
  for (let from = 0; from < all.length; from += 4_000) {
    const body = toLines([own, ...all.slice(from, from + 4_000)])
    const { status } = await send(server.url, body, {
      key: clientKey,
      headers: { 'user-agent': browsers[browser] },
    })
    expect(status).toBe(202)
  }
}

function purchase(at: number): Line[] {
  return [
    event('view', { at, name: 'load' }),
    event('exposure', { at: at + 5, flag: 'checkout' }),
    event('vital', { at: at + 900, name: 'LCP', value: 1_900, target: 'main > img' }),
    event('action', { at: at + 20_000, name: 'Pay now', target: 'button.pay' }),
    event('resource', {
      at: at + 20_100,
      type: 'fetch',
      method: 'POST',
      url: 'https://api.shop.example/orders',
      status: 201,
      duration: 300,
      size: 812,
    }),
    event('custom', { at: at + 21_000, name: 'bought', value: 3, attributes: { currency: 'NOK' } }),
  ]
}

function failure(at: number): Line[] {
  return [
    event('view', { at, name: 'load' }),
    event('exposure', { at: at + 5, flag: 'checkout' }),
    event('vital', { at: at + 900, name: 'LCP', value: 4_600, target: 'main > img' }),
    event('resource', { at: at + 950, type: 'css', url: 'https://shop.example/a.css', duration: 20 }),
    event('action', { at: at + 81_000, name: 'Find address', frustration: ['rage'] }),
    event('error', {
      at: at + 81_400,
      source: 'uncaught',
      type: 'TypeError',
      handled: false,
      message: 'lines of nothing',
      stack: 'TypeError: lines of nothing\n    at find (a.js:3:1)',
    }),
    event('resource', {
      at: at + 100_000,
      type: 'fetch',
      method: 'GET',
      url: 'https://api.shop.example/address/17',
      status: 504,
      duration: 8_000,
      failed: true,
    }),
  ]
}

const thousands = (at: number): Line[] =>
  Array.from({ length: 10_000 }, (_, index) =>
    event(index === 0 ? 'view' : 'action', { at: at + index * 500, name: `step ${index % 50}` }),
  ).map((line, index) => (index === 0 ? { ...line, name: 'load' } : line))

const base = '/api/v1/projects/shop/environments/production/'
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they test
const ask = async (path: string): Promise<any> => server.get(base + path)
const list = (query = '') => `${server.url}/p/shop/sessions?t=6h${query}`
const rows = (page: Page) => page.getByRole('table', { name: 'Sessions' }).getByRole('row')
const counted = (page: Page, text: string) =>
  expect(page.getByRole('region', { name: 'Sessions over time' }).getByRole('status')).toHaveText(text)
const facet = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the list, its facets and its counts match the events', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(`${server.url}/p/shop/?t=6h`)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeFocused()
  await counted(page, `${guests + 3} sessions of ${guests + 3}`)
  await expect(rows(page).nth(1)).toContainText('1:40 1 page')
  await expect(rows(page).nth(1)).toContainText('4.6')
  await expect(rows(page).nth(1)).toContainText('1 rage')
  await expect(rows(page).nth(2)).toContainText('mara')
  await expect(facet(page, 'Browser').getByRole('listitem')).toHaveText([/Safari.*60/, /Chrome3/])
  await expect(facet(page, 'Flag variation').getByRole('listitem')).toHaveText([/old62/, /new1/])
  await expect(facet(page, 'Worst LCP').getByRole('listitem')).toHaveText([
    /Good.*1$/,
    /Needs.*0$/,
    /Poor.*1$/,
  ])
  await expectAccessibleInThemes(page)
  expect(complaints).toEqual([])
})

test('checkboxes, chips and order are in the URL, and survive reload, sharing and Back', async ({ page }) => {
  await page.goto(list())
  await facet(page, 'Errors')
    .getByRole('checkbox', { name: /1 or more/ })
    .check()
  await expect(page).toHaveURL(/q=errors/)
  await counted(page, `1 session of ${guests + 3}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(facet(page, 'Errors').getByRole('listitem')).toHaveText([/None62/, /1 or more1/])
  await expect(facet(page, 'Device').getByText('Phone')).toBeVisible()

  await page.reload()
  await expect(facet(page, 'Errors').getByRole('checkbox', { name: /1 or more/ })).toBeChecked()
  await counted(page, `1 session of ${guests + 3}`)
  await page.getByRole('button', { name: 'Remove errors:>0' }).click()
  await counted(page, `${guests + 3} sessions of ${guests + 3}`)
  await page.goBack()
  await counted(page, `1 session of ${guests + 3}`)

  await page.goto(list('&q=user%3Anobody'))
  await expect(page.getByRole('heading', { name: 'No sessions match the filter' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await counted(page, `${guests + 3} sessions of ${guests + 3}`)
})

test('an event sequence is built step by step, and a pasted id opens its session', async ({ page }) => {
  await page.goto(list())
  await page.getByRole('button', { name: 'Event sequence' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First: filter').fill('page:/cart')
  await dialog.getByLabel('Then: event').selectOption('Custom event')
  await dialog.getByLabel('Then: filter').fill('colour:red')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('there is no field "colour"')).toBeVisible()
  await dialog.getByLabel('Then: filter').fill('name:bought')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/seq=kind/)
  await counted(page, `1 session of ${guests + 3}`)
  await expect(rows(page).nth(1)).toContainText('mara')
  await page.getByRole('button', { name: 'Remove event sequence' }).click()
  await counted(page, `${guests + 3} sessions of ${guests + 3}`)

  await page.keyboard.press('/')
  await page.keyboard.insertText(failed)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^guest, / })).toBeFocused()
  await expect(page).toHaveURL(new RegExp(failed))
})

test('variations are compared without a verdict', async ({ page }) => {
  await page.goto(list('&view=compare&flag=checkout'))
  const table = page.getByRole('table', { name: 'Variations side by side' })
  await expect(table.getByRole('row', { name: /^Sessions/ })).toHaveText(/Sessions621/)
  await expect(table.getByRole('row', { name: /^With errors/ })).toHaveText(/1.6% 1.*0% 0/)
  await expect(table.getByRole('row', { name: /^LCP/ })).toContainText('too few (1 of 50)')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'its Impact tab' }).click()
  await expect(page).toHaveURL(/flags\/checkout\/impact/)
})

test('any flag of the project can be compared, and the list sorted by a measure', async ({ page }) => {
  await server.create('never-evaluated', 'string', { old: 'old', new: 'new' })
  await page.goto(list('&view=compare'))
  const column = page.getByRole('combobox', { name: 'Flag column' })
  await expect(column).toHaveValue('checkout')
  await column.fill('never')
  await page.getByRole('option', { name: /^never-evaluated/ }).click()
  await expect(page).toHaveURL(/flag=never-evaluated/)
  await expect(page.getByText('No session with this flag')).toBeVisible()

  await page.goto(list())
  await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Longest first' })
  await expect(page).toHaveURL(/sort=length/)
  await expect(rows(page).nth(1)).toContainText('machine')
})

test('navigate, preview, open, jump between issues and to the next session by keyboard', async ({ page }) => {
  await page.goto(list())
  await expect(rows(page).nth(1)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const peek = page.getByRole('complementary', { name: 'Session' })
  await expect(peek.getByText('1 error, 1 failed request, 1 rage click')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(peek).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^guest, / })).toBeFocused()
  await expect(page.getByText(`1 of ${guests + 3}`)).toBeVisible()

  const current = page.locator('[data-moment][aria-current=true]')
  await expect(page.locator('[data-moment]')).toHaveCount(6)
  await page.keyboard.press('n')
  await expect(current).toContainText('Find address')
  await expect(page).toHaveURL(/#t=81$/)
  await page.keyboard.press('n')
  await expect(current).toContainText('TypeError: lines of nothing')
  await expect(page.getByLabel('Stack')).toContainText('at find (a.js:3:1)')
  await page.keyboard.press('n')
  await expect(current).toContainText('GET /address/:id 504')
  await page.keyboard.press('Shift+N')
  await page.keyboard.press('k')
  await expect(current).toContainText('Find address')
  await expectAccessibleInThemes(page)

  await page.keyboard.press('Shift+J')
  await expect(page.getByRole('heading', { name: /^mara, / })).toBeVisible()
  await expect(page.getByText(`2 of ${guests + 3}`)).toBeVisible()
})

test('a moment is shared by URL, with flags, files and links', async ({ page }) => {
  await page.goto(`${server.url}/p/shop/sessions/${failed}?env=production#t=81.4`)
  await expect(page.locator('[data-moment][aria-current=true]')).toContainText('TypeError')
  await expect(page.getByRole('button', { name: 'Copy link at 1:21' })).toBeVisible()
  await expect(page.getByText('Recording not sampled: 7 events only')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Error issue' })).toHaveAttribute('href', /issue/)
  const time = page.getByRole('slider', { name: 'Time in the session' })
  await expect(time).toHaveAttribute('aria-valuetext', /^1:21 of 1:40, TypeError/)
  await time.focus()
  await page.keyboard.press('End')
  await expect(page.locator('[data-moment][aria-current=true]')).toContainText('504')

  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.locator('[data-moment]').getByText('css /a.css')).toBeVisible()
  await page.getByRole('tab', { name: /Flags/ }).click()
  await expect(page.getByRole('tabpanel').getByRole('link', { name: 'checkout' })).toBeVisible()
  await expect(page.getByRole('tabpanel').getByText('old, by rule')).toBeVisible()
  await page.getByRole('link', { name: 'Sessions like this' }).click()
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeFocused()
  await counted(page, `1 session of ${guests + 3}`)
})

test('ten thousand events are a fast list, and an id without a session has an explanation', async ({
  page,
}) => {
  await page.goto(`${server.url}/p/shop/sessions/${long}?env=production`)
  await expect(page.getByRole('tab', { name: 'Events 10,000' })).toBeVisible()
  expect(await page.locator('[data-moment]').count()).toBeLessThan(100)
  const time = page.getByRole('slider', { name: 'Time in the session' })
  await time.focus()
  await page.keyboard.press('End')
  await expect(page.locator('[data-moment][aria-current=true]')).toContainText('step 49')

  await page.goto(`${server.url}/p/shop/sessions/01900000-0000-7000-8000-000000000000?env=production`)
  await expect(page.getByRole('heading', { name: 'This session is past retention' })).toBeVisible()
  await page.goto(`${server.url}/p/shop/sessions/${crypto.randomUUID()}?env=production`)
  await expect(page.getByRole('heading', { name: 'Session not found in' })).toBeVisible()
  await expectAccessible(page)
})

test('a query that is too large suggests a shorter period; new sessions wait until requested', async ({
  page,
}) => {
  const to = Date.now()
  await page.route('**/environments/production/sessions?*', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: '/errors/query-too-large',
        title: 'Query too large',
        shorter: {
          from: new Date(to - 60 * minute).toISOString(),
          to: new Date(to).toISOString(),
        },
      }),
    }),
  )
  await page.goto(list())
  await expect(page.getByRole('button', { name: /^Show the last 1.h$/ })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page).nth(1)).toBeVisible()

  await page.clock.install()
  await page.goto(`${server.url}/p/shop/sessions?t=15m`)
  await expect(page.getByRole('heading', { name: 'No sessions in this time range' })).toBeVisible()
  const fresh = newId()
  await visit(fresh, { userKey: 'noa', variation: 'new', ago: 0, lines: purchase })
  await expect.poll(async () => (await ask('sessions/facets?fields=user')).sessions).toBe(guests + 4)
  await page.clock.fastForward(20_000)
  await page.getByRole('button', { name: '1 new' }).click()
  await expect(rows(page).nth(1)).toContainText('noa')
  await expect(page.getByRole('button', { name: '1 new' })).toHaveCount(0)
})
