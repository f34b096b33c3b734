import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { type BuiltServer, startBuiltServer } from './built-server.ts'
import { listenForComplaints } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'
import { type Site, startSite } from './flag-server.ts'

// One story on one installation, from its first start on: each test goes on where the one before ended.
test.describe.configure({ mode: 'serial' })

let server: BuiltServer
let site: Site
let owner: BrowserContext
let page: Page
/** Somebody else's page, open all the time: what users see. */
let shop: Page

test.beforeAll(async ({ browser }) => {
  server = await startBuiltServer()
  owner = await browser.newContext()
  page = await owner.newPage()
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  await owner?.close()
})

test('from the setup code to a rule in effect, without a reload', async ({ browser }) => {
  const complaints = listenForComplaints(page)
  await page.goto(server.setupUrl)
  await page.getByLabel('Your name').fill('Mara Oduya')
  await page.getByLabel('E-mail').fill('mara@pedalandpost.example')
  await page.getByLabel('Password').fill('seven calm geese walk home')
  await page.getByLabel('Project name').fill('Pedal & Post')
  await page.getByRole('button', { name: 'Create owner' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')

  await page.getByRole('link', { name: 'Flags' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Flags')
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New flag' })
  await dialog.getByLabel('Name', { exact: true }).first().fill('Free delivery')
  await dialog.getByRole('radio', { name: 'Browsers and servers' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/flags\/free-delivery\/targeting/)
  shop = await openShop(browser)
  await expect(shop.locator('h1')).toHaveText('paid')

  await page.getByRole('switch', { name: /^Off in Production/ }).click()
  await page
    .getByRole('region', { name: /^Everyone/ })
    .getByLabel('Variation', { exact: true })
    .selectOption('off')
  await page.keyboard.press('a')
  await page.keyboard.type('Trade')
  await page.getByRole('combobox', { name: 'Attribute' }).fill('plan')
  await page.keyboard.press('Escape')
  const card = page.getByRole('listitem', { name: 'Rule 1: Trade' })
  await card.getByLabel('Value', { exact: true }).fill('trade')
  await card.getByLabel('Variation', { exact: true }).selectOption('on')
  await page.keyboard.press('Control+s')
  const review = page.getByRole('dialog', { name: /^Review/ })
  await expect(review).toContainText('plan is trade')
  await expect(review.getByLabel(/^Reason/)).toBeFocused()
  await page.keyboard.type('The spring offer')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Saved to/)).toBeVisible()

  await expect(shop.locator('h1')).toHaveText('free')
  expect(complaints).toEqual([])
})

test('two members save: the second sees both versions, keeps all input, and decides', async ({ browser }) => {
  const other = await openConsole(browser, 'maintainer')
  for (const one of [page, other]) {
    await one.goto(`${server.url}/p/pedal-post/flags/free-delivery/targeting?env=production`)
    await one.getByRole('button', { name: 'Edit Trade' }).click()
  }
  await other.getByLabel('Description').fill('Trade, theirs')
  await saveWith(other, 'They were first')

  await page.getByLabel('Description').fill('Trade, mine')
  await page.keyboard.press('Control+s')
  await page.keyboard.type('I was second')
  await page.keyboard.press('Control+Enter')
  const conflict = page.getByRole('dialog', { name: /saved free-delivery in .* first/ })
  await expect(conflict).toContainText('Trade, theirs')
  await expect(conflict).toContainText('Trade, mine')
  await conflict.getByRole('button', { name: 'Mine', exact: true }).click()
  await conflict.getByRole('button', { name: 'Review result' }).click()
  await expect(page.getByLabel(/^Reason/)).toHaveValue('I was second')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Saved to/).last()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Trade, mine' })).toBeVisible()
  await other.context().close()
})

test('an old version is restored from the history, and users get it', async () => {
  await page.goto(`${server.url}/p/pedal-post/flags/free-delivery/history?env=production`)
  await page.getByRole('link', { name: /Version 1\b/ }).click()
  await page.getByRole('button', { name: 'Restore version 1…' }).click()
  const review = page.getByRole('dialog', { name: /^Restore version 1 of free-delivery/ })
  await expect(review).toContainText('the flag is off')
  await review.getByLabel(/^Reason/).fill('The offer is over')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Version 1 restored as version 5/)).toBeVisible()
  await expect(shop.locator('h1')).toHaveText('paid')
})

test('a key that ends immediately is rejected from then on, and the new one works', async ({ request }) => {
  await page.goto(`${server.url}/p/pedal-post/settings/environments/production`)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Label (optional)').fill('Back end')
  await page.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'The new server key' })
  const first = await shown.getByRole('code').textContent()
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Actions of Back end' }).click()
  await page.getByRole('menuitem', { name: 'Rotate…' }).click()
  await page.getByLabel('Old key').selectOption('Ends immediately')
  await page.getByRole('button', { name: 'Rotate key' }).click()
  const second = await shown.getByRole('code').textContent()
  const statusWith = async (key: string | null) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await request.get(`${server.url}/sdk/v1/ruleset`, { headers })).status()
  }
  await expect.poll(() => statusWith(first)).toBe(401)
  expect(await statusWith(second)).toBe(200)
})

/** A page of another site with the browser SDK, for somebody with the plan `trade`. */
async function openShop(browser: Browser): Promise<Page> {
  const { items } = await ask<{ items: { kind: string; value: string | null }[] }>(page, server, {
    path: `${projectPath}/environments/production/keys`,
  })
  const key = items.find(({ kind }) => kind === 'client')?.value
  site = await startSite({
    '/': `<!doctype html><title>Shop</title><h1></h1>
<script src="${server.url}/sdk/v1/telltale.js"></script>
<script>
  const flags = telltale.init({ key: '${key}', context: { targetingKey: 'ada', plan: 'trade' } })
  const show = () => {
    document.querySelector('h1').textContent = flags.getBoolean('free-delivery', false) ? 'free' : 'paid'
  }
  flags.onChange(show)
  show()
</script>`,
  })
  const context = await browser.newContext()
  const opened = await context.newPage()
  await opened.goto(site.url)
  return opened
}

async function openConsole(browser: Browser, role: string): Promise<Page> {
  const context = await browser.newContext({ storageState: await owner.storageState() })
  const opened = await context.newPage()
  await becomeMember(opened, server, role)
  return opened
}

async function saveWith(saving: Page, reason: string): Promise<void> {
  await saving.keyboard.press('Control+s')
  await saving.getByLabel(/^Reason/).fill(reason)
  await saving.keyboard.press('Control+Enter')
  await expect(saving.getByText(/^Saved to/)).toBeVisible()
}
