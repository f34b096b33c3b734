// The toolbar on a page with a strict content policy: opened by a link of the console, it forces a value, which counts
// nowhere, and reports a problem, which is on the session.

import { expect, type Page, test } from '@playwright/test'
import { signIn } from './console.ts'
import { clientKey, type FlagServer, shopOwner, startFlagServer } from './flag-server.ts'
import { type ShopSite, startShop } from './shop-site.ts'

let server: FlagServer
let shop: ShopSite

test.beforeAll(async () => {
  server = await startFlagServer({ telemetry: true })
  await server.create('checkout', 'boolean', { off: false, on: true })
  await server.create('headline', 'string', { plain: 'Hello', loud: 'HELLO' })
  shop = await startShop()
})

test.afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const start = `window.app = telltale.init({ key: '${clientKey}' })
const show = () => {
  document.getElementById('checkout').textContent = app.getBoolean('checkout', false) ? 'new' : 'old'
}
app.onChange(show)
show()`

/** Its scripts and styles are allowed by address and hash, so that whatever the toolbar adds would be refused. */
async function sitePage(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(start))
  const hash = Buffer.from(digest).toString('base64')
  const policy = `default-src 'none'; script-src ${server.url} 'sha256-${hash}'; connect-src ${server.url}; require-trusted-types-for 'script'`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Shop</title><meta name="viewport" content="width=device-width"></head>
