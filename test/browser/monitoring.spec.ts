// What happens in a page and what arrives of it.

import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { writeSnippet } from '@telltale/browser/boot/snippet'
import { hasBegun, leave, readFlags, siteKey, useMonitoredSite } from './monitored-site.ts'

const site = useMonitoredSite()

test("a user's actions and experiences arrive, with the variations read, page exit included", async ({
  page,
}) => {
  const options = `context: { targetingKey: 'ada' }, version: '1.2.3', service: 'web'`
  await site.open(page, { options })
  await hasBegun(page)
  expect(await readFlags(page)).toEqual([true, 'Hello'])
  await page.click('#slow')
  await expect(page.locator('#out')).toHaveText('done')
  await page.click('#ask')
  await expect(page.locator('#out')).toHaveText('three left')
  await page.click('#missing')
  await expect(page.locator('#out')).toHaveText('nothing here')
  await page.click('#fail')
  await page.click('#reject')
  await page.fill('#secret', 'correct horse')
  await page.click('#cart')
  await page.evaluate(() => {
    app.track('purchase', { value: 99.5, attributes: { plan: 'pro', order: { id: 1 } } })
    app.addTiming('ready')
  })
  const saw = await page.evaluate(() => ({ ...globalThis.seen }))
  await site.leaveAndWait(page)

  const requests = site.intake.events('resource').filter(({ type }) => type === 'fetch')
  expect(requests).toHaveLength(saw.requests)
  expect(requests.filter(({ failed }) => failed)).toHaveLength(saw.failed)
  expect(requests.map(({ method, status, size }) => [method, status, size])).toEqual([
    ['GET', 200, 10],
    ['POST', 404, 12],
  ])
  expect(site.intake.events('error').map(({ stack }) => stack)).toEqual(saw.errors)
  expect(site.intake.events('error').map(({ source, type, handled }) => [source, type, handled])).toEqual([
    ['uncaught', 'TypeError', false],
    ['rejection', 'RangeError', false],
  ])

  const clicks = site.intake.events('action').filter(({ attributes }) => !attributes)
  expect(clicks).toHaveLength(saw.clicks)
  expect(clicks.map(({ name }) => name)).toEqual([
    'Slow work',
    'Ask the server',
    'Ask for what is missing',
    'Break it',
    'Reject it',
    'Open cart',
  ])
  const broken = clicks.find(({ name }) => name === 'Break it')
  // On a busy machine the next click may come too late to count as a change.
  expect(broken?.frustration).toContain('error')
  expect(site.intake.events('error')[0]?.action).toBe(broken?.action)
  expect(requests[0]?.action).toBe(clicks[1]?.action)

  expect(
    site.intake.events('view').map(({ name, context }) => [name, new URL(context.url ?? '').pathname]),
  ).toEqual([
    ['load', '/'],
    ['route', '/cart/42'],
  ])
  expect(
    site.intake.events('custom').map(({ name, value, attributes }) => [name, value, attributes]),
  ).toEqual([
    ['purchase', 99.5, { plan: 'pro', order: '{"id":1}' }],
    ['ready', undefined, undefined],
  ])
  const slow = site.intake.events('long_frame').flatMap(({ scripts = [] }) => scripts)
  expect(slow.find(({ function: name }) => name === 'workSlowly')?.ms).toBeGreaterThanOrEqual(150)

  const [load] = site.intake.events('view_state').filter(({ exit }) => exit === 'route')
  expect(load).toMatchObject({ errors: 2, active: false })
  const vitals = site.intake.events('vital').filter(({ context }) => context.view === load?.context.view)
  expect(vitals.map(({ name }) => name).sort()).toEqual(['CLS', 'FCP', 'INP', 'LCP', 'TTFB'])
  for (const { name, value } of vitals) expect(load?.vitals?.[name]).toBe(value)
  const interaction = vitals.find(({ name }) => name === 'INP')
  expect(interaction).toMatchObject({ target: 'button#slow', attributes: { processing: expect.any(Number) } })
  expect(interaction?.value).toBeGreaterThanOrEqual(150)
  expect(vitals.find(({ name }) => name === 'LCP')?.target).toBe('h1#heading')

  const reads = [
    { flag: 'checkout', variation: 'on', split: '7001', epoch: 3, by: 'targetingKey', unit: 'ada' },
    { flag: 'banner', variation: 'hello' },
  ]
  expect(site.intake.events('exposure').map(({ flag }) => flag)).toEqual(['checkout', 'banner'])
  for (const event of [
    ...clicks,
    ...requests,
    ...site.intake.events('error'),
    ...site.intake.events('exposure'),
  ]) {
    expect(event.context).toMatchObject({ reads, userKey: 'ada', version: '1.2.3', service: 'web' })
  }
  expect(site.intake.events('view')[0]?.context.reads).toBeUndefined()
  expect(site.intake.events('view')[1]?.context.reads).toEqual(reads)

  const sent = JSON.stringify(site.intake.batches)
  expect(sent).not.toContain('correct horse')
  expect(sent).not.toContain('typed-by-somebody')
  // A busy machine may stretch a frame with the library in it; that is what happened then, and is said.
  expect(site.intake.events('resource').filter(({ url }) => url.includes('telltale.js'))).toEqual([])
  expect(site.intake.preflights.filter((path) => path.startsWith('/intake'))).toEqual([])
  for (const { headers } of site.intake.batches) expect(headers['content-type']).toBe('text/plain')
  expect(
    new Set(site.intake.batches.flatMap(({ events }) => events.map(({ context }) => context.session))).size,
  ).toBe(1)
})

