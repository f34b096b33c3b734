// Sessions of the demo shop become tests: recorded in a browser, written by the server, run by Playwright. Each has to
// fail with the variation of the session, by its own assertion, and to pass with the other one.

import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { chromiumArguments, findChromium } from './chromium.ts'
import { type DemoServer, demoPatience, startDemoServer } from './demo-server.ts'

interface Visit {
  name: string
  /** The last step of the test. */
  last: RegExp
  /** Below the home page. */
  path?: string
  /** In the message of the assertion that fails. */
  fails: RegExp
  walk(page: Page): Promise<void>
}

const search = (page: Page) => page.getByRole('textbox', { name: 'Search the shop' })
const link = (page: Page, name: string) => page.getByRole('link', { name })
const add = (page: Page) => page.getByRole('button', { name: 'Add to cart' })

async function type(page: Page, text: string): Promise<void> {
  await search(page).click()
  await search(page).pressSequentially(text, { delay: 20 })
}

/** Two of each kind of failure. */
const visits: Visit[] = [
  {
    name: 'uncaught-error',
    last: /press\('Enter'\)/,
    fails: /TypeError: .*map is not a function/,
    async walk(page) {
      await type(page, 'bike for two children')
      await search(page).press('Enter')
      await page.getByText('by meaning').waitFor()
    },
  },
  {
    name: 'reported-error',
    last: /Post helmet'.*click\(/,
    fails: /RangeError: Invalid time value/,
    async walk(page) {
      await link(page, 'Parts & kit').click()
      await link(page, 'Post helmet').click()
      await page.getByRole('heading', { name: 'Post helmet' }).waitFor()
    },
  },
  {
    name: 'dead-click',
    last: /Add to cart'.*click\(/,
    path: '/p/courier-8',
    fails: /had no effect/,
    async walk(page) {
      await add(page).click()
      await page.getByText('It is in your cart.').waitFor()
      await page.waitForTimeout(1_200)
      await add(page).click()
      await page.waitForTimeout(1_500)
    },
  },
  {
    name: 'failed-request',
    last: /press\('Enter'\)/,
    fails: /GET \/demo\/api\/search with status 500/,
    async walk(page) {
      await type(page, 'b')
      await search(page).press('Enter')
      await page.getByText('by meaning').waitFor()
    },
  },
  {
    name: 'missing-resource',
    last: /Tyre 45 mm'.*click\(/,
    path: '/c/parts',
    fails: /GET \/demo\/api\/pictures\/510\.svg with status 404/,
    async walk(page) {
      await link(page, 'Tyre 45 mm').click()
      await page.getByRole('button', { name: 'Picture 4' }).waitFor()
    },
  },
  {
    name: 'uncaught-error-by-button',
    last: /Search'.*click\(/,
    path: '/c/cargo',
    fails: /TypeError: .*map is not a function/,
    async walk(page) {
      await page.getByRole('button', { name: 'Sort by price' }).click()
      await type(page, 'bag with light and belt')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByText('by meaning').waitFor()
    },
  },
  {
    name: 'reported-error-at-once',
    last: /Add to cart'.*click\(/,
    path: '/p/post-helmet',
    fails: /RangeError: Invalid time value/,
    async walk(page) {
      await add(page).click()
      await page.getByText('It is in your cart.').waitFor()
    },
  },
  {
    name: 'rage-click',
    last: /Add to cart'.*click\(/,
    fails: /had no effect/,
    async walk(page) {
      await link(page, 'City').first().click()
      await link(page, 'Courier Belt').click()
      await add(page).click()
      await page.getByText('It is in your cart.').waitFor()
      await page.waitForTimeout(1_200)
      await add(page).click({ clickCount: 3, delay: 60 })
      await page.waitForTimeout(1_500)
    },
  },
  {
    name: 'failed-request-by-button',
    last: /Search'.*click\(/,
    path: '/p/bell-brass',
    fails: /GET \/demo\/api\/search with status 500/,
    async walk(page) {
      await add(page).click()
      await link(page, 'Go to the cart').click()
      await type(page, '2')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByText('by meaning').waitFor()
    },
  },
  {
    name: 'missing-resource-and-more',
    last: /Sign in'.*click\(/,
    path: '/p/tyre-45-mm',
    fails: /GET \/demo\/api\/pictures\/510\.svg with status 404/,
    async walk(page) {
      await page.getByRole('button', { name: 'Picture 2' }).click()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Club member' }).waitFor()
    },
  },
]
/** All ten take a minute more. */
const repeated = process.env.TELLTALE_TEST_REPLAY_TESTS === 'all' ? visits : visits.slice(0, 3)
const harmful = { 'hybrid-search': 'on', 'new-gallery': 'on', 'sticky-cart': 'on' }
const harmless = Object.keys(harmful).map((flag) => `${flag}=off`)