<body><h1>Shop</h1><p id="checkout"></p><label>E-mail <input value="ada@example.com"></label>
<script src="${server.url}/sdk/v1/telltale.js"></script><script>${start}</script></body></html>`
}

const events = '/api/v1/projects/shop/environments/production/events'
interface Stored {
  name: string
  flags: string[]
  attributes: Record<string, string>
  session: string
}
const stored = async (kind: string) =>
  ((await server.get(`${events}?kind=${kind}&limit=200`)) as { items: Stored[] }).items

/** Closed roots are closed to tests, too. */
const openRoots = () => {
  const { attachShadow } = Element.prototype
  Element.prototype.attachShadow = function (init) {
    return attachShadow.call(this, { ...init, mode: 'open' })
  }
}

async function linkTo(page: Page, address: string): Promise<string> {
  await signIn(page, server, shopOwner)
  await page.goto(`${server.url}/p/shop/settings/environments/production?page=${encodeURIComponent(address)}`)
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = page.getByRole('link', { name: 'Open page' })
  return (await link.getAttribute('href')) ?? ''
}

test('a link of the console opens it on a strict page, where a forced value counts nowhere and a report is found', async ({
  page,
  context,
}) => {
  shop.page = await sitePage()
  const address = await linkTo(page, `${shop.url}/?from=mail`)
  const visit = await context.newPage()
  const refusals: string[] = []
  visit.on('console', (message) => {
    if (/Content Security|Trusted/i.test(message.text())) refusals.push(message.text())
  })
  await visit.addInitScript(openRoots)
  await visit.goto(address)
  const toolbar = visit.getByRole('region', { name: 'Telltale toolbar' })
  await expect(toolbar.getByText('production')).toBeVisible()
  expect(visit.url()).toBe(`${shop.url}/?from=mail`)
  await expect(visit.locator('#checkout')).toHaveText('old')
  await expect.poll(async () => (await stored('exposure')).map(({ name }) => name)).toEqual(['checkout'])

  await toolbar.getByRole('button', { name: 'Force true for checkout' }).click()
  await expect(visit.locator('#checkout')).toHaveText('new')
  await visit.reload()
  await expect(visit.locator('#checkout')).toHaveText('new')
  const reason = await visit.evaluate(() => app.getDetails('checkout', false).reason)
  expect(reason).toBe('OVERRIDE')

  await toolbar.getByRole('tab', { name: 'Flags' }).focus()
  await visit.keyboard.press('End')
  await toolbar.getByLabel('What went wrong?').fill('The total is wrong')
  await toolbar.getByRole('button', { name: 'Send report' }).click()
  await expect(toolbar.getByText('Reported.')).toBeVisible()
  const moment = await toolbar.getByRole('link', { name: 'Open the moment' }).getAttribute('href')
  await visit.keyboard.press('Escape')
  await expect(toolbar).toBeHidden()
  await visit.goto('about:blank')

  await expect.poll(async () => (await stored('custom')).length).toBe(1)
  const [report] = await stored('custom')
  expect(report).toMatchObject({
    name: 'feedback',
    flags: [],
    attributes: {
      message: 'The total is wrong',
      'telltale.forced': 'checkout=true',
      variations: 'checkout=true (forced), headline=plain',
    },
  })
  expect(await stored('exposure')).toHaveLength(1)
  expect((await stored('action')).map(({ name }) => name)).toEqual([])
  expect(refusals).toEqual([])

  await page.goto(moment ?? '')
  await expect(page.getByText('The total is wrong').first()).toBeVisible()
})

test('the bookmark leads from a page to the console, and the tabs show masking and vitals', async ({
  page,
}) => {
  shop.page = await sitePage()
  await signIn(page, server, shopOwner)
  await page.goto(`${server.url}/p/shop/settings/environments/production`)
  const bookmark = await page.getByRole('link', { name: /^Telltale toolbar/ }).getAttribute('href')
  await page.addInitScript(openRoots)
  await page.goto(`${shop.url}/cart?item=3`)
  // As the browser runs a bookmark; its navigation may end the evaluation.
  await page
    .evaluate((code) => Reflect.get(globalThis, 'eval')(code), (bookmark ?? '').replace('javascript:', ''))
    .catch((error) => expect(`${error}`).toContain('context was destroyed'))
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue(`${shop.url}/cart?item=3`)
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.goto((await page.getByRole('link', { name: 'Open page' }).getAttribute('href')) ?? '')

  const toolbar = page.getByRole('region', { name: 'Telltale toolbar' })
  await toolbar.getByRole('tab', { name: 'Privacy' }).click()
  await toolbar.getByLabel('Outline what replays mask').check()
  await expect(toolbar.getByText('ignored: never recorded (0 visible)')).toBeVisible()
  const field = await page.getByLabel('E-mail').boundingBox()
  const outlines = page.locator('telltale-toolbar .masked:not(li)')
  const boxes = await outlines.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
  expect(boxes).toContainEqual(expect.objectContaining({ x: field?.x, y: field?.y, width: field?.width }))

  await toolbar.getByRole('tab', { name: 'Vitals' }).click()
  await expect(toolbar.locator('caption')).toHaveText('Web vitals of /cart')
  await expect(toolbar.getByRole('row', { name: /^FCP/ })).toContainText(
    /\d ms(good|needs improvement|poor)$/,
  )
  // They stay while another tab is shown, until they are switched off.
  await toolbar.getByRole('tab', { name: 'Privacy' }).click()
  await toolbar.getByLabel('Outline what replays mask').uncheck()
  await expect(outlines).toHaveCount(0)
})

test('a tab is recorded for a preview, also where the environment records no sessions', async ({ page }) => {
  shop.page = await sitePage()
  await page.addInitScript(openRoots)
  await page.goto(await linkTo(page, `${shop.url}/`))
  const toolbar = page.getByRole('region', { name: 'Telltale toolbar' })
  await toolbar.getByRole('tab', { name: 'Session' }).click()
  await expect(toolbar.getByText('This session is stored. It is not recorded.')).toBeVisible()
  const recorded = () => page.waitForResponse((answer) => answer.url().includes('/intake/v1/replay'))
  const first = recorded()
  await toolbar.getByRole('button', { name: 'Record this tab' }).click()
  expect((await first).status()).toBe(202)
  // The next page of the tab goes on, whatever its toolbar shows.
  const next = recorded()
  await page.reload()
  expect((await next).status()).toBe(202)
  await toolbar.getByRole('tab', { name: 'Session' }).click()
  await expect(toolbar.getByText('This session is stored and recorded.')).toBeVisible()
  await expect(toolbar.getByRole('button', { name: 'Record this tab' })).toBeHidden()
  await page.goto((await toolbar.getByRole('link', { name: 'Open my session' }).getAttribute('href')) ?? '')
  await expect(page.getByRole('button', { name: 'Play' }).first()).toBeVisible()
})

test('an invalid link shows a message to developers, and nothing on the page', async ({ page }) => {
  shop.page = await sitePage()
  const message = page.waitForEvent('console', (each) => each.text().startsWith('Telltale toolbar:'))
  await page.goto(`${shop.url}/?telltale-toolbar=forged.token`)
  expect((await message).text()).toContain('The link is invalid')
  await expect(page.locator('telltale-toolbar')).toHaveCount(0)
  expect(await page.evaluate(() => sessionStorage.length)).toBeLessThanOrEqual(1)
  expect(page.url()).toBe(`${shop.url}/`)
})
