import { expect, type Locator, type Page, test } from '@playwright/test'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { enlarge, keyOf, large } from './large-installation.ts'

let server: BuiltServer
const at = (path: string) => `${server.url}/p/${project.key}${path}`

test.beforeAll(async () => {
  server = await startConsole()
  await enlarge(server.dataFolder, project.key)
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const flagLink = (page: Page, index: number) => page.getByRole('link', { name: keyOf('flag', index) })

/** Far fewer than there are rows: the rest is drawn when it comes into view. */
const drawn = 120

/** Asks for page after page, and goes to the last row. */
async function goToEnd(page: Page, end: Locator): Promise<void> {
  const more = page.getByRole('button', { name: 'Show more' })
  await expect
    .poll(
      async () => {
        // The button goes when there is no further page.
        await more.click({ timeout: 1_000 }).catch(() => undefined)
        await page.evaluate(() => document.scrollingElement?.scrollTo(0, Number.MAX_SAFE_INTEGER))
        return end.count()
      },
      { timeout: 60_000, intervals: [20] },
    )
    .toBeGreaterThan(0)
}

test('five thousand flags are all there, and only those in view are drawn', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(at('/flags'))
  await expect(flagLink(page, 1)).toBeVisible()
  await goToEnd(page, flagLink(page, large.flags))
  await expect(page.getByText('5,000 flags')).toBeVisible()
  expect(await page.getByRole('row').count()).toBeLessThan(drawn)
  expect(complaints).toEqual([])
})

test('a tag and a search find theirs among all of them, and the address keeps both', async ({ page }) => {
  await page.goto(at('/flags?tag=tag-07'))
  // One in forty, and the last one, which has them all.
  await expect(page.getByText(`${large.flags / large.tags + 1} flags`)).toBeVisible()
  await page.goto(at('/flags?q=flag-4321'))
  await expect(flagLink(page, 4_321)).toBeVisible()
  await expect(page.getByText('1 flag', { exact: true })).toBeVisible()
})

test('a flag with a key of sixty-four characters and forty tags fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const shown = { '/flags?q=flag-5000': /^1 flag$/, [`/flags/${keyOf('flag', 5_000)}/settings`]: /tag-40/ }
  for (const [path, text] of Object.entries(shown)) {
    await page.goto(at(path))
    await expect(page.getByText(text).first()).toBeVisible()
    const { content, window } = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      window: innerWidth,
    }))
    expect(content).toBeLessThanOrEqual(window)
  }
})

test('three hundred segments are listed to the last one', async ({ page }) => {
  await page.goto(at('/segments'))
  await expect(page.getByText(keyOf('segment', 1))).toBeVisible()
  await goToEnd(page, page.getByText(keyOf('segment', large.segments)))
  expect(await page.getByRole('row').count()).toBeLessThan(drawn)
})

test('an identity among a hundred thousand is found by the beginning of its key, with all its flags', async ({
  page,
}) => {
  await page.goto(at('/identities?env=production'))
  await page.getByLabel('Find by the beginning of the key').fill('person-09999')
  await expect(page.getByText('10 in all')).toBeVisible()
  await page.getByRole('link', { name: 'person-099991' }).click()
  await expect(page.getByRole('heading', { name: 'person-099991' })).toBeVisible()
  await expect(page.getByText(keyOf('flag', 1)).first()).toBeVisible()
  expect(await page.getByRole('row').count()).toBeLessThan(drawn)
})

test('the palette finds a flag among all of them', async ({ page }) => {
  await page.goto(at('/flags'))
  await expect(flagLink(page, 1)).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('flag-3210')
  await expect(page.getByRole('option', { name: /flag-3210/i }).first()).toBeVisible()
})