test('vitals match web-vitals 6 in the same page, and belong to their view', async ({ page }) => {
  const reference = await readFile(
    new URL(import.meta.resolve('web-vitals')).pathname.replace(/[^/]+$/, 'web-vitals.iife.js'),
    'utf8',
  )
  const before = `${reference}
    window.reference = []
    const note = (metric) => {
      const { name, value, navigationType } = metric
      reference = [...reference.filter((each) => each[0] !== name || each[1] !== navigationType), [name, navigationType, value]]
    }
    for (const measure of [webVitals.onTTFB, webVitals.onFCP, webVitals.onLCP, webVitals.onCLS, webVitals.onINP]) {
      measure(note, { reportAllChanges: true, reportSoftNavs: true, durationThreshold: 16 })
    }`
  await site.open(page, { before })
  const referenceOf = () =>
    page.evaluate((): [string, string, number][] => Reflect.get(globalThis, 'reference'))
  const has = (name: string, type: string) => async () =>
    (await referenceOf()).some(
      (each) => each[0] === name && each[1] === type && (name !== 'CLS' || each[2] > 0),
    )
  await expect.poll(has('CLS', 'navigate')).toBe(true)
  await page.click('#slow')
  await expect.poll(has('INP', 'navigate')).toBe(true)
  // A Chromium that does not report them leaves nothing to compare with.
  const isSoft = await page.evaluate(() =>
    PerformanceObserver.supportedEntryTypes.includes('soft-navigation'),
  )
  await page.click('#cart')
  if (isSoft) await expect.poll(has('TTFB', 'soft-navigation')).toBe(true)
  await page.click('#slow')
  if (isSoft) await expect.poll(has('INP', 'soft-navigation')).toBe(true)
  const expected = await referenceOf()
  await site.leaveAndWait(page)

  const valuesOf = (path: string) =>
    Object.fromEntries(
      site.intake
        .events('vital')
        .filter(({ context }) => new URL(context.url ?? '').pathname === path)
        .map(({ name, value }) => [name, value]),
    )
  for (const [name, type, value] of expected) {
    if (name === 'TTFB' && type === 'soft-navigation') continue
    const ours = valuesOf(type === 'navigate' ? '/' : '/cart/42')
    if (name in ours || type === 'navigate')
      expect([name, type, ours[name]]).toEqual([name, type, expect.closeTo(value, 1)])
  }
  expect(Object.keys(valuesOf('/')).sort()).toEqual(['CLS', 'FCP', 'INP', 'LCP', 'TTFB'])
  // On a machine that is too busy to paint in time, Chromium reports no LCP of a soft navigation to either of them.
  const soft = expected.flatMap(([name, type]) =>
    name === 'LCP' && type === 'soft-navigation' ? [name] : [],
  )
  expect(Object.keys(valuesOf('/cart/42')).sort()).toEqual(['CLS', 'INP', ...soft])
  expect(valuesOf('/').CLS).toBeGreaterThan(0)
})

