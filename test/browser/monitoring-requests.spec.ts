// Requests are counted once, whatever the browser's timeline does, and nothing is lost when a page is left on a slow machine.

import { expect, type Page, test } from '@playwright/test'
import { hasBegun, leave, useMonitoredSite } from './monitored-site.ts'

const site = useMonitoredSite()

const resources = () => site.intake.events('resource').map(({ type, url }) => [type, new URL(url).pathname])

/** Entries of requests arrive long after their requests. */
const lateEntries = `
  const Real = window.PerformanceObserver
  window.PerformanceObserver = class extends Real {
    constructor(callback) {
      let type
      super((list, observer) => type === 'resource' ? setTimeout(() => callback(list, observer), 1500) : callback(list, observer))
      const observe = this.observe.bind(this)
      this.observe = (options) => { type = options.type; observe(options) }
    }
  }`

/** An entry of the document that is complete by the time the buffer is handed out, and comes again when the page is loaded. */
const twiceNavigated = `
  const Seen = window.PerformanceObserver
  window.PerformanceObserver = class extends Seen {
    constructor(callback) {
      super((list, observer) => {
        callback(list, observer)
        const again = list.getEntries().filter(({ entryType, duration }) => entryType === 'navigation' && duration > 0)
        if (again.length > 0) setTimeout(() => callback({ getEntries: () => again }, observer))
      })
    }
  }`

test('a document is counted once, also with a duplicate entry', async ({ page }) => {
  await site.open(page, { before: twiceNavigated })
  await hasBegun(page)
  await page.click('#ask')
  await site.leaveAndWait(page)
  expect(resources().filter(([type]) => type === 'document')).toEqual([['document', '/']])
})

test('a request is counted once with a late entry, and each of several to the same URL', async ({ page }) => {
  await site.open(page, { before: lateEntries })
  await hasBegun(page)
  for (const count of [1, 2]) {
    await page.click('#ask')
    await expect(page.locator('#out')).toHaveText('three left')
    await expect
      .poll(() =>
        page.evaluate(
          () => performance.getEntriesByName(`${location.origin}/api/stock?article=typed-by-somebody`).length,
        ),
      )
      .toBe(count)
    await page.evaluate(() => {
      const out = document.getElementById('out')
      if (out) out.textContent = ''
    })
  }
  // Both entries are handed over by then.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2_000)))
  await site.leaveAndWait(page)
  expect(resources().filter(([, path]) => path === '/api/stock')).toHaveLength(2)
})

test('a request in flight when the page is left has not failed', async ({ page }) => {
  // Nobody answers: browsers reject it when the page goes.
  await page.route('**/api/never', () => undefined)
  for (const [pages, leaveBy] of [leave, (from: Page) => from.reload()].entries()) {
    await site.open(page)
    await hasBegun(page)
    await page.evaluate(() => {
      fetch('/api/never').catch(() => undefined)
      const request = new XMLHttpRequest()
      request.open('POST', '/api/never')
      request.send()
    })
    await leaveBy(page)
    const reported = () => site.intake.events('resource').filter(({ url }) => url.endsWith('/api/never'))
    await expect.poll(() => reported().length).toBe(2 * pages + 2)
    expect(reported().filter(({ failed, status }) => failed || status)).toEqual([])
  }
})

test('a slow device loses no request, and in a flood of events the rest is counted', async ({
  page,
  context,
}) => {
  await site.open(page)
  await hasBegun(page)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  await page.evaluate(async () => {
    for (let round = 0; round < 25; round++)
      await Promise.all(Array.from({ length: 10 }, () => fetch('/api/stock')))
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.evaluate(() => {
    for (let count = 0; count < 1_000; count++) app.track('flood')
  })
  await site.leaveAndWait(page)
  // What is sent when a page is left goes in several requests at once, which arrive in any order.
  await expect.poll(() => resources().filter(([, path]) => path === '/api/stock')).toHaveLength(250)
  const custom = (of: string) => site.intake.events('custom').filter(({ name }) => name === of)
  const countLeftOut = () => custom('telltale.left-out').reduce((sum, { value = 0 }) => sum + value, 0)
  await expect.poll(() => custom('flood').length + countLeftOut()).toBe(1_000)
  expect(custom('flood').length).toBeLessThanOrEqual(600)
})

/** As on a machine that takes seconds to compress a kilobyte. */
const slowGzip = `
  const Fast = window.CompressionStream
  window.CompressionStream = class {
    constructor(format) {
      const fast = new Fast(format)
      const slow = new TransformStream({ transform: (chunk, control) => new Promise((done) => setTimeout(() => { control.enqueue(chunk); done() }, 20_000)) })
      this.writable = slow.writable
      this.readable = slow.readable.pipeThrough(fast)
    }
  }`

async function crashAndLeave(page: Page, visit: number): Promise<void> {
  await page.evaluate((name) => {
    setTimeout(() => {
      throw new Error(name)
    })
  }, `crash ${visit}`)
  // The batch with the error is closed after two seconds: now it is being compressed, or waits.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2_100)))
  await leave(page)
}

test('30 of 30 crashes arrive once when the page is left while they are being compressed', async ({
  context,
}) => {
  test.slow()
  const visits = Array.from({ length: 30 }, (_, index) => index)
  const visitAll = async (own: number[]) => {
    for (const visit of own) {
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      await site.open(page, { before: slowGzip })
      await hasBegun(page)
      await crashAndLeave(page, visit)
      await page.close()
    }
  }
  await Promise.all([0, 1, 2].map((part) => visitAll(visits.filter((visit) => visit % 3 === part))))
  const names = () =>
    site.intake
      .events('error')
      .map(({ message }) => message)
      .sort()
  await expect.poll(() => names().length).toBe(30)
  expect(names()).toEqual(visits.map((visit) => `crash ${visit}`).sort())
})
