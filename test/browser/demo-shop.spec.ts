// The demo shop in Chromium: its flags change it while it is open, and what is done there arrives.

import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { type DemoServer, demoPatience, startDemoServer } from './demo-server.ts'

let demo: DemoServer

test.beforeAll(async () => {
  test.setTimeout(demoPatience)
  demo = await startDemoServer({ visits: 1 })
})

test.afterAll(() => demo?.[Symbol.asyncDispose]())

test('a change of a flag updates the open page', async ({ page }) => {
  await demo.serve('promo-banner', 'none')
  await demo.serve('theme', 'post-yellow')
  await page.goto(`${demo.url}/demo`)
  await expect(page.getByRole('heading', { name: 'Bicycles that arrive' })).toBeVisible()
  await expect(page.locator('.banner')).toHaveCount(0)
  await expect(page.locator('ul.products > li > a')).toHaveCount(6)
  await expectAccessible(page)

  await demo.serve('promo-banner', 'winter')
  await expect(page.locator('.banner')).toHaveText('Winter check for 39 €: brakes, lights, tyres.')
  await demo.serve('theme', 'night-ride')
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor))
    .toBe('rgb(20, 32, 28)')
  await demo.serve('theme', 'post-yellow')
})

test('a bicycle is bought, and the intake accepts everything on the way', async ({ page }) => {
  await demo.serve('checkout-v2', 'one-page')
  await demo.serve('new-gallery', 'on')
  await demo.serve('free-shipping-threshold', 'low')
  const before = await demo.countAccepted()
  const mistakes: string[] = []
  page.on('pageerror', ({ message }) => mistakes.push(message))

  await page.goto(`${demo.url}/demo/p/bell-brass`)
  await expect(page.getByRole('button', { name: 'Picture 3' })).toBeVisible()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Go to the cart' }).click()
  await expect(page.getByText('€25 more, and shipping is free (from €49).')).toBeVisible()
  await page.getByRole('link', { name: 'Go to checkout' }).click()
  await expect(page.getByRole('group')).toHaveCount(3)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByRole('heading', { name: 'It is on its way' })).toBeVisible()
  expect(mistakes).toEqual([])

  await expect.poll(demo.countAccepted, { timeout: 30_000 }).toBeGreaterThan(before + 20)
  expect(Object.keys(await demo.countOutcomes())).toEqual(['accepted'])
})

test('three steps instead of one page, and the semantic search with its bug', async ({ page }) => {
  await demo.serve('checkout-v2', 'classic')
  await page.goto(`${demo.url}/demo/p/post-helmet`)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Go to the cart' }).click()
  await page.getByRole('link', { name: 'Go to checkout' }).click()
  await expect(page.getByRole('group')).toHaveCount(1)

  await demo.serve('hybrid-search', 'off')
  const box = page.getByRole('textbox', { name: 'Search the shop' })
  await box.fill('bike for two children')
  await box.press('Enter')
  await expect(page.getByText('Nothing. Other words may help.')).toBeVisible()
  const mistake = page.waitForEvent('pageerror')
  await demo.serve('hybrid-search', 'on')
  await expect(page.getByText('by meaning')).toBeVisible()
  expect((await mistake).message).toContain('map is not a function')
})
