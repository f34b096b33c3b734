// Where the time of scripts goes, from the list of pages to the line of the code, between two variations, and in one view.

import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, projectPath } from './console-member.ts'
import { sendProfile } from './seed-profiles.ts'

const environment = `${projectPath}/environments/production`
const patience = { timeout: 30_000 }
const perSide = 32

let server: BuiltServer
let key: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const { items } = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
    path: `${environment}/keys`,
  })
  key = items.find(({ kind }) => kind === 'client')?.value ?? ''
  const variations = ['old', 'new'].map((value) => ({ key: value, value }))
  const flag = { key: 'checkout', name: 'Checkout', valueType: 'string', variations, clientVisible: true }
  await ask(page, server, { method: 'POST', path: `${projectPath}/flags`, body: flag })
  const isOpen = async () => (await page.request.get(`${server.url}${environment}/events`)).status()
  await expect.poll(isOpen, patience).toBe(200)
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const address = (path = '') => `${server.url}/p/${project.key}/profiles${path}`
const cart = '/%2Fcart'
const tree = (page: Page) => page.getByRole('tree')
const box = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })

async function share(page: Page, profile: number): Promise<void> {
  const body = { sampling: { profile } }
  await ask(page, server, { method: 'PATCH', path: environment, body })
}

test("without profiles the missing setup is shown: the sampling, then the page's header", async ({
  page,
}) => {
  await share(page, 0)
  await page.goto(address())
  await expect(page.getByRole('heading', { name: 'Profiling is off in Production' })).toBeVisible()
  await expectAccessibleInThemes(page)
  await page.getByRole('link', { name: 'Set the sampling rate' }).click()
  await expect(page).toHaveURL(/settings\/environments\/production/)
  await share(page, 100)
  const first = async () => {
    await sendProfile(server.url, key, { salt: 0, page: '/thanks' }).catch(() => undefined)
    await page.goto(address('?q=page%3A%2Fnowhere'))
    await expect(page.getByRole('heading', { name: 'No profiles match the filter' })).toBeVisible({
      timeout: 8_000,
    })
  }
  await expect(first).toPass(patience)
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(page).not.toHaveURL(/q=/)
})

