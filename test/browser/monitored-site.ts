// A site that is monitored, and an intake that keeps what it is told: for all tests of a file.

import { expect, type Page, test } from '@playwright/test'
import { type Intake, startIntake } from './intake.ts'
import { type PageOptions, shopPage } from './monitoring-page.ts'
import { type ShopSite, startShop } from './shop-site.ts'

export const siteKey = 'shop-production-web'
const flags = [
  {
    key: 'checkout',
    value: true,
    variant: 'on',
    reason: 'SPLIT',
    metadata: { split: '7001', epoch: 3, unit: 'targetingKey', contextId: 'ada' },
  },
  { key: 'banner', value: 'Hello', variant: 'hello', reason: 'STATIC', metadata: { version: '1' } },
  { key: 'unread', value: true, variant: 'on', reason: 'STATIC', metadata: {} },
]

export interface MonitoredSite {
  intake: Intake
  shop: ShopSite
  readonly flags: typeof flags
  open: (page: Page, options?: Partial<PageOptions>) => Promise<void>
  /** Everything that is left to say is said when the page is left. */
  leaveAndWait: (page: Page) => Promise<void>
}

/** Starts before the tests of the file and forgets before each of them. */
export function useMonitoredSite(): MonitoredSite {
  let started: { intake: Intake; shop: ShopSite } | undefined
  const parts = () => {
    if (started === undefined) throw new Error('the site is there once the tests begin')
    return started
  }
  const site: MonitoredSite = {
    get intake() {
      return parts().intake
    },
    get shop() {
      return parts().shop
    },
    flags,
    async open(page, options = {}) {
      site.shop.page = shopPage({ url: site.intake.url, key: siteKey, ...options })
      await page.goto(`${site.shop.url}/`, { waitUntil: 'load' })
    },
    async leaveAndWait(page) {
      await leave(page)
      await expect
        .poll(() => site.intake.events('view_state').some(({ exit }) => exit === 'unload'))
        .toBe(true)
    },
  }
  test.beforeAll(async () => {
    started = { intake: await startIntake(), shop: await startShop() }
  })
  test.afterAll(async () => {
    await started?.shop[Symbol.asyncDispose]()
    await started?.intake[Symbol.asyncDispose]()
  })
  test.beforeEach(() => {
    site.intake.forget()
    site.intake.answers = []
    site.intake.flags = flags
  })
  return site
}

export const leave = (page: Page) => page.goto('about:blank')

/** The settings of the environment are there: names are read as it allows. */
export const hasBegun = (page: Page) => expect.poll(() => page.evaluate(() => app.sessionId())).toBeTruthy()

export const readFlags = (page: Page) =>
  page.evaluate(async () => {
    await app.whenReady()
    return [app.getBoolean('checkout', false), app.getString('banner', 'none')]
  })