test('rage clicks and dead clicks are distinguished from others', async ({ page }) => {
  await site.open(page)
  await hasBegun(page)
  await page.click('#dead')
  // Nothing happens for a second: that is what is tested.
  await page.waitForTimeout(1_200)
  await page.click('#dead', { clickCount: 3, delay: 10 })
  await page.click('h1')
  await site.leaveAndWait(page)
  const clicks = site.intake.events('action').map(({ name, frustration }) => [name, frustration])
  expect(clicks).toEqual([
    ['Nothing happens', ['dead']],
    ['Nothing happens', undefined],
    ['Nothing happens', undefined],
    ['Nothing happens', ['rage']],
    ['h1#heading', undefined],
  ])
  expect(site.intake.events('view_state').at(-1)?.frustrations).toBe(2)
})

test('two tabs share a session, and in it each variation is exposed once', async ({ context }) => {
  const one = await context.newPage()
  await site.open(one)
  await readFlags(one)
  await expect.poll(() => site.intake.events('exposure').length).toBe(2)
  const two = await context.newPage()
  await site.open(two)
  await readFlags(two)
  await two.evaluate(() => app.track('here'))
  await site.leaveAndWait(two)
  expect(site.intake.events('exposure')).toHaveLength(2)
  const [here] = site.intake.events('custom')
  const [first] = site.intake.events('exposure')
  expect(here?.context.session).toBe(first?.context.session)
  expect(here?.context.tab).not.toBe(first?.context.tab)
  expect(here?.context.anonymousId).toBe(first?.context.anonymousId)
  expect(here?.context.reads?.map(({ flag }) => flag)).toEqual(['checkout', 'banner'])
})

test('a user who signs in keeps the session, and earlier variations belong to the previous subject', async ({
  page,
}) => {
  await site.open(page)
  await page.evaluate(() => app.whenReady())
  await page.evaluate(() => app.track('before'))
  site.intake.flags = [{ ...site.flags[0], metadata: { ...site.flags[0]?.metadata, contextId: 'grace' } }]
  await page.evaluate(async () => {
    await app.setContext({ targetingKey: 'grace' })
    app.getBoolean('checkout', false)
    // At once: what is drawn under a flag breaks in the moment in which it is read.
    app.track('after')
  })
  await site.leaveAndWait(page)
  const [before, after] = site.intake.events('custom')
  expect(before?.context.userKey).toBeUndefined()
  expect(after?.context.userKey).toBe('grace')
  expect(after?.context.session).toBe(before?.context.session)
  expect(after?.context.sessionUserKey).toBeUndefined()
  expect(after?.context.anonymousId).toBe(before?.context.anonymousId)
  expect(after?.context.reads).toMatchObject([{ flag: 'checkout', unit: 'grace' }])
})

test('after a quarter of an hour without use a new session starts, with its own view, and reads count again', async ({
  page,
}) => {
  await site.open(page)
  await hasBegun(page)
  await readFlags(page)
  await page.evaluate(() => app.track('before'))
  await page.evaluate(() => {
    const name = 'telltale:shop-production-web:session'
    const [format, session] = JSON.parse(localStorage.getItem(name) ?? '')
    localStorage.setItem(
      name,
      JSON.stringify([format, { ...session, activeAt: session.activeAt - 16 * 60_000 }]),
    )
  })
  const first = await page.evaluate(() => app.sessionId())
  await expect
    .poll(async () => {
      await page.mouse.move(5, 5)
      await page.mouse.down()
      await page.mouse.up()
      return page.evaluate(() => app.sessionId())
    })
    .not.toBe(first)
  await page.evaluate(() => app.track('after'))
  await readFlags(page)
  await site.leaveAndWait(page)
  const [before, after] = site.intake.events('custom')
  expect([before?.context.session === first, after?.context.session === first]).toEqual([true, false])
  expect(after?.context.view).not.toBe(before?.context.view)
  expect(after?.context.reads).toBeUndefined()
  expect(site.intake.events('view').map(({ context }) => context.session)).toEqual([
    first,
    after?.context.session,
  ])
  expect(site.intake.events('exposure')).toHaveLength(4)
  const [ended] = site.intake.events('view_state').filter(({ exit }) => exit === 'session')
  expect(ended?.context).toMatchObject({ session: first, view: before?.context.view })
})

