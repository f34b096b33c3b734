import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import { type BuiltServer, startBuiltServer } from './built-server.ts'
import { listenForComplaints } from './console.ts'

const looks = [
  { colorScheme: 'light', canvas: 'rgb(246, 248, 249)', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', canvas: 'rgb(13, 16, 20)', viewport: { width: 390, height: 844 } },
] as const

let server: BuiltServer

test.beforeAll(async () => {
  server = await startBuiltServer()
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

for (const { colorScheme, canvas, viewport } of looks) {
  test.describe(`${colorScheme}, ${viewport.width} × ${viewport.height}`, () => {
    test.use({ colorScheme, viewport })

    test('the first page shows the owner form in its theme, without errors', async ({ page }) => {
      const complaints = listenForComplaints(page)
      await page.goto(server.setupUrl)

      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up Telltale')
      await expect(page.locator('html')).toHaveCSS('background-color', canvas)
      await expect.poll(() => page.evaluate(() => document.fonts.check('13px "Geist Variable"'))).toBe(true)
      await expectAccessible(page)
      expect(complaints).toEqual([])
    })
  })
}

test('the data-theme attribute takes precedence over the system', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(server.setupUrl)
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  await expect(page.locator('html')).toHaveCSS('background-color', looks[1].canvas)
})

test('the setup code is removed from the address bar once read', async ({ page }) => {
  await page.goto(server.setupUrl)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(page.url()).not.toContain('code=')
})

test('hashed files are cached for a year and compressed; the page itself is revalidated', async ({
  request,
}) => {
  const html = await request.get(`${server.url}/`)
  expect(html.headers()['cache-control']).toMatch(/no-cache|no-store|max-age=0/)
  expect(html.headers()['content-security-policy']).toMatch(/default-src '(none|self)'/)
  expect(html.headers()['content-security-policy']).not.toContain('unsafe')

  const assets = (await html.text()).match(/\/assets\/[^"]+\.(js|css)/g) ?? []
  expect(assets.length).toBeGreaterThanOrEqual(2)
  for (const asset of assets) {
    for (const encoding of ['br', 'gzip']) {
      const reply = await request.get(server.url + asset, { headers: { 'accept-encoding': encoding } })
      expect(reply.headers()).toMatchObject({
        'cache-control': expect.stringMatching(/max-age=31536000.*immutable/),
        'content-encoding': encoding,
        vary: expect.stringMatching(/accept-encoding/i),
      })
    }
  }
})

test('an unreachable server is reported, and can be retried', async ({ page }) => {
  await page.route('**/api/v1/setup', (route) => route.abort())
  await page.goto(server.url)
  await expect(page.getByRole('alert')).toContainText('The server does not respond')

  await page.unroute('**/api/v1/setup')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up Telltale')
})

test('missing values are reported at their fields, and a wrong code shows its field', async ({ page }) => {
  await page.goto(`${server.url}/setup?code=wrong`)
  await page.getByRole('button', { name: 'Create owner' }).click()
  await expect(page.getByLabel('Your name')).toBeFocused()
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription('Use at least 12 characters.')

  await fillOwner(page)
  await page.getByRole('button', { name: 'Create owner' }).click()
  await expect(page.getByRole('alert')).toContainText('Wrong setup code')
  await expect(page.getByLabel('Setup code')).toHaveValue('wrong')
  await expectAccessibleInThemes(page)
})

test('the owner takes over the installation, once', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(server.setupUrl)
  await fillOwner(page)
  await page.getByRole('button', { name: 'Create owner' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await expect(page).toHaveURL(`${server.url}/p/pedal-post`)

  await page.goto(server.setupUrl)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  expect(complaints).toEqual([])
})

async function fillOwner(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Mara Lind')
  await page.getByLabel('E-mail').fill('mara@pedalandpost.example')
  await page.getByLabel('Password').fill('seven calm geese walk home')
  await page.getByLabel('Project name').fill('Pedal & Post')
}
