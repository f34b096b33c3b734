import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
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

const canvas = { light: 'rgb(246, 248, 249)', dark: 'rgb(13, 16, 20)' }

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]) {
  test(`the shell is accessible in both themes at ${viewport.width}`, async ({ page }) => {
    const complaints = listenForComplaints(page)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(viewport)
    await page.goto(`${server.url}/p/pedal-post`)
    await expect(page.getByText('Client key')).toBeVisible()
    await expect(page.locator('html')).toHaveCSS('background-color', canvas.light)
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveCSS('background-color', canvas.dark)
    await expectAccessible(page, 'colours')
    expect(complaints).toEqual([])
  })
}

test('the chosen theme is set before the first paint of the next visit', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  await page.keyboard.press('t')
  await expect(page.locator('html')).toHaveCSS('background-color', canvas.dark)

  // The page without its program: what decides the theme has run anyway.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  await expect(page.locator('html')).toHaveCSS('background-color', canvas.dark)
})

test('the palette finds a screen by a few letters and opens it without the mouse', async ({ page }) => {
  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search' })
  await expect(search).toBeFocused()
  await search.fill('pdl')
  await expect(page.getByRole('option', { selected: true })).toContainText('pedal-post')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')

  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('nothing like it')
  await expect(page.getByText('No matches.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeHidden()
})

test('? lists the shortcuts of the screen; typed letters are text', async ({ page }) => {
  await page.goto(`${server.url}/p/pedal-post`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list).toContainText('Environment')
  await page.keyboard.press('e')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('te?')
  await expect(page.getByRole('combobox', { name: 'Search' })).toHaveValue('te?')
})

test('single-key shortcuts can be turned off', async ({ page }) => {
  await page.goto(`${server.url}/p/pedal-post`)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeVisible()
})

test('changing the environment can be undone with Back, and stays in the URL', async ({ page }) => {
  await page.goto(`${server.url}/p/pedal-post`)
  await expect(page.getByRole('button', { name: 'Environment: Production' })).toBeVisible()
  await page.keyboard.press('e')
  await page.getByRole('menuitemradio', { name: 'Development' }).click()
  await expect(page).toHaveURL(/env=development/)
  await expect(page.getByRole('heading', { level: 2, name: /to Development/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Environment: Production' })).toBeVisible()
})

test('below 720 px the bottom bar has all links', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/p/pedal-post`)
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect(bar.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
  await bar.getByRole('button', { name: 'More' }).click()
  const more = page.getByRole('dialog', { name: 'Telltale' })
  await more.getByRole('button', { name: /^Project: Pedal & Post/ }).click()
  await page.getByRole('menuitem', { name: 'All projects' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible()
  await expect(more).toBeHidden()
})

test('keyboard: skip link first, and the heading is focused after navigation', async ({ page }) => {
  await page.goto(server.url)
  await expect(page.getByRole('link', { name: 'Pedal & Post' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.getByRole('link', { name: 'Pedal & Post' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused()
  await expect(page).toHaveTitle('Overview · pedal-post · Telltale')
})

test('an outage and recovery of the server are shown in the bar', async ({ page }) => {
  await page.goto(`${server.url}/p/pedal-post`)
  await expect(page.getByText('Client key')).toBeVisible()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await page.route('**/{api,health}/**', (route) => route.abort())
  await page.keyboard.press('e')
  await page.getByRole('menuitemradio', { name: 'Staging' }).click()
  await expect(page.getByText(/Reconnecting, last data/)).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('The server does not respond')

  await page.unroute('**/{api,health}/**')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Client key')).toBeVisible()
})

test('unknown and forbidden screens are reported inside the shell', async ({ page }) => {
  await page.goto(`${server.url}/p/no-such-project`)
  await expect(page.getByText('Not found')).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${server.url}/nowhere/at/all`)
  await expect(page.getByText('Page not found')).toBeVisible()
})

test('account and environments are requested once, before the code of the console runs', async ({ page }) => {
  await page.goto(`${server.url}/p/pedal-post/flags`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const requested = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((one): one is PerformanceResourceTiming => one instanceof PerformanceResourceTiming)
      .map(({ name, initiatorType }) => ({ path: new URL(name).pathname, initiatorType })),
  )
  for (const call of ['account', `projects/pedal-post/environments`])
    expect(requested.filter(({ path }) => path === `/api/v1/${call}`)).toEqual([
      { path: `/api/v1/${call}`, initiatorType: 'link' },
    ])
})