const environment = '/api/v1/projects/storefront/environments/production'
const folder = join(import.meta.dirname, '../../test-results/replay-tests')
let demo: DemoServer

test.beforeAll(async () => {
  test.setTimeout(demoPatience)
  demo = await startDemoServer({ telemetry: true, visits: 1 })
  const { items } = await demo
    .ask('GET', '/api/v1/projects/storefront/rollouts')
    .then((answer) => answer.json())
  for (const { id, state } of items)
    if (!/rolled|completed|cancelled/.test(state))
      await demo.ask('POST', `/api/v1/projects/storefront/rollouts/${id}/roll-back`, {})
  for (const [flag, variation] of Object.entries(harmful)) await demo.serve(flag, variation)
  await demo.ask('PATCH', environment, {
    privacyLevel: 'mask-inputs',
    sampling: { session: 100, replay: 100, profile: 0 },
    requestRules: [{ host: '*', path: '/demo/api/*', headers: [], fields: ['*'] }],
  })
})

test.afterAll(async () => {
  await demo?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test(`${repeated.length} sessions of the demo fail as tests with their variation, and pass with the other`, async ({
  browser,
}) => {
  test.setTimeout(600_000)
  await mkdir(folder, { recursive: true })
  const left = [...repeated]
  const recordNext = async (): Promise<void> => {
    const visit = left.shift()
    if (visit === undefined) return
    await writeFile(join(folder, `${visit.name}.spec.ts`), await record(browser, visit))
    return recordNext()
  }
  await Promise.all([recordNext(), recordNext(), recordNext()])
  await writeFile(join(folder, 'playwright.config.ts'), config())

  const failing = await run({})
  for (const { name, fails } of repeated) {
    const messages = failing.get(name) ?? []
    expect(messages.length, `${name} passes with the variation of its session`).toBeGreaterThan(0)
    expect(messages.join('\n'), name).toMatch(fails)
    expect(messages.join('\n'), name).not.toMatch(/Timeout|waiting for/)
  }
  const passing = await run({ TELLTALE_VARIATIONS: harmless.join() })
  expect(Object.fromEntries(passing)).toEqual(Object.fromEntries(repeated.map(({ name }) => [name, []])))
})

/** Returns the test once the failure and the recording have arrived. */
async function record(browser: Browser, { path = '', walk, fails, last }: Visit): Promise<string> {
  const context = await browser.newContext({ baseURL: demo.url, viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  const begun = page.waitForRequest((request) => request.url().includes('/intake/v1/replay'))
  await page.goto(`/demo${path}`)
  await begun
  await walk(page)
  const session = await page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => key.endsWith(':session'))
    const [, { id }] = JSON.parse(localStorage.getItem(name ?? '') ?? '[0, {}]')
    return String(id)
  })
  const write = async () => (await demo.ask('GET', `${environment}/sessions/${session}/test`)).text()
  await expect.poll(write).toMatch(fails)
  // What comes last is sent when the page is left.
  await page.goto('about:blank')
  let written = ''
  const isComplete = async () => {
    const before = written
    written = await write()
    return last.test(written) && written === before
  }
  await expect.poll(isComplete, { intervals: [1_000] }).toBe(true)
  await context.close()
  return written
}

const config = () =>
  `export default ${JSON.stringify({
    testDir: folder,
    outputDir: join(folder, 'results'),
    workers: 2,
    timeout: 60_000,
    use: { launchOptions: { executablePath: findChromium(), args: chromiumArguments } },
  })}`

/** The messages of what failed, by file. */
async function run(settings: Record<string, string>): Promise<Map<string, string[]>> {
  const cli = join(import.meta.dirname, '../../node_modules/@playwright/test/cli.js')
  const args = [cli, 'test', '--config', join(folder, 'playwright.config.ts'), '--reporter', 'json']
  const own = Object.entries(process.env).filter(([name]) => !/^(PLAYWRIGHT|TEST_|PW_)/.test(name))
  const env = { ...Object.fromEntries(own), ...settings }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 64 << 20 }).catch(
    (error: { stdout: string }) => error,
  )
  const report: Report = JSON.parse(stdout)
  return new Map(
    report.suites.map(({ file, specs }) => [
      file.replace('.spec.ts', ''),
      specs.flatMap(({ tests }) =>
        tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message))),
      ),
    ]),
  )
}

interface Report {
  suites: {
    file: string
    specs: { tests: { results: { errors: { message: string }[] }[] }[] }[]
  }[]
}
