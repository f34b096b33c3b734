// A tab that is hidden and shown goes on: its layout moves and its answers get slower. What counts is the last value of the view,
// once, on every screen.

import { expect, type Page, test } from '@playwright/test'
import { clientKey, type FlagServer, startFlagServer } from './flag-server.ts'
import { shopPage } from './monitoring-page.ts'
import { type ShopSite, startShop } from './shop-site.ts'

const environment = '/api/v1/projects/shop/environments/production'

let server: FlagServer
let shop: ShopSite

test.beforeAll(async () => {
  server = await startFlagServer({ telemetry: true })
  shop = await startShop()
  const isOpen = () =>
    server.get(`${environment}/events`).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, { timeout: 40_000 }).toBe(true)
})
test.afterAll(async () => {
  await shop?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

declare global {
  /** Times are milliseconds since the page began. */
  var measured: { INP: number; CLS: number; slow: number; movedAt: number; shiftedAt: number }
}

/** What the page itself counts, by the browser's own entries. */
const spy = `
  window.measured = { INP: 0, CLS: 0, slow: 40, movedAt: Infinity, shiftedAt: 0 }
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) measured.INP = Math.max(measured.INP, duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 })
  let [sum, began, ended] = [0, 0, 0]
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput } of list.getEntries()) {
      if (hadRecentInput) continue
      if (startTime - ended >= 1000 || startTime - began >= 5000) [sum, began] = [0, startTime]
      ended = startTime
      sum += value
      measured.shiftedAt = startTime
      measured.CLS = Math.max(measured.CLS, sum)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  addEventListener('click', ({ target }) => {
    if (target.id !== 'dead') return
    const until = performance.now() + measured.slow
    while (performance.now() < until);
    target.textContent = 'took ' + measured.slow
  })`

/** Playwright cannot hide a tab: the page is told what a browser tells it. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    for (const [name, value] of [
      ['hidden', hidden],
      ['visibilityState', hidden ? 'hidden' : 'visible'],
    ] as const)
      Object.defineProperty(document, name, { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)

/** Something answers more slowly than before, and the page moves by itself. */
async function useOnce(page: Page, top: number): Promise<void> {
  const before = await page.evaluate(() => {
    // On a busy machine, an earlier interaction took longer than its work.
    measured.slow = measured.INP + 250
    measured.movedAt = Number.POSITIVE_INFINITY
    return { ...measured }
  })
  const measuredINP = () => page.evaluate(() => measured.INP)
  // Chromium does not report every click of a busy page.
  await expect(async () => {
    await page.click('#dead')
    await expect.poll(measuredINP, { timeout: 3_000 }).toBeGreaterThan(before.INP)
  }).toPass()
  // Input excuses shifts for half a second.
  await page.evaluate((place) => {
    setTimeout(() => {
      measured.movedAt = performance.now()
      document.body.style.marginTop = `${place}px`
    }, 700)
  }, top)
  // On a busy machine, the new text of the button is a late shift too.
  await expect.poll(() => page.evaluate(() => measured.shiftedAt >= measured.movedAt)).toBe(true)
}

interface Stored {
  name: string
  value: number
}

test('hidden and shown three times, the last INP and CLS of a view count once everywhere', async ({
  page,
}) => {
  test.slow()
  shop.page = shopPage({ url: server.url, key: clientKey, before: spy })
  await page.goto(`${shop.url}/`)
  await expect.poll(() => page.evaluate(() => app.sessionId())).toBeTruthy()
  const session = await page.evaluate(() => app.sessionId() ?? '')
  const stored = async (name: string) => {
    const query = new URLSearchParams({ kind: 'vital', session, limit: '200' })
    const { items } = (await server.get(`${environment}/events?${query}`)) as { items: Stored[] }
    return items.filter((event) => event.name === name).map(({ value }) => value)
  }

  for (const [round, top] of [150, 400, 0].entries()) {
    await useOnce(page, top)
    await setHidden(page, true)
    for (const name of ['INP', 'CLS'])
      await expect.poll(() => stored(name), { timeout: 30_000 }).toHaveLength(round + 1)
    await setHidden(page, false)
  }
  const last = await page.evaluate(() => ({ ...measured }))
  const range = new URLSearchParams({
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  })
  // Everything that was sent, and on the screens nothing but the last of it.
  expect(Math.max(...(await stored('CLS')))).toBeCloseTo(last.CLS, 3)

  const { items: sessions } = (await server.get(`${environment}/sessions?${range}`)) as {
    items: { id: string; inp: number; cls: number; events: number }[]
  }
  const own = sessions.find(({ id }) => id === session)
  expect(own?.inp).toBeCloseTo(last.INP, 0)
  expect(own?.cls).toBeCloseTo(last.CLS, 3)

  type Vitals = { vitals: { name: string; count: number; poor: number | null; good: number | null }[] }
  const { now } = (await server.get(`${environment}/overview?${range}`)) as { now: Vitals }
  const { items: pages } = (await server.get(`${environment}/pages?${range}`)) as { items: Vitals[] }
  for (const { vitals } of [now, ...pages]) {
    for (const name of ['INP', 'CLS']) {
      const found = vitals.find((one) => one.name === name)
      expect([name, found?.count]).toEqual([name, 1])
    }
    const cls = vitals.find(({ name }) => name === 'CLS')
    expect([cls?.good, cls?.poor]).toEqual([last.CLS <= 0.1 ? 1 : 0, last.CLS > 0.25 ? 1 : 0])
  }
  const { items: timeline } = (await server.get(`${environment}/sessions/${session}/events?limit=200`)) as {
    items: { kind: string; name: string; value: number }[]
  }
  const shown = timeline.filter(({ kind, name }) => kind === 'vital' && (name === 'INP' || name === 'CLS'))
  expect(shown.map(({ name }) => name).sort()).toEqual(['CLS', 'INP'])
  expect(shown.find(({ name }) => name === 'CLS')?.value).toBeCloseTo(last.CLS, 3)
})
