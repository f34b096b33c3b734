import { expect, type Locator, type Page, test } from '@playwright/test'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { enlarge, keyOf, large } from './large-installation.ts'

let server: BuiltServer
const at = (path: string) => `${server.url}/p/${project.key}${path}`

test.beforeAll(async () => {
  server = await startConsole({ ownEngines: true })
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
const drawn = 60
const rows = (page: Page) => page.getByRole('row')

/** The numbers of the rows that are drawn, as readers are told them, without the head's. */
const drawnIndexes = (page: Page) =>
  page.locator('tbody tr[aria-rowindex]').evaluateAll((all) => all.map((row) => Number(row.ariaRowIndex)))

/** Whether what is seen of the page between its bars is rows without a gap. */
async function expectRowsInView(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() =>
        [0.25, 0.5, 0.75].every(
          (part) =>
            document.elementFromPoint(innerWidth / 2, innerHeight * part)?.closest('[data-row]') != null,
        ),
      ),
    )
    .toBe(true)
}

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

test('of a page of two hundred flags only visible ones are rendered, and in print all', async ({ page }) => {
  await page.goto(at('/flags'))
  await expect(flagLink(page, 1)).toBeVisible()
  expect(await rows(page).count()).toBeLessThan(drawn)
  // There are further pages: how many rows there will be is not known.
  await expect(page.getByRole('table', { name: 'Flags' })).toHaveAttribute('aria-rowcount', '-1')
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(rows(page)).toHaveCount(201)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect.poll(() => rows(page).count()).toBeLessThan(drawn)
})

test('all five thousand flags are listed, and only visible ones are rendered anywhere', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(at('/flags'))
  await expect(flagLink(page, 1)).toBeVisible()
  await goToEnd(page, flagLink(page, large.flags))
  await expect(page.getByText('5,000 flags')).toBeVisible()
  const table = page.getByRole('table', { name: 'Flags' })
  await expect(table).toHaveAttribute('aria-rowcount', String(large.flags + 1))
  await expect(flagLink(page, large.flags)).toBeInViewport()
  expect((await drawnIndexes(page)).at(-1)).toBe(large.flags + 1)

  for (const part of [0.5, 0.1, 0.9]) {
    await page.evaluate((to) => scrollTo(0, document.documentElement.scrollHeight * to), part)
    const middle = async () => {
      const indexes = await drawnIndexes(page)
      return indexes[indexes.length >> 1]
    }
    await expect.poll(middle).toBeGreaterThan(large.flags * (part - 0.01))
    await expect.poll(middle).toBeLessThan(large.flags * (part + 0.01))
    await expectRowsInView(page)
    const indexes = await drawnIndexes(page)
    expect(indexes).toEqual(indexes.map((_, step) => (indexes[0] ?? 0) + step))
    expect(await rows(page).count()).toBeLessThan(drawn)
  }

  const byName = table.getByRole('button', { name: 'Flag', exact: true })
  await page.evaluate(() => scrollTo(0, 0))
  // By harm before, which none of them has.
  await byName.click()
  await expect(flagLink(page, 1)).toBeInViewport()
  await byName.click()
  await expect(flagLink(page, large.flags)).toBeInViewport()
  expect(complaints).toEqual([])
})

test('the keyboard reaches rows that were not rendered, and focus survives scrolling', async ({ page }) => {
  await page.goto(at('/flags'))
  await expect(flagLink(page, 1)).toBeVisible()
  const press = async (key: string, to: number) => {
    await page.keyboard.press(key)
    await expect(flagLink(page, to)).toBeFocused()
    await expect(flagLink(page, to)).toBeInViewport()
  }
  await press('j', 1)
  await press('j', 2)
  await press('End', 200)
  await press('ArrowUp', 199)
  await press('k', 198)
  await press('Home', 1)
  await page.keyboard.press('PageDown')
  await expect(flagLink(page, 1)).not.toBeFocused()
  await page.keyboard.press('PageUp')
  await expect(flagLink(page, 1)).toBeFocused()

  // Nothing covers what has the focus.
  const isOnTop = await flagLink(page, 1).evaluate((link) => {
    const { left, top, height } = link.getBoundingClientRect()
    return document.elementFromPoint(left + 4, top + height / 2) === link
  })
  expect(isOnTop).toBe(true)

  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(flagLink(page, 200)).toBeInViewport()
  await expect(flagLink(page, 1)).toBeFocused()
  await press('j', 2)
  await press('End', 200)

  // Looking into a row leaves the list where it is.
  const place = await page.evaluate(() => scrollY)
  await page.keyboard.press('Space')
  const peek = page.getByRole('complementary', { name: keyOf('flag', 200) })
  await expect(peek).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(peek).toBeHidden()
  await expect(flagLink(page, 200)).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(place)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: keyOf('flag', 200) })).toBeFocused()
  await page.goBack()
  await expect(flagLink(page, 200)).toBeInViewport()
})

test('as cards on a phone, rows are rendered down to the last and back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(at('/flags'))
  await expect(flagLink(page, 1)).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(flagLink(page, 200)).toBeAttached()
  for (let step = 0; step < 12; step++) {
    const first = Math.min(...(await drawnIndexes(page)))
    await page.mouse.wheel(0, -1_200)
    await expect.poll(async () => Math.min(...(await drawnIndexes(page)))).toBeLessThan(first)
    await expectRowsInView(page)
    const indexes = await drawnIndexes(page)
    expect(indexes).toEqual(indexes.map((_, index) => (indexes[0] ?? 0) + index))
    expect(indexes.length).toBeLessThan(drawn)
  }
})

test('a tag and a search filter all of them, and the URL keeps both', async ({ page }) => {
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

test('three hundred segments are listed completely', async ({ page }) => {
  await page.goto(at('/segments'))
  await expect(page.getByText(keyOf('segment', 1))).toBeVisible()
  await goToEnd(page, page.getByText(keyOf('segment', large.segments)))
  expect(await rows(page).count()).toBeLessThan(drawn)
})

test('one of a hundred thousand identities is found by prefix, with all its flags', async ({ page }) => {
  await page.goto(at('/identities?env=production'))
  await page.getByLabel('Search by key prefix').fill('person-09999')
  await expect(page.getByText('10 in all')).toBeVisible()
  await page.getByRole('link', { name: 'person-099991' }).click()
  await expect(page.getByRole('heading', { name: 'person-099991' })).toBeVisible()
  await expect(page.getByText(keyOf('flag', 1)).first()).toBeVisible()
  expect(await rows(page).count()).toBeLessThan(drawn)
})

test('the palette finds a flag among all of them', async ({ page }) => {
  await page.goto(at('/flags'))
  await expect(flagLink(page, 1)).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('flag-3210')
  await expect(page.getByRole('option', { name: /flag-3210/i }).first()).toBeVisible()
})
