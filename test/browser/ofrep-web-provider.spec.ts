// The unmodified OFREP web provider of OpenFeature in a browser, against our server.

import { createHash, createHmac } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { createScenarios, type Scenario, scenarios } from '../contracts/openfeature-flags.ts'
import { bundleForPage } from './bundle.ts'
import { clientKey, type FlagServer, type Site, startFlagServer, startSite } from './flag-server.ts'

let server: FlagServer
let site: Site

test.beforeAll(async () => {
  server = await startFlagServer()
  await server.create('banner', 'string', { hello: 'Hello', sale: 'Sale' })
  await createScenarios(server.ask, 'shop', 'production')
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
declare const events: [event: string, changed: string[] | undefined][]
declare const OpenFeature: typeof import('@openfeature/web-sdk').OpenFeature
declare const OFREPWebProvider: new (
  options: { baseUrl: string; headers: [string, string][] } & Omit<Options, 'key'>,
) => import('@openfeature/web-sdk').Provider

interface Options {
  key?: string
  pollInterval?: number
  changeDetection?: 'sse' | 'polling' | 'none'
  cacheMode?: 'local-cache-first' | 'network-first' | 'disabled'
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

test("OpenFeature's scenarios by context, each with one bulk evaluation", async ({ page }) => {
  // With its cache, the client first gives what the same user had in another context.
  expect(await start(page, { cacheMode: 'disabled' })).toBe('ready')
  const contextOf = ({ context = {} }: Scenario) => JSON.stringify(context)
  for (const context of new Set(scenarios.map(contextOf))) {
    const requested = scenarios.filter((scenario) => contextOf(scenario) === context)
    await page.evaluate((given) => OpenFeature.setContext(JSON.parse(given)), context)
    const found = await page.evaluate(readAll, requested)
    for (const [index, { flag, type, expected }] of requested.entries()) {
      expect(found[index], `${flag} as ${type} in ${context}`).toMatchObject({ flagKey: flag, ...expected })
      if ('value' in expected) expect(found[index]?.value).toEqual(expected.value)
    }
  }
  // What is not there is told whose flags it was looked for among.
  expect(
    await page.evaluate(() => OpenFeature.getClient().getBooleanDetails('missing', true).flagMetadata),
  ).toMatchObject({ flagSetId: 'production' })
})

function untilTold() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** In the page. */
function readAll(requested: Pick<Scenario, 'flag' | 'type' | 'fallback'>[]) {
  const client = OpenFeature.getClient()
  return requested.map(({ flag, type, fallback }) => {
    if (type === 'boolean') return client.getBooleanDetails(flag, fallback === true)
    if (type === 'string') return client.getStringDetails(flag, String(fallback))
    if (type === 'number') return client.getNumberDetails(flag, Number(fallback))
    return client.getObjectDetails(flag, JSON.parse(JSON.stringify(fallback)))
  })
}

test('another context of the same user is evaluated again, and the same one is unchanged', async ({
  page,
}) => {
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/ofrep/v1/evaluate/flags')) statuses.push(response.status())
  })
  expect(await start(page, { cacheMode: 'disabled' })).toBe('ready')
  const setContext = (context: Record<string, string>) =>
    page.evaluate((given) => OpenFeature.setContext({ targetingKey: 'user-1', ...given }), context)
  const value = () => page.evaluate(() => OpenFeature.getClient().getStringValue('string-targeted', 'none'))
  expect(await value()).toBe('text')
  await setContext({ email: 'ballmer@macrosoft.com' })
  expect(await value()).toBe('')
  await setContext({ email: 'ballmer@macrosoft.com' })
  expect(await value()).toBe('')
  expect(statuses).toEqual([200, 200, 304])
})

test('a returning page has its values immediately, and current ones a moment later', async ({ page }) => {
  expect(await start(page)).toBe('ready')
  const { promise: released, resolve: release } = untilTold()
  await page.route('**/ofrep/v1/evaluate/flags', async (route) => {
    await released
    await route.continue()
  })
  expect(await start(page)).toBe('ready')
  const reason = () => page.evaluate(() => OpenFeature.getClient().getStringDetails('banner', '').reason)
  expect(await reason()).toBe('CACHED')
  await server.serve('banner', 'sale')
  release()
  await expect.poll(reason).toBe('STATIC')
  expect(await page.evaluate(() => OpenFeature.getClient().getStringValue('banner', ''))).toBe('Sale')
  await server.serve('banner', 'hello')
})

test('during an outage values are stale, and afterwards they update again', async ({ page }) => {
  expect(await start(page)).toBe('ready')
  await page.evaluate(() => {
    for (const event of ['PROVIDER_STALE', 'PROVIDER_CONFIGURATION_CHANGED'] as const) {
      OpenFeature.getClient().addHandler(event as never, (details) =>
        events.push([event, details?.flagsChanged]),
      )
    }
  })
  await server.kill()
  const heard = () => page.evaluate(() => events)
  await expect.poll(heard).toContainEqual(['PROVIDER_STALE', undefined])
  const value = () => page.evaluate(() => OpenFeature.getClient().getStringValue('banner', ''))
  expect(await value()).toBe('Hello')
  await server.start()
  await server.serve('banner', 'sale')
  await expect.poll(value, { timeout: 20_000 }).toBe('Sale')
  expect(await heard()).toContainEqual(['PROVIDER_CONFIGURATION_CHANGED', ['banner']])
  await server.serve('banner', 'hello')
})

test('an invalid key is fatal, and the defaults hold', async ({ page }) => {
  expect(await start(page, { key: 'nobody-has-this' })).toContain('ProviderFatalError')
  expect(
    await page.evaluate(() => OpenFeature.getClient().getBooleanDetails('boolean-flag', false)),
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

test('returns after a day, with an expired stream, without a storm of requests', async ({ page }) => {
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

  const requested: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(server.url)) requested.push(new URL(request.url()).pathname)
  })
  const expired = page.waitForRequest((request) => request.url().includes(dayOld))
  expect(await start(page)).toBe('ready')
  await expired
  // A storm would be one request each second: there is nothing to wait for but its absence.
  await page.waitForTimeout(6_000)
  expect(requested.filter((path) => path.endsWith('/stream')).length).toBeLessThanOrEqual(3)
  expect(requested.filter((path) => path.endsWith('/flags')).length).toBeLessThanOrEqual(4)
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
