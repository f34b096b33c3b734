// Records visits to the demo shop in a real browser with the real SDK, for the demo's sessions with a replay: `npm
// run record:demo` rewrites demo/recordings, `-- <name>` only one of them. The shop has to be built.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { type DemoServer, startDemoServer } from '../test/browser/demo-server.ts'
import { listenIn } from './record-demo/listen-in.ts'
import { type BuiltScript, toRecording } from './record-demo/to-recording.ts'
import { type RecordedVisit, visits } from './record-demo/visits.ts'

const folder = join(import.meta.dirname, '../demo/recordings')
const shopFolder = join(import.meta.dirname, '../demo/dist/shop/assets')
const sizes = { desktop: { width: 1_280, height: 800 }, mobile: { width: 390, height: 844 } }

const wanted = process.argv[2] ?? ''
const demo = await startDemoServer({ telemetry: true, visits: 1 })
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
try {
  const environment = '/api/v1/projects/storefront/environments/production'
  await demo.ask('PATCH', environment, {
    privacyLevel: 'mask-inputs',
    sampling: { session: 100, replay: 100, profile: 0 },
  })
  await mkdir(folder, { recursive: true })
  const scripts = await readScripts()
  for (const visit of visits.filter(({ name }) => name.includes(wanted))) {
    const recording = await record(visit, { demo, browser, scripts })
    const packed = gzipSync(JSON.stringify(recording), { level: 9 })
    await writeFile(join(folder, `${visit.name}.json.gz`), packed)
    const { events, segments } = recording
    process.stdout.write(
      `${visit.name}: ${events.length} events, ${segments.length} segments, ${packed.length} bytes\n`,
    )
  }
} finally {
  await browser.close()
  await demo[Symbol.asyncDispose]()
}

interface Parts {
  demo: DemoServer
  browser: Browser
  scripts: readonly BuiltScript[]
}

async function record(visit: RecordedVisit, { demo, browser, scripts }: Parts) {
  for (const [flag, variation] of Object.entries(visit.flags)) await demo.serve(flag, variation)
  await using shop = await listenIn(demo.url)
  const context = await browser.newContext({
    viewport: sizes[visit.device],
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...(visit.device === 'mobile' && { isMobile: true }),
  })
  const page = await context.newPage()
  const home = `${shop.url}/demo`
  const begun = page.waitForRequest((request) => request.url().includes('/intake/v1/replay'))
  await page.goto(home)
  await page.locator('ul.products > li > a').first().waitFor()
  await begun
  await visit.walk(page, { context, shop, home })
  await page.goto('about:blank')
  await shop.untilQuiet()
  await context.close()
  return toRecording(shop.sent, { ...visit, shop: home, scripts })
}

async function readScripts(): Promise<BuiltScript[]> {
  const files = (await readdir(shopFolder)).filter((file) => file.endsWith('.js.map'))
  const main = (file: string) => Number(!file.startsWith('index'))
  return Promise.all(
    files
      .sort((a, b) => main(a) - main(b))
      .map(async (file) => ({
        file: `assets/${file.replace(/\.map$/, '')}`,
        map: await readFile(join(shopFolder, file), 'utf8'),
      })),
  )
}
