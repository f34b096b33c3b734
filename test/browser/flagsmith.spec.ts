// Flagsmith's browser clients, unmodified, in a page of another site: the one under its old name and the one under its new.

import type { IFlagsmith } from '@flagsmith/flagsmith'
import { expect, type Page, test } from '@playwright/test'
import { apiKey, flagsmithDocument } from '../contracts/flagsmith-document.ts'
import { bundleForPage } from './bundle.ts'
import { clientKey, type FlagServer, type Site, startFlagServer, startSite } from './flag-server.ts'

let server: FlagServer
let site: Site

const importPath = '/api/v1/import/flagsmith-environment?project=shop&env=staging'

test.beforeAll(async () => {
  server = await startFlagServer()
  await server.post('/api/v1/projects/shop/environments', { key: 'staging', name: 'Staging' })
  await server.post(importPath, flagsmithDocument)
  await server.create('banner', 'string', { hello: 'Hello', sale: 'Sale' })
  await server.create('new-menu', 'boolean', { on: true, off: false })
  const script = await bundleForPage(`
    import { createFlagsmithInstance as current } from '@flagsmith/flagsmith'
    import { createFlagsmithInstance as former } from 'flagsmith'
    Object.assign(globalThis, { clients: { current, former } })
  `)
  site = await startSite({ '/': '<!doctype html><script src="/app.js"></script>', '/app.js': script })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

type Which = 'current' | 'former'

declare const clients: Record<Which, () => IFlagsmith>
declare global {
  var client: IFlagsmith
}

interface Options {
  key?: string
  identity?: string
  traits?: Record<string, string | number>
  realtime?: boolean
}

async function start(page: Page, which: Which, { key = apiKey, ...options }: Options = {}): Promise<void> {
  await page.goto(site.url)
  await page.evaluate(
    async ({ which: name, api, key: environmentID, options: given }) => {
      globalThis.client = clients[name]()
      await globalThis.client.init({
        environmentID,
        api: `${api}/flagsmith/api/v1/`,
        eventSourceUrl: `${api}/flagsmith/`,
        ...given,
      })
    },
    { which, api: server.url, key, options },
  )
}

for (const which of ['former', 'current'] as const) {
  test(`${which}: imported flags, without and with an identity`, async ({ page }) => {
    await start(page, which)
    const read = () =>
      page.evaluate(() => ({
        dark: globalThis.client.hasFeature('dark_mode'),
        items: globalThis.client.getValue('max_items'),
        colour: globalThis.client.getValue('button_colour'),
        kept: [globalThis.client.hasFeature('switched_off'), globalThis.client.getValue('switched_off')],
      }))
    expect(await read()).toEqual({ dark: false, items: 10, colour: 'grey', kept: [false, 'kept'] })
    await page.evaluate(() => globalThis.client.identify('alice', { age: 30 }))
    expect(await read()).toMatchObject({ dark: true, items: 50, colour: 'blue' })
    expect(await page.evaluate(() => globalThis.client.getTrait('age'))).toBe(30)
    await page.evaluate(() => globalThis.client.setTrait('age', 3))
    expect(await read()).toMatchObject({ dark: false, items: 10, colour: 'blue' })
  })

  test(`${which}: flags created here, and their live updates`, async ({ page }) => {
    const streaming = page.waitForResponse((response) => response.url().includes('/sse/environments/'))
    await start(page, which, { key: clientKey, realtime: true, identity: `live-${which}` })
    expect((await streaming).status()).toBe(200)
    const value = () => page.evaluate(() => globalThis.client.getValue('banner'))
    expect(await value()).toBe('Hello')
    expect(await page.evaluate(() => globalThis.client.hasFeature('new-menu'))).toBe(true)
    await server.serve('banner', 'sale')
    await expect.poll(value).toBe('Sale')
    await server.serve('banner', 'hello')
    await expect.poll(value).toBe('Hello')
  })
}

test("an invalid key is rejected in the client's format", async ({ page }) => {
  await expect(start(page, 'current', { key: 'nobody-has-this' })).rejects.toThrow(/Error/)
})
