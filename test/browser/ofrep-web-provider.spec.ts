// The unmodified OFREP web provider of OpenFeature in a browser, against our server.

import { createHash, createHmac } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { bundleForPage } from './bundle.ts'
import { clientKey, type FlagServer, type Site, startFlagServer, startSite } from './flag-server.ts'

let server: FlagServer
let site: Site

test.beforeAll(async () => {
  server = await startFlagServer()
  await server.create('banner', 'string', { hello: 'Hello', sale: 'Sale' })
  await server.create('new-menu', 'boolean', { on: true, off: false })
  await server.create('page-size', 'number', { some: 20 })
  await server.create('theme', 'json', { dark: { mode: 'dark', hues: [1, 2] } })
  const script = await bundleForPage(`
    import { OpenFeature } from '@openfeature/web-sdk'
    import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
    Object.assign(globalThis, { OpenFeature, OFREPWebProvider, events: [] })
  `)
  site = await startSite({ '/': '<!doctype html><script src="/app.js"></script>', '/app.js': script })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

/** What the script of the site leaves behind. */
declare const OpenFeature: typeof import('@openfeature/web-sdk').OpenFeature
declare const OFREPWebProvider: new (
  options: { baseUrl: string; headers: [string, string][] } & Omit<Options, 'key'>,
) => import('@openfeature/web-sdk').Provider

interface Options {
  key?: string
  pollInterval?: number
  changeDetection?: 'sse' | 'polling' | 'none'
}

/** Opens the site with the provider; says how the start went. */
async function start(page: Page, { key = clientKey, ...options }: Options = {}): Promise<string> {
  await page.goto(site.url)
  return page.evaluate(
    async ({ baseUrl, key, options }) => {
      await OpenFeature.setContext({ targetingKey: 'user-1' })
      const provider = new OFREPWebProvider({
        baseUrl,
        headers: [['Authorization', `Bearer ${key}`]],
        ...options,
      })
      try {
        await OpenFeature.setProviderAndWait(provider)
        return 'ready'
      } catch (error) {
        return String(error)
      }
    },
    { baseUrl: server.url, key, options },
  )
}

test('gets values of every type, with variant and metadata, and is told why there is none', async ({
  page,
}) => {
  expect(await start(page)).toBe('ready')
  const read = await page.evaluate(() => {
    const client = OpenFeature.getClient()
    return {
      boolean: client.getBooleanDetails('new-menu', false),
      string: client.getStringValue('banner', ''),
      number: client.getNumberValue('page-size', 0),
      object: client.getObjectValue('theme', {}),
      unknown: client.getBooleanDetails('nowhere', true),
      other: client.getStringDetails('new-menu', 'default'),
    }
  })
  expect(read).toMatchObject({
    boolean: { value: true, variant: 'on', reason: 'STATIC', flagMetadata: { flagSetId: 'production' } },
    string: 'Hello',
    number: 20,
    object: { mode: 'dark', hues: [1, 2] },
    unknown: { value: true, errorCode: 'FLAG_NOT_FOUND' },
    other: { value: 'default', errorCode: 'TYPE_MISMATCH' },
  })
})

test('a wrong key is fatal, and the defaults hold', async ({ page }) => {
  expect(await start(page, { key: 'nobody-has-this' })).toContain('ProviderFatalError')
  expect(
    await page.evaluate(() => OpenFeature.getClient().getBooleanDetails('new-menu', false)),
  ).toMatchObject({
    value: false,
    errorCode: 'PROVIDER_FATAL',
  })
})

test('polling an unchanged environment is answered 304', async ({ page }) => {
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().includes('/ofrep/v1/evaluate/flags')) statuses.push(response.status())
  })
  expect(await start(page, { pollInterval: 500, changeDetection: 'polling' })).toBe('ready')
  await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(4)
  expect(statuses.slice(0, 4)).toEqual([200, 304, 304, 304])
})

test('follows a change by the event stream', async ({ page }) => {
  const streaming = page.waitForResponse((response) => response.url().includes('/ofrep/v1/stream'))
  expect(await start(page)).toBe('ready')
  expect((await streaming).status()).toBe(200)
  const value = () => page.evaluate(() => OpenFeature.getClient().getStringValue('banner', ''))
  expect(await value()).toBe('Hello')
  await server.serve('banner', 'sale')
  await expect.poll(value).toBe('Sale')
  await server.serve('banner', 'hello')
})

test('comes back after a day, with a store whose stream has expired, without a storm of requests', async ({
  page,
}) => {
  const streaming = page.waitForResponse((response) => response.url().includes('/ofrep/v1/stream'))
  expect(await start(page)).toBe('ready')
  const address = new URL((await streaming).url())
  const [keyId = ''] = (address.searchParams.get('token') ?? '').split('.')

  const epoch = Math.floor((Date.now() - 86_400_000) / halfLife)
  const dayOld = tokenOf(keyId, epoch)
  const aged = await page.evaluate(
    ([token, epoch]) => {
      const names = Object.keys(localStorage).filter((name) => name.startsWith('ofrep-web-provider:'))
      for (const name of names) {
        const text = localStorage.getItem(name) ?? ''
        const agedText = text.replace(/token=[^"&]+/, `token=${token}`)
        localStorage.setItem(name, agedText.replace(/\.[a-z0-9]+(\.[\w-]{22}\\")/, `.${epoch}$1`))
      }
      return names.length
    },
    [dayOld, epoch.toString(36)],
  )
  expect(aged).toBeGreaterThan(0)

  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(server.url)) asked.push(new URL(request.url()).pathname)
  })
  const expired = page.waitForRequest((request) => request.url().includes(dayOld))
  expect(await start(page)).toBe('ready')
  await expired
  // A storm would be one request each second: there is nothing to wait for but its absence.
  await page.waitForTimeout(10_000)
  expect(asked.filter((path) => path.endsWith('/stream')).length).toBeLessThanOrEqual(3)
  expect(asked.filter((path) => path.endsWith('/flags')).length).toBeLessThanOrEqual(4)
  await server.serve('banner', 'sale')
  await expect
    .poll(() => page.evaluate(() => OpenFeature.getClient().getStringValue('banner', '')))
    .toBe('Sale')
})

/** Of a stream's token, in milliseconds. */
const halfLife = 1_800_000

/** As the server made it then. */
function tokenOf(keyId: string, epoch: number): string {
  const keyHash = createHash('sha256').update(clientKey).digest('base64url')
  const seal = createHmac('sha256', keyHash).update(`stream.${epoch}`).digest('base64url')
  return `${keyId}.${epoch.toString(36)}.${seal}`
}
