// The screenshots of the README and the guides, in docs/pictures: screens of the demo in light and dark mode. `npm
// run build`, then `npm run pictures`. They are small, because they are part of the repository and served by the
// server.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../../test/browser/chromium.ts'

const root = join(import.meta.dirname, '../..')
const target = join(root, 'docs/pictures')
const owner = { email: 'ada@example.com', name: 'Ada', password: 'seven calm geese walk home' }
const shop = '/p/storefront'
/** For loading a screen, including the demo's history before it. */
const patience = 240_000

const pictures: { name: string; open: (page: Page) => Promise<unknown> }[] = [
  { name: 'overview', open: (page) => page.goto(`${shop}?env=production&t=7d`) },
  { name: 'targeting', open: (page) => page.goto(`${shop}/flags/promo-banner/targeting?env=production`) },
  {
    name: 'rollout',
    open: async (page) => {
      await page.goto(`${shop}/rollouts?env=production`)
      await page
        .locator('main')
        .getByRole('link', { name: /rolled back/i })
        .first()
        .or(page.locator('main table a').first())
        .first()
        .click()
    },
  },
]

const folder = await mkdtemp(join(tmpdir(), 'telltale-pictures-'))
await writeFile(join(folder, 'setup.json'), JSON.stringify({ owner }))
const server = spawn(
  process.execPath,
  [
    join(root, 'packages/server/dist/main.js'),
    ...[
      '--port',
      '0',
      '--data',
      join(folder, 'data'),
      '--setup',
      join(folder, 'setup.json'),
      '--demo',
      '--log-level',
      'warn',
    ],
  ],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TELLTALE_HOST: '127.0.0.1',
      TELLTALE_OWN_PROJECT: 'off',
      TELLTALE_DEMO_VISITORS: 'off',
    },
  },
)
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
try {
  await mkdir(target, { recursive: true })
  const baseURL = await readAddress()
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1200, height: 750 }, baseURL })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    const answer = await page.request.post('/api/v1/sign-in', {
      data: { email: owner.email, password: owner.password },
      headers: { origin: baseURL },
    })
    if (!answer.ok()) throw new Error(`cannot sign in: ${answer.status()}`)
    await waitForHistory(page)
    for (const { name, open } of pictures) {
      await open(page)
      await page.locator('main').waitFor()
      await page.getByLabel('Loading').first().waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle', { timeout: 20_000 }).catch(() => undefined)
      await page.getByLabel('Loading').first().waitFor({ state: 'detached' })
      await page.screenshot({ path: join(target, `${name}-${colorScheme}.png`), animations: 'disabled' })
    }
    await context.close()
  }
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
}

/** The history is loaded last, day by day. */
async function waitForHistory(page: Page): Promise<void> {
  let before = -1
  for (const until = Date.now() + patience; Date.now() < until; ) {
    const text = await (await page.request.get('/metrics')).text()
    const accepted = Number(
      /^telltale_intake_events_total\{outcome="accepted"\} (\d+)$/m.exec(text)?.[1] ?? 0,
    )
    if (accepted > 0 && accepted === before) return
    before = accepted
    await page.waitForTimeout(5_000)
  }
}

async function readAddress(): Promise<string> {
  let said = ''
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk)
    const found = /Telltale listens at (\S+)\n/.exec(said)?.[1]
    if (found === undefined) continue
    server.stdout.resume()
    return found
  }
  throw new Error(`the server did not start: ${said}`)
}
