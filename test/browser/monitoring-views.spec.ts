// Views and sessions at their edges: pages that are left early, opened in the background or hidden for long, and what is measured
// after a view has ended.

import { expect, type Page, test } from '@playwright/test'
import type { EventKind } from '@telltale/core/contract/events'
import { hasBegun, leave, readFlags, siteKey, useMonitoredSite } from './monitored-site.ts'

const site = useMonitoredSite()
const storageName = `telltale:${siteKey}:session`

/** Playwright cannot hide a tab: the page is told what a browser tells it. When it is left, the browser's own answer counts. */
const defineHidden = `window.setHidden = (hidden) => {
  for (const [name, value] of [['hidden', true], ['visibilityState', 'hidden']]) {
    if (hidden) Object.defineProperty(document, name, { configurable: true, get: () => value })
    else Reflect.deleteProperty(document, name)
  }
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
};`
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => Reflect.get(globalThis, 'setHidden')(hidden), isHidden)

const customs = () => site.intake.events('custom').map(({ name }) => name)

test('a page left before the settings arrived has sent its events', async ({ page }) => {
  // Some browsers reject a pending request when its page is left, but only after the page has been told.
  const before = `const ask = fetch; fetch = (...args) => /config/.test(args[0]) ? new Promise(() => undefined) : ask(...args)`
  // No timer ends the wait for the settings.
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1_000)
  await site.open(page, { before })
  const values = readFlags(page)
  await page.clock.runFor(500)
  await values
  await page.click('#fail')
  await page.evaluate(() => app.track('early'))
  expect(await page.evaluate(() => app.sessionId())).toBeUndefined()
  await leave(page)
  await expect.poll(customs).toEqual(['early'])
  expect(site.intake.events('view')).toHaveLength(1)
  expect(site.intake.events('error')).toHaveLength(1)
  expect(
    site.intake
      .events('exposure')
      .map(({ flag }) => flag)
      .sort(),
  ).toEqual(['banner', 'checkout'])
})

test('a page opened in the background is counted once it is shown, and not before', async ({ page }) => {
  await site.open(page, { before: `${defineHidden} setHidden(true)` })
  await readFlags(page)
  await page.evaluate(() => app.track('hidden'))
  await setHidden(page, true)
  expect(await page.evaluate(() => app.sessionId())).toBeUndefined()
  expect(site.intake.batches).toEqual([])

  await setHidden(page, false)
  await page.evaluate(() => app.track('shown'))
  await site.leaveAndWait(page)
  expect(customs()).toEqual(['hidden', 'shown'])
  expect(site.intake.events('view').map(({ name }) => name)).toEqual(['load'])
})

test('a session that ends while the page is hidden is followed by another one when it is shown', async ({
  page,
}) => {
  await site.open(page, { before: defineHidden })
  await hasBegun(page)
  const first = await page.evaluate(() => app.sessionId())
  await page.evaluate((name) => {
    const [format, session] = JSON.parse(localStorage.getItem(name) ?? '')
    localStorage.setItem(
      name,
      JSON.stringify([format, { ...session, activeAt: session.activeAt - 16 * 60_000 }]),
    )
  }, storageName)
  // The page looks at the storage again after a second.
  const hideAndShow = async () => {
    await setHidden(page, true)
    await page.evaluate(() => app.track('hidden'))
    await setHidden(page, false)
    return page.evaluate(() => app.sessionId())
  }
  await expect.poll(hideAndShow).not.toBe(first)
  await page.evaluate(() => app.track('shown'))
  const second = await page.evaluate(() => app.sessionId())
  await site.leaveAndWait(page)
  const shown = site.intake.events('custom').find(({ name }) => name === 'shown')
  expect(shown?.context.session).toBe(second)
  expect(site.intake.events('view').map(({ context }) => context.session)).toEqual([first, second])
})

test('measurements after the end of a view are in its last state', async ({ page }) => {
  await site.open(page)
  await hasBegun(page)
  await page.evaluate(() => {
    document.getElementById('dead')?.addEventListener('click', () => {
      void fetch('/api/stock')
      history.pushState({}, '', '/next')
      const until = performance.now() + 120
      while (performance.now() < until);
    })
  })
  await page.click('#dead')
  await page.evaluate(() => fetch('/api/stock'))
  await site.leaveAndWait(page)
  const first = site.intake.events('view')[0]?.context.view
  const ofFirst = <Kind extends EventKind>(kind: Kind) =>
    site.intake.events(kind).filter(({ context }) => context.view === first)
  const inp = ofFirst('vital').find(({ name }) => name === 'INP')
  const last = ofFirst('view_state')
    .sort((one, other) => one.rev - other.rev)
    .at(-1)
  expect(inp?.value).toBeGreaterThanOrEqual(120)
  expect(last).toMatchObject({
    exit: 'route',
    active: false,
    vitals: { INP: inp?.value },
    resources: ofFirst('resource').length,
  })
})
