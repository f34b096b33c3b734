// The user actions of the recorded visits to the demo shop, one story each.

import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { ListeningIn } from './listen-in.ts'

export interface RecordedVisit {
  name: string
  device: 'desktop' | 'mobile'
  flags: Record<string, string>
  /** Delays the largest image of the first page. */
  slowBy?: number
  walk(page: Page, visit: { context: BrowserContext; shop: ListeningIn; home: string }): Promise<void>
}

const usual = {
  'checkout-v2': 'classic',
  'hybrid-search': 'off',
  'new-gallery': 'off',
  'promo-banner': 'none',
  'free-shipping-threshold': 'usual',
  theme: 'post-yellow',
}
const winter = { ...usual, 'promo-banner': 'winter' }

/** With the delays and pointer movement of a human. */
async function press(page: Page, what: Locator, times = 1): Promise<void> {
  await what.scrollIntoViewIfNeeded()
  await page.waitForTimeout(700)
  const box = await what.boundingBox()
  if (box === null) throw new Error('what is pressed is not shown')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 14 })
  await page.waitForTimeout(200)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: times, delay: 20 })
  await page.waitForTimeout(1_100)
}

const write = (page: Page, name: string, text: string) =>
  page.getByRole('textbox', { name }).pressSequentially(text, { delay: 55 })
const product = (page: Page, place: number) => page.locator('ul.products > li > a').nth(place)
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function look(page: Page, far = 420): Promise<void> {
  await page.mouse.wheel(0, far)
  await page.waitForTimeout(1_200)
  await page.mouse.wheel(0, -far)
  await page.waitForTimeout(800)
}

async function search(page: Page, question: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Search the shop' })
  await box.fill('')
  await box.pressSequentially(question, { delay: 60 })
  await page.waitForTimeout(400)
  await box.press('Enter')
  await page.waitForTimeout(2_200)
}

async function addFirst(page: Page, place = 0): Promise<void> {
  await press(page, product(page, place))
  await press(page, button(page, 'Add to cart'))
  await press(page, link(page, 'Go to the cart'))
}

async function orderInSteps(page: Page): Promise<void> {
  await press(page, link(page, 'Go to checkout'))
  await write(page, 'Name', 'Rosa Adler')
  await write(page, 'Street and number', 'Lindenweg 4')
  await press(page, button(page, 'Next'))
  await press(page, page.getByLabel('I collect it in the workshop'))
  await press(page, button(page, 'Next'))
  await press(page, button(page, /^Place order/))
  await page.getByRole('heading', { name: 'It is on its way' }).waitFor()
  await page.waitForTimeout(1_500)
}

/** Two categories in sequence: the first one throws for users with the quick view. */
async function browseTwo(page: Page): Promise<void> {
  const categories = page.getByRole('navigation').getByRole('link')
  await press(page, categories.filter({ hasText: 'Gravel' }))
  await look(page, 200)
  await press(page, categories.filter({ hasText: 'City' }))
  await look(page, 320)
}

export const visits: readonly RecordedVisit[] = [
  {
    name: 'three-steps-to-an-order',
    device: 'desktop',
    flags: usual,
    async walk(page) {
      await look(page)
      await press(
        page,
        link(page, 'City bikes').or(page.getByRole('navigation').getByRole('link').first()).first(),
      )
      await press(page, button(page, 'Sort by price'))
      await addFirst(page, 1)
      await orderInSteps(page)
    },
  },
  {
    name: 'nothing-found-on-a-phone',
    device: 'mobile',
    flags: usual,
    async walk(page) {
      await search(page, 'gravel bike with belt')
      await search(page, 'belt')
      await look(page, 260)
    },
  },
  {
    name: 'order-on-one-page',
    device: 'desktop',
    flags: { ...winter, 'checkout-v2': 'one-page' },
    async walk(page) {
      await look(page)
      await addFirst(page, 2)
      await press(page, link(page, 'Go to checkout'))
      await write(page, 'Name', 'Rosa Adler')
      await write(page, 'Street and number', 'Lindenweg 4')
      await press(page, page.getByLabel('At the door'))
      await press(page, button(page, /^Place order/))
      await page.getByRole('heading', { name: 'It is on its way' }).waitFor()
      await page.waitForTimeout(1_500)
    },
  },
  {
    name: 'order-that-does-nothing',
    device: 'mobile',
    flags: { ...winter, 'checkout-v2': 'one-page' },
    async walk(page) {
      // Simulates a browser without a scheduler.
      await page.evaluate(() => Reflect.deleteProperty(globalThis, 'scheduler'))
      await addFirst(page)
      await press(page, link(page, 'Go to checkout'))
      await write(page, 'Name', 'Ole Brandt')
      await write(page, 'Street and number', 'Hafen 12')
      await press(page, button(page, /^Place order/))
      await press(page, button(page, /^Place order/), 4)
      await page.waitForTimeout(1_500)
    },
  },
  {
    name: 'search-that-breaks',
    device: 'desktop',
    flags: { ...winter, 'hybrid-search': 'on' },
    async walk(page) {
      await search(page, 'bike for two children')
      await page.waitForTimeout(1_500)
      await press(page, button(page, 'Search'), 3)
      await search(page, 'cargo')
      await press(page, product(page, 0))
      await look(page, 200)
    },
  },
  {
    name: 'clicks-on-what-is-no-button',
    device: 'desktop',
    flags: winter,
    async walk(page) {
      await press(page, product(page, 3))
      await press(page, page.getByRole('heading', { level: 1 }), 4)
      await page.waitForTimeout(1_200)
      await press(page, page.locator('ul.facts > li').first(), 3)
      await look(page, 300)
    },
  },
  {
    name: 'checkout-that-waits',
    device: 'desktop',
    slowBy: 4_200,
    flags: { ...winter, 'checkout-v2': 'one-page' },
    async walk(page, { shop }) {
      await addFirst(page, 1)
      shop.meddle = (path) => (path === '/demo/api/quote' ? { delay: 4_500, status: 503 } : undefined)
      await press(page, link(page, 'Go to checkout'))
      await page.waitForTimeout(4_500)
      await write(page, 'Name', 'Ida Falk')
      shop.meddle = (path) => (path === '/demo/api/orders' ? { delay: 3_000, status: 503 } : undefined)
      await press(page, button(page, /^Place order/))
      await page.waitForTimeout(3_500)
      shop.meddle = undefined
    },
  },
  {
    name: 'gallery-with-many-pictures',
    device: 'mobile',
    flags: { ...winter, 'new-gallery': 'on' },
    async walk(page) {
      await press(page, product(page, 0))
      await press(page, button(page, 'Next picture').or(page.locator('figure button').last()).first())
      await press(page, page.locator('figure button').last())
      await look(page, 240)
    },
  },
  {
    name: 'two-tabs',
    device: 'desktop',
    flags: winter,
    async walk(page, { context, home }) {
      await press(page, product(page, 0))
      const other = await context.newPage()
      await other.goto(`${home}/c/gravel`)
      await other.waitForTimeout(3_000)
      await press(other, product(other, 0))
      await press(other, button(other, 'Add to cart'))
      await other.goto('about:blank')
      await other.close()
      await page.bringToFront()
      await look(page, 260)
    },
  },
  {
    name: 'glance-that-breaks',
    device: 'desktop',
    flags: { ...winter, 'quick-view': 'on' },
    walk: browseTwo,
  },
  {
    name: 'two-categories',
    device: 'desktop',
    flags: { ...winter, 'quick-view': 'off' },
    walk: browseTwo,
  },
]
