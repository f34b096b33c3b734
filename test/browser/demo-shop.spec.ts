// The demo shop in Chromium: its flags change it while it is open, and what is done there arrives.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { noTelemetry } from './built-server.ts'

const main = join(import.meta.dirname, '../../packages/server/dist/main.js')
const owner = { email: 'ada@example.com', name: 'Ada', password: 'seven calm geese walk home' }
const production = '/api/v1/projects/storefront/environments/production'

let folder: string
let server: ChildProcess
let url: string
let cookie = ''

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-demo-'))
  const setup = join(folder, 'setup.json')
  await writeFile(setup, JSON.stringify({ owner }))
  const args = [main, '--port', '0', '--data', join(folder, 'data'), '--setup', setup, '--demo']
  server = spawn(process.execPath, [...args, '--log-level', 'warn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...{ ...process.env, ...noTelemetry, TELLTALE_HOST: '127.0.0.1', TELLTALE_OWN_PROJECT: 'off' },
      ...{ TELLTALE_DEMO_VISITS: '1', TELLTALE_DEMO_VISITORS: 'off' },
    },
  })
  url = await readAddress(server)
  const { email, password } = owner
  const signedIn = await ask('POST', '/api/v1/sign-in', { email, password })
  cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  await expect.poll(async () => (await fetchFlags()).length, { timeout: 30_000 }).toBe(6)
  // The history comes last: one visit.
  await expect.poll(countAccepted, { timeout: 30_000 }).toBeGreaterThan(0)
})

test.afterAll(async () => {
  server.kill('SIGTERM')
  await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
})

async function readAddress({ stdout }: ChildProcess): Promise<string> {
  let said = ''
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk)
    const found = /Telltale listens at (\S+)\n/.exec(said)?.[1]
    if (found === undefined) continue
    stdout?.resume()
    return found
  }
  throw new Error(`the server did not start: ${said}`)
}

function ask(method: string, path: string, body?: object): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { ...(cookie && { cookie }), origin: url, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function fetchFlags(): Promise<object[]> {
  return (await (await ask('GET', '/api/v1/projects/storefront/flags')).json()).items ?? []
}

/** Serves one variation to everyone. */
async function serve(flag: string, variation: string): Promise<void> {
  const path = `${production}/flags/${flag}/config`
  const { savedAt: _, salt: __, ...config } = await (await ask('GET', path)).json()
  const answer = await ask('PUT', path, { ...config, rules: [], fallthrough: { variation } })
  expect(answer.status).toBe(200)
}

/** What became of events at the intake, by outcome. */
async function countOutcomes(): Promise<Record<string, number>> {
  const text = await (await ask('GET', '/metrics')).text()
  const found = text.matchAll(/^telltale_intake_events_total\{outcome="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]))
}

const countAccepted = async () => (await countOutcomes()).accepted ?? 0

test('a change of a flag changes the page that is open', async ({ page }) => {
  await serve('promo-banner', 'none')
  await serve('theme', 'post-yellow')
  await page.goto(`${url}/demo`)
  await expect(page.getByRole('heading', { name: 'Bicycles that arrive' })).toBeVisible()
  await expect(page.locator('.banner')).toHaveCount(0)
  await expect(page.locator('ul.products > li > a')).toHaveCount(6)
  await expectAccessible(page)

  await serve('promo-banner', 'winter')
  await expect(page.locator('.banner')).toHaveText('Winter check for 39 €: brakes, lights, tyres.')
  await serve('theme', 'night-ride')
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor))
    .toBe('rgb(20, 32, 28)')
  await serve('theme', 'post-yellow')
})

test('a bicycle is bought, and everything on the way is taken by the intake', async ({ page }) => {
  await serve('checkout-v2', 'one-page')
  await serve('new-gallery', 'on')
  await serve('free-shipping-threshold', 'low')
  const before = await countAccepted()
  const mistakes: string[] = []
  page.on('pageerror', ({ message }) => mistakes.push(message))

  await page.goto(`${url}/demo/p/bell-brass`)
  await expect(page.getByRole('button', { name: 'Picture 3' })).toBeVisible()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Go to the cart' }).click()
  await expect(page.getByText('€25 more, and shipping is free (from €49).')).toBeVisible()
  await page.getByRole('link', { name: 'Go to checkout' }).click()
  await expect(page.getByRole('group')).toHaveCount(3)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByRole('heading', { name: 'It is on its way' })).toBeVisible()
  expect(mistakes).toEqual([])

  await expect.poll(countAccepted, { timeout: 30_000 }).toBeGreaterThan(before + 20)
  expect(Object.keys(await countOutcomes())).toEqual(['accepted'])
})

test('three steps instead of one page, and search by meaning with its mistake', async ({ page }) => {
  await serve('checkout-v2', 'classic')
  await page.goto(`${url}/demo/p/post-helmet`)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Go to the cart' }).click()
  await page.getByRole('link', { name: 'Go to checkout' }).click()
  await expect(page.getByRole('group')).toHaveCount(1)

  await serve('hybrid-search', 'off')
  const box = page.getByRole('textbox', { name: 'Search the shop' })
  await box.fill('bike for two children')
  await box.press('Enter')
  await expect(page.getByText('Nothing. Other words may help.')).toBeVisible()
  const mistake = page.waitForEvent('pageerror')
  await serve('hybrid-search', 'on')
  await expect(page.getByText('by meaning')).toBeVisible()
  expect((await mistake).message).toContain('map is not a function')
})
