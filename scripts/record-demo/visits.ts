// The user actions of the recorded visits to the demo shop. Of each story there is one recording for every variation that a
// user may get in it, and for each kind of device: otherwise the replays would show one variation more often than others.

import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { Recording } from '../../demo/history/recording.ts'
import type { ListeningIn } from './listen-in.ts'

type Story = Recording['story']
type Device = Recording['device']

export interface RecordedVisit {
  name: string
  story: Story
  device: Device
  flags: Record<string, string>
  walk(page: Page, visit: { context: BrowserContext; shop: ListeningIn; home: string }): Promise<void>
}

const usual = {
  'checkout-v2': 'classic',
  'hybrid-search': 'off',
  'new-gallery': 'off',
  'quick-view': 'off',
  'promo-banner': 'winter',
  'free-shipping-threshold': 'usual',
  theme: 'post-yellow',
}

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

interface Buyer {
  name: string
  street: string
}

/** Up to the button that places the order. */
async function fillIn(page: Page, checkout: string, { name, street }: Buyer): Promise<void> {
  await press(page, link(page, 'Go to checkout'))
  await write(page, 'Name', name)
  await write(page, 'Street and number', street)
  if (checkout === 'one-page') return press(page, page.getByLabel('At the door'))
  await press(page, button(page, 'Next'))
  await press(page, page.getByLabel('I collect it in the workshop'))
  await press(page, button(page, 'Next'))
}

async function order(page: Page, checkout: string): Promise<void> {
  await addFirst(page, 1)
  await fillIn(page, checkout, { name: 'Rosa Adler', street: 'Lindenweg 4' })
  await press(page, button(page, /^Place order/))
  await page.getByRole('heading', { name: 'It is on its way' }).waitFor()
  await page.waitForTimeout(1_500)
}

/** As in a browser without a scheduler. */
async function orderWithoutScheduler(page: Page): Promise<void> {
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'scheduler'))
  await addFirst(page)
  await fillIn(page, 'one-page', { name: 'Ole Brandt', street: 'Hafen 12' })
  await press(page, button(page, /^Place order/))
  await press(page, button(page, /^Place order/), 4)
  await page.waitForTimeout(1_500)
}

/** The shop refuses the order, twice. */
async function orderInVain(page: Page, checkout: string, shop: ListeningIn): Promise<void> {
  await addFirst(page)
  await fillIn(page, checkout, { name: 'Jana Vogt', street: 'Am Kanal 9' })
  shop.meddle = (path) => (path === '/demo/api/orders' ? { delay: 2_000, status: 503 } : undefined)
  await press(page, button(page, /^Place order/))
  await page.waitForTimeout(2_500)
  await press(page, button(page, /^Place order/))
  await page.waitForTimeout(3_500)
  shop.meddle = undefined
}

/** Two categories in sequence: the first one throws for users with the quick view. */
async function browseTwo(page: Page): Promise<void> {
  const categories = page.getByRole('navigation').getByRole('link')
  await press(page, categories.filter({ hasText: 'Gravel' }))
  await look(page, 200)
  await press(page, categories.filter({ hasText: 'City' }))
  await look(page, 320)
}

/** Words for which hybrid search breaks. */
async function searchTwice(page: Page): Promise<void> {
  await search(page, 'bike for two children')
  await page.waitForTimeout(1_500)
  await press(page, button(page, 'Search'), 3)
  await search(page, 'cargo')
  await look(page, 200)
}

async function seeProduct(page: Page, gallery: string): Promise<void> {
  await press(page, product(page, 0))
  if (gallery === 'on') await press(page, page.locator('figure button').last())
  await look(page, 280)
  await press(page, button(page, 'Add to cart'))
  await page.waitForTimeout(1_500)
}

const devices = ['desktop', 'mobile'] as const
const galleries = ['off', 'on'] as const
const checkouts = ['classic', 'one-page'] as const

const ofEveryDevice: readonly RecordedVisit[] = devices.flatMap((device) => [
  ...galleries.flatMap((gallery) => [
    ...checkouts.map(
      (checkout): RecordedVisit => ({
        name: `order-${checkout}-gallery-${gallery}-${device}`,
        story: 'order',
        device,
        flags: { ...usual, 'new-gallery': gallery, 'checkout-v2': checkout },
        walk: (page) => order(page, checkout),
      }),
    ),
    {
      name: `product-gallery-${gallery}-${device}`,
      story: 'product' as const,
      device,
      flags: { ...usual, 'new-gallery': gallery },
      walk: (page: Page) => seeProduct(page, gallery),
    },
  ]),
  ...checkouts.map(
    (checkout): RecordedVisit => ({
      name: `order-in-vain-${checkout}-${device}`,
      story: 'order-in-vain',
      device,
      flags: { ...usual, 'checkout-v2': checkout },
      walk: (page, { shop }) => orderInVain(page, checkout, shop),
    }),
  ),
  ...(['off', 'on'] as const).flatMap((variation): RecordedVisit[] => [
    {
      name: `categories-quick-view-${variation}-${device}`,
      story: 'categories',
      device,
      flags: { ...usual, 'quick-view': variation },
      walk: browseTwo,
    },
    {
      name: `search-hybrid-${variation}-${device}`,
      story: 'search',
      device,
      flags: { ...usual, 'hybrid-search': variation },
      walk: searchTwice,
    },
  ]),
])

export const visits: readonly RecordedVisit[] = [
  ...ofEveryDevice,
  ...galleries.map(
    (gallery): RecordedVisit => ({
      name: `order-without-scheduler-gallery-${gallery}`,
      story: 'order',
      device: 'mobile',
      flags: { ...usual, 'new-gallery': gallery, 'checkout-v2': 'one-page' },
      walk: orderWithoutScheduler,
    }),
  ),
  {
    name: 'product-clicks-on-text',
    story: 'product',
    device: 'desktop',
    flags: usual,
    async walk(page) {
      await press(page, product(page, 3))
      await press(page, page.getByRole('heading', { level: 1 }), 4)
      await page.waitForTimeout(1_200)
      await press(page, page.locator('ul.facts > li').first(), 3)
      await look(page, 300)
    },
  },
  {
    name: 'product-two-tabs',
    story: 'product',
    device: 'desktop',
    flags: usual,
    async walk(page, { context, home }) {
      await press(page, product(page, 0))
      const other = await context.newPage()
      await other.goto(home)
      await other.waitForTimeout(3_000)
      await press(other, product(other, 0))
      await press(other, button(other, 'Add to cart'))
      await other.goto('about:blank')
      await other.close()
      await page.bringToFront()
      await look(page, 260)
    },
  },
]