test('with the snippet, the page does not wait, and earlier errors are reported', async ({ page }) => {
  const snippet = writeSnippet({ url: site.intake.url, key: siteKey })
  site.shop.page = `<!doctype html><head>${snippet}</head><h1>Shop</h1>
    <script>
      setTimeout(() => { throw new SyntaxError('too early') })
      telltale.onReady(() => app.track('ready'))
    </script>`
  await page.goto(`${site.shop.url}/`)
  await expect.poll(() => site.intake.events('custom').map(({ name }) => name)).toEqual(['ready'])
  expect(site.intake.events('error')).toMatchObject([
    { type: 'SyntaxError', message: 'too early', source: 'uncaught' },
  ])
})

test('with the snippet, code that waits for the library runs after init', async ({ page }) => {
  const snippet = writeSnippet({ url: site.intake.url, key: siteKey })
  // The script has run, and what was queued waits for its turn: where a module of the page may be next.
  site.shop.page = `<!doctype html><head>${snippet}<script>
      document.querySelector('script[src]').addEventListener('load', () => {
        telltale.onReady(() => app.track('asked at once'))
      })
    </script></head><h1>Shop</h1>`
  await page.goto(`${site.shop.url}/`)
  await expect.poll(() => site.intake.events('custom').map(({ name }) => name)).toEqual(['asked at once'])
  expect(site.intake.events('error')).toEqual([])
})

test('an application sees every event first, changes it, and drops it', async ({ page }) => {
  const beforeSend = `beforeSend(event, context) {
    if (event.kind === 'custom' && event.name === 'bad') throw new Error('in beforeSend')
    context.url = 'https://shop.example/'
    return event.name !== 'private'
  }`
  await site.open(page, { options: `attributes: { shop: 7 }, ${beforeSend}` })
  await page.evaluate(() => {
    for (const name of ['public', 'private', 'bad']) app.track(name)
    app.setAttributes({ shop: 8 })
    app.track('later')
  })
  await site.leaveAndWait(page)
  expect(
    site.intake.events('custom').map(({ name, context }) => [name, context.url, context.attributes]),
  ).toEqual([
    ['public', 'https://shop.example/', { shop: 7 }],
    ['telltale.fault', 'https://shop.example/', { shop: 7 }],
    ['later', 'https://shop.example/', { shop: 8 }],
  ])
})

const broken = {
  fetch: `window.fetch = () => { throw new Error('broken') }`,
  'no fetch': `delete window.fetch; window.fetch = undefined`,
  'XMLHttpRequest and navigation': `window.XMLHttpRequest = undefined;
    Object.defineProperty(window, 'navigation', { value: undefined })`,
  PerformanceObserver: `window.PerformanceObserver = class { constructor() { throw new Error('broken') } }`,
  'no PerformanceObserver': `window.PerformanceObserver = undefined`,
  storage: `for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('no') } })`,
  crypto: `Object.defineProperty(window, 'crypto', { value: undefined })`,
  'CompressionStream and MutationObserver': `window.CompressionStream = undefined; window.MutationObserver = undefined`,
  'everything at once': '',
}
broken['everything at once'] = Object.values(broken)
  .filter((each) => !each.includes("throw new Error('broken') }"))
  .join(';')

for (const [name, before] of Object.entries(broken)) {
  test(`a page with broken or missing APIs continues, and reports what it can: ${name}`, async ({ page }) => {
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    await site.open(page, { before })
    await page.click('#fail')
    await page.click('#cart')
    await expect(page.locator('#heading')).toHaveText(/Your cart/)
    await leave(page)
    if (name !== 'fetch') await expect.poll(() => site.intake.events('error').length).toBe(1)
    expect(faults).toEqual(['the cart is not a cart'])
  })
}