test('the hottest page leads to its flame graph, which is navigated, searched and zoomed by keyboard', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const sent = Array.from({ length: 2 * perSide }, (_, salt) =>
    sendProfile(server.url, key, { salt: salt >> 1, variation: salt % 2 === 0 ? 'old' : 'new' }),
  )
  await Promise.all(sent)
  const rows = page.getByRole('table', { name: 'Pages with profiles' }).locator('[data-row]')
  await expect(async () => {
    await page.goto(address())
    await expect(rows.filter({ hasText: '/cart' })).toContainText('64', { timeout: 8_000 })
  }).toPass(patience)
  await expect(rows.first()).toContainText('computeTotals')
  await expectAccessibleInThemes(page)

  await page.goto(`${server.url}/p/${project.key}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page.getByRole('heading', { level: 1, name: 'Profiles' })).toBeFocused()
  await expect(rows.first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Profiles of /cart' })).toBeFocused()
  await expect(tree(page)).toBeVisible()
  await expectAccessibleInThemes(page)

  await tree(page).focus()
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
  await expect(box(page, 'performWork')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(box(page, 'renderCart')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/zoom=/)
  const path = page.getByRole('navigation', { name: 'Zoomed in' })
  await expect(path).toContainText('renderCart')
  await expect(page.getByRole('region', { name: 'renderCart' })).toContainText('computeTotals')
  // It is the address: the same after a reload, and Back undoes it.
  await page.reload()
  await expect(path).toContainText('renderCart')
  await tree(page).focus()
  await page.keyboard.press('Backspace')
  await expect(path).toContainText('performWork')
  await page.goBack()
  await expect(path).toContainText('renderCart')
  await path.getByRole('button', { name: 'All of /cart' }).click()
  await expect(path).toHaveCount(0)

  await page.keyboard.press('f')
  await page.keyboard.type('totals')
  await expect(page.getByText(/^1.function, \d+% of the time$/)).toBeVisible()
  await expect(page).toHaveURL(/find=totals/)
  await page.keyboard.press('Escape')
  await expect(page.getByText(/of the time$/)).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('the table has every function by self and total time; one of them shows its callers, and why its code is missing', async ({
  page,
}) => {
  await page.goto(address(`${cart}?view=functions`))
  const rows = page.getByRole('table', { name: 'Functions', exact: true }).locator('[data-row]')
  await expect(rows.first()).toContainText('computeTotals')
  await page.getByRole('button', { name: 'Total time', exact: true }).click()
  await expect(rows.first()).toContainText('main')
  await expect(page).toHaveURL(/sort=-?total/)
  await rows.filter({ hasText: 'drawBanner' }).getByRole('button').click()
  const panel = page.getByRole('region', { name: 'drawBanner' })
  await expect(panel).toContainText('Called by')
  await expect(panel).toContainText('renderCart')
  await expect(panel).toContainText('No source map has been uploaded for this script.')
  await expect(panel.getByRole('link', { name: /Upload source maps/ })).toHaveAttribute('href', /source-maps/)
  await expectAccessibleInThemes(page)
  await panel.getByRole('button', { name: 'renderCart' }).click()
  await expect(page.getByRole('region', { name: 'renderCart' })).toContainText('Calls')
})

test('two variations are compared: changes have intervals, without a verdict if chosen by a rule', async ({
  page,
}) => {
  await page.goto(address(`${cart}?view=difference&flag=checkout&control=old&treatment=new`))
  await expect(page.getByText('Assigned by rule: not comparable')).toBeVisible()
  await expect(
    page.getByRole('tree', { name: /Differential flame graph of \/cart, new vs old/ }),
  ).toBeVisible()
  const changed = page.getByRole('table', { name: 'Functions that changed' }).getByRole('row')
  await expect(changed.nth(1)).toContainText('drawBanner')
  await expect(changed.nth(1)).toContainText('+40')
  await expect(changed.nth(1)).toContainText('no significant change')
  await expect(page.getByText(/always-valid/)).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.getByLabel('Control', { exact: true }).selectOption('old')
  await page.goto(address(`${cart}?view=difference&flag=checkout&control=old&treatment=new&q=version%3A9`))
  await expect(page.getByRole('heading', { name: 'No profiles match the filter' })).toBeVisible()
})

test('with too few profiles the counts are shown instead', async ({ page }) => {
  for (const variation of ['old', 'new'] as const) {
    await sendProfile(server.url, key, { salt: 1, variation, page: '/few' })
  }
  await expect(async () => {
    await page.goto(address('/%2Ffew?view=difference&flag=checkout&control=old&treatment=new'))
    await expect(page.getByRole('heading', { name: 'Too few profiles to compare' })).toBeVisible({
      timeout: 8_000,
    })
  }).toPass(patience)
  await expect(page.getByText('old: 1 profile of 1 visitor')).toBeVisible()
})

test('one profile has a timeline: its long frames, the linked moment, and the way to the session', async ({
  page,
}) => {
  const session = await sendProfile(server.url, key, { salt: 3, page: '/one', isLong: true })
  const list = async () =>
    (
      await ask<{ items: { id: string }[] }>(page, server, {
        path: `${environment}/profiles?session=${session}`,
      })
    ).items
  await expect.poll(async () => (await list()).length, patience).toBe(1)
  const [one] = await list()
  await page.goto(address(`/one/${one?.id}?at=600`))
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await expect(page.getByRole('img', { name: /1 long frames?, the moment at 600/ })).toBeVisible()
  await expect(tree(page)).toHaveAccessibleName(/Stacks over time/)
  await tree(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=\d+&to=\d+|to=\d+.*from=\d+/)
  const moment = page.getByRole('link', { name: 'This moment in the session' })
  await expect(moment).toHaveAttribute('href', new RegExp(session))
  await expectAccessibleInThemes(page)
})
