// The client behind OpenFeature's web SDK and in React, as packages of a site's bundle.

import { expect, type Page, test } from '@playwright/test'
import { bundleForPage } from './bundle.ts'
import { clientKey, type FlagServer, type Site, startFlagServer, startSite } from './flag-server.ts'

let server: FlagServer
let site: Site

test.beforeAll(async () => {
  server = await startFlagServer()
  await server.create('banner', 'string', { hello: 'Hello', sale: 'Sale' })
  await server.create('new-menu', 'boolean', { on: true, off: false })
  site = await startSite({
    '/openfeature': '<!doctype html><script src="/openfeature.js"></script>',
    '/openfeature.js': await bundleForPage(`
      import { OpenFeature } from '@openfeature/web-sdk'
      import { startFlags } from '@telltale/browser/flags'
      import { createProvider } from '@telltale/browser/openfeature'
      const events = []
      for (const event of ['PROVIDER_READY', 'PROVIDER_ERROR', 'PROVIDER_STALE', 'PROVIDER_CONFIGURATION_CHANGED', 'PROVIDER_CONTEXT_CHANGED']) {
        OpenFeature.addHandler(event, (details) => events.push([event, details?.flagsChanged]))
      }
      const start = (key) => OpenFeature.setProviderAndWait(createProvider(startFlags({ url: '${server.url}', key })))
      Object.assign(globalThis, { OpenFeature, events, start })
    `),
    '/react': `<!doctype html><div id="root"></div><script src="/react.js"></script>`,
    '/react.js': await bundleForPage(`
      import { createElement } from 'react'
      import { createRoot } from 'react-dom/client'
      import { startFlags } from '@telltale/browser/flags'
      import { FlagsProvider, useFlag, useFlagDetails, useFlagStatus } from '@telltale/browser/react'
      let renders = 0
      function Banner() {
        renders += 1
        const banner = useFlag('banner', 'default')
        const { variant } = useFlagDetails('new-menu', false)
        const missing = useFlag('missing', { none: true })
        return createElement('h1', { 'data-renders': renders }, [banner, variant, JSON.stringify(missing), useFlagStatus()].join(' '))
      }
      const flags = startFlags({ url: '${server.url}', key: '${clientKey}' })
      createRoot(document.getElementById('root')).render(createElement(FlagsProvider, { flags }, createElement(Banner)))
    `),
  })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

declare const OpenFeature: typeof import('@openfeature/web-sdk').OpenFeature
declare const events: [string, string[] | undefined][]
declare const start: (key: string) => Promise<void>

const bannerOf = (page: Page) =>
  page.evaluate(() => OpenFeature.getClient().getStringValue('banner', 'default'))

const streamOf = (page: Page) => page.waitForResponse((response) => response.url().includes('/sdk/v1/stream'))

test('OpenFeature: values and errors, a change as an event, a new context', async ({ page }) => {
  const streaming = streamOf(page)
  await page.goto(`${site.url}/openfeature`)
  await page.evaluate((key) => start(key), clientKey)
  const read = await page.evaluate(() => {
    const client = OpenFeature.getClient()
    return [
      client.getBooleanDetails('new-menu', false),
      client.getStringDetails('nowhere', 'default'),
      client.getNumberDetails('banner', 1),
    ]
  })
  expect(read).toMatchObject([
    { value: true, variant: 'on', reason: 'STATIC', flagMetadata: { flagSetId: 'production' } },
    { value: 'default', errorCode: 'FLAG_NOT_FOUND' },
    { value: 1, errorCode: 'TYPE_MISMATCH' },
  ])

  await streaming
  await server.serve('banner', 'sale')
  await expect.poll(() => bannerOf(page)).toBe('Sale')
  expect(await page.evaluate(() => events.at(-1))).toEqual(['PROVIDER_CONFIGURATION_CHANGED', ['banner']])

  const requested = page.waitForRequest((request) => request.url().includes('/ofrep/'))
  await page.evaluate(() => OpenFeature.setContext({ targetingKey: 'ada', plan: 'pro' }))
  expect((await requested).postDataJSON().context).toMatchObject({ targetingKey: 'ada', plan: 'pro' })
  expect(await page.evaluate(() => events.map(([name]) => name))).toContain('PROVIDER_CONTEXT_CHANGED')
  expect(await page.evaluate(() => events.filter(([name]) => name === 'PROVIDER_READY').length)).toBe(1)
  await server.serve('banner', 'hello')
})

test('OpenFeature: an invalid key is an error, and an outage is stale, then ready', async ({ page }) => {
  await page.goto(`${site.url}/openfeature`)
  const said = await page.evaluate((key) => start(key).catch((error) => String(error)), 'nobody-has-this')
  expect(said).toContain('refuses the key')

  await page.reload()
  await page.evaluate((key) => start(key), clientKey)
  await page.route('**/ofrep/**', (route) => route.abort())
  await page.evaluate(() => OpenFeature.setContext({ targetingKey: 'grace' }))
  await expect.poll(() => page.evaluate(() => events.map(([name]) => name))).toContain('PROVIDER_STALE')
  expect(await bannerOf(page)).toBe('Hello')
  await page.unroute('**/ofrep/**')
  await expect
    .poll(() => page.evaluate(() => events.filter(([name]) => name === 'PROVIDER_READY').length))
    .toBe(2)
})

test('React: a component shows the value, updates, and does not render without one', async ({ page }) => {
  const streaming = streamOf(page)
  await page.goto(`${site.url}/react`)
  const heading = page.locator('h1')
  await expect(heading).toHaveText('Hello on {"none":true} ready')
  await streaming
  const before = Number(await heading.getAttribute('data-renders'))
  await server.serve('banner', 'sale')
  await expect(heading).toHaveText('Sale on {"none":true} ready')
  expect(Number(await heading.getAttribute('data-renders'))).toBe(before + 1)
  await server.serve('banner', 'hello')
})
