// The recorder alone: when it begins, what it tells, and when it stops.

import { expect, test } from '@playwright/test'
import type { Site } from './flag-server.ts'
import { bundleModule, startRecorderSite, startRecording } from './recorder.ts'

let site: Site
test.beforeAll(async () => {
  site = await startRecorderSite({ '/budget.js': await bundleModule('packages/sdk/src/replay/budget.ts') })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }, { title }) => {
  page.on('pageerror', (error) => {
    throw new Error(`${title}: ${error}`)
  })
})

test('a frame is observed once, however many snapshots are taken', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow' })
  for (let count = 0; count < 3; count++)
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await page
    .frameLocator('#frame')
    .locator('#in')
    .evaluate((node) => node.append('told once'))
  await page.frameLocator('#frame').locator('#button').click()
  await recording.flush()
  const operations = await recording.operations()
  const inserts = operations.filter((each) => each.do === 'insert')
  expect(inserts.filter((each) => JSON.stringify(each).includes('told once'))).toHaveLength(1)
  expect(operations.filter((each) => each.do === 'press' && each.kind === 'click')).toHaveLength(1)
})

test('a page restored from the cache restarts, and its numbers continue after those of later pages', async ({
  page,
}) => {
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow' })
  await recording.flush()
  await page.evaluate(() => {
    const { tab, session } = Reflect.get(globalThis, 'recording').context
    sessionStorage.setItem('telltale:key:segments', JSON.stringify([[`${tab} ${session}`, 7]]))
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await recording.flush()
  const segments = (await recording.sent()).flatMap(({ header }) => header ?? [])
  expect(segments[0]).toMatchObject({ index: 0, full: true })
  expect(segments.find(({ index }) => index > 0)).toMatchObject({ index: 7 })
  expect(segments.filter(({ full }) => full)).toHaveLength(2)
})

test('the toolbar of a developer is not recorded: neither its content, nor its changes, nor clicks in it', async ({
  page,
}) => {
  await page.goto(`${site.url}/plain`)
  await page.evaluate(() => {
    const open = () => {
      const toolbar = document.createElement('telltale-toolbar')
      toolbar.attachShadow({ mode: 'open' }).innerHTML = '<button>of the toolbar</button>'
      document.documentElement.append(toolbar)
    }
    open()
    Object.assign(globalThis, { open })
  })
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(() => {
    Reflect.get(globalThis, 'open')()
    for (const toolbar of document.querySelectorAll('telltale-toolbar')) {
      toolbar.setAttribute('title', 'of the toolbar')
      toolbar.shadowRoot?.append('more of the toolbar')
    }
    document.body.append('of the page')
  })
  await page.getByText('of the toolbar').last().click()
  await recording.flush()
  const operations = await recording.operations()
  expect(JSON.stringify(operations)).toContain('of the page')
  expect(JSON.stringify(operations)).not.toContain('toolbar')
  expect(operations.filter((each) => each.do === 'press')).toEqual([])
})

test('a box has the size of its picture, also when that is loaded later', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(async () => {
    const image = new Image()
    image.id = 'late'
    document.body.append(image)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const drawing = Object.assign(document.createElement('canvas'), { width: 123, height: 45 })
    image.src = drawing.toDataURL()
    await image.decode()
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
  await recording.flush()
  const all = JSON.stringify(await recording.operations())
  expect(all).toMatch(/"attributes":{"id":"late"},"children":\[\],"state":{"box":{"width":0,"height":0}}/)
  expect(all).toContain('"state":{"box":{"width":123,"height":45}}')
})

test('the minute before the trigger arrives with it, and not before', async ({ page }) => {
  await page.clock.install()
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow', isSampled: false, on: ['error'] })
  const write = (text: string) =>
    page.evaluate((text) => document.getElementById('text')?.replaceChildren(text), text)
  for (let second = 0; second < 200; second += 10) {
    await write(`second ${second}.`)
    await page.clock.runFor(10_000)
  }
  expect(await recording.sent()).toEqual([])
  await write('the moment before.')
  await recording.note({ kind: 'error' })
  await write('the moment after.')
  await page.clock.runFor(10_000)
  await expect.poll(async () => JSON.stringify(await recording.operations())).toContain('the moment after.')
  const operations = await recording.operations()
  const [first] = operations
  expect(first?.do).toBe('page')
  const length = (operations.at(-1)?.at ?? 0) - (first?.at ?? 0)
  expect(length).toBeGreaterThanOrEqual(60_000)
  expect(length).toBeLessThan(150_000)
  const all = JSON.stringify(operations)
  for (const text of [
    'second 150.',
    'second 160.',
    'second 170.',
    'second 180.',
    'second 190.',
    'the moment before.',
  ])
    expect(all).toContain(text)
  expect(all).not.toContain('second 10.')
  const headers = (await recording.sent()).flatMap(({ header }) => header ?? [])
  expect(new Set(headers.map(({ reason }) => reason))).toEqual(new Set(['error']))
  expect(headers.map(({ index }) => index)).toEqual(headers.map((_, index) => index))
})

const triggers = [
  {
    name: 'clicks of rage',
    on: 'rage',
    event: { kind: 'action', frustration: ['rage'] },
    reason: 'rage',
    context: {},
  },
  {
    name: 'a variation that is read',
    on: 'checkout=new',
    event: { kind: 'exposure' },
    reason: 'flag',
    context: { reads: [{ flag: 'checkout', variation: 'new' }] },
  },
  { name: 'an interaction of half a second', on: 'slow', event: undefined, context: {}, reason: 'slow' },
]
for (const { name, on, event, context, reason } of triggers) {
  test(`${name}: what was recorded is sent, and nothing before`, async ({ page }) => {
    await page.goto(`${site.url}/plain`)
    const recording = await startRecording(page, { level: 'allow', isSampled: false, on: [on] })
    await recording.note({ kind: 'error' })
    await recording.note({ kind: 'exposure' }, { reads: [{ flag: 'checkout', variation: 'old' }] })
    await recording.flush()
    expect(await recording.sent()).toEqual([])
    if (event) await recording.note(event, context)
    else {
      await page.evaluate(() => {
        document.getElementById('text')?.addEventListener('click', () => {
          const until = performance.now() + 700
          while (performance.now() < until);
        })
      })
      await page.click('#text')
    }
    await expect.poll(async () => (await recording.sent()).length).toBeGreaterThan(0)
    const [first] = await recording.sent()
    expect(first?.header).toMatchObject({ index: 0, full: true, reason })
  })
}

test('over its budget it limits the part that changes most, which a note names', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  await page.clock.install()
  const limited = await page.evaluate(async () => {
    const file = '/budget.js'
    const { createBudget } = await import(file)
    document.body.insertAdjacentHTML(
      'beforeend',
      '<main><div id="ticker"><p>1</p><p>2</p></div><ul></ul></main>',
    )
    const limited: string[] = []
    const budget = createBudget({
      limit: (part: Element) => limited.push(part.id),
      thin: () => limited.push('thin'),
      stop: () => limited.push('stop'),
    })
    const busy = () => {
      for (const target of document.querySelectorAll('#ticker p')) budget.changed(target)
      budget.changed(document.body)
    }
    Object.assign(globalThis, { budget, busy })
    return Object.assign(globalThis, { limited }).limited
  })
  expect(limited).toEqual([])
  for (let window = 0; window < 5; window++) {
    await page.evaluate(() => {
      const { budget, busy } = globalThis as unknown as {
        budget: { measure(run: () => void): void }
        busy(): void
      }
      busy()
      const now = performance.now.bind(performance)
      let passed = 0
      performance.now = () => now() + passed
      for (let count = 0; count < 30; count++) {
        budget.measure(() => {
          passed += 10
        })
        passed += 10
      }
    })
    await page.clock.runFor(10_000)
  }
  expect(await page.evaluate(() => Reflect.get(globalThis, 'limited'))).toEqual(
    expect.arrayContaining(['ticker', 'thin', 'stop']),
  )
})

test('a page without input for 15 minutes records nothing until the next input', async ({ page }) => {
  await page.clock.install()
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow' })
  const write = (text: string) =>
    page.evaluate((text) => document.getElementById('text')?.replaceChildren(text), text)
  await page.clock.runFor(14 * 60_000)
  await write('within the session.')
  await page.clock.runFor(2 * 60_000)
  await write('to nobody.')
  await page.clock.runFor(60_000)
  await write('before somebody was back.')
  await page.clock.runFor(1_000)
  await page.click('#text')
  await page.clock.runFor(10_000)
  const all = async () => JSON.stringify(await recording.operations())
  await expect.poll(all).toContain('before somebody was back.')
  expect(await all()).toContain('within the session.')
  expect(await all()).not.toContain('to nobody.')
  // From there on it can be played.
  const beginnings = (await recording.sent()).filter(({ header }) => header?.full)
  expect(beginnings.at(-1)?.text).toContain('before somebody was back.')
})
