// Measures moving the crosshair over the overview's charts, with 30 days in steps of one hour: it has to fit into one
// frame. `npm run bench:charts`; `-- --write` into bench/results.md.

import { type CDPSession, chromium, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { project, signIn, startConsole } from '../test/browser/console.ts'
import { writeSection } from './results.ts'

const chartSteps = 720
const moves = 120

const server = await startConsole()
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await signIn(page, server)
const text = (await measurePointing(page, server.url)).join('\n')
await browser.close()
await server[Symbol.asyncDispose]()
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('Charts in the console', text)

/** Each move reaches another step, over charts with mocked data and no telemetry store. */
async function measurePointing(page: Page, url: string): Promise<string[]> {
  const base = `${url}/api/v1/projects/${project.key}/environments/**`
  const now = Date.now()
  const used = { kind: 'client', value: 'key', prefix: 'key', lastUsedAt: new Date(now).toISOString() }
  const key = { id: 'key', label: 'web', createdAt: used.lastUsedAt, revokedAt: null, managed: false }
  await page.route(`${base}/keys`, (route) => route.fulfill({ json: { items: [{ ...key, ...used }] } }))
  await page.route(`${base}/events?**`, (route) => route.fulfill({ json: { items: [{ kind: 'view' }] } }))
  await page.route(`${base}/overview?**`, (route) => route.fulfill({ json: inventOverview(now) }))
  await page.goto(`${url}/p/${project.key}?t=30d`)
  const chart = page.getByRole('img', { name: /^Interaction/ })
  await chart.waitFor()
  const box = await chart.boundingBox()
  if (!box) throw new Error('the chart is not drawn')
  const thread = await page.context().newCDPSession(page)
  await thread.send('Performance.enable', { timeDomain: 'threadTicks' })

  const computed: number[] = []
  for (let move = 0; move < moves; move++) {
    const before = await computedBy(thread)
    await page.mouse.move(box.x + 10 + ((move * 7) % (box.width - 80)), box.y + 40)
    await page.evaluate(() => new Promise(requestAnimationFrame))
    computed.push((await computedBy(thread)) - before)
  }
  if ((await page.locator('figure circle').count()) === 0) throw new Error('the crosshair did not come')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  return [
    '| 30 days in steps of an hour, five charts | median | slowest of 120 |',
    '|---|--:|--:|',
    `| the crosshair to another step, computed | ${tenths(median(computed))} | ${tenths(Math.max(...computed))} |`,
  ]
}

/** 720 steps of every chart. */
function inventOverview(now: number) {
  const names = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB']
  const wave = (index: number) => 1 + Math.sin(index / 12) / 3 + (index % 7) / 40
  const base = [2_300, 170, 0.06, 1_500, 300]
  const series = Array.from({ length: chartSteps }, (_, index) => ({
    at: new Date(now - (chartSteps - index) * 3_600_000).toISOString(),
    partial: index === chartSteps - 1,
    sessions: Math.round(300 * wave(index)),
    views: Math.round(900 * wave(index)),
    errors: Math.round(9 * wave(index)),
    vitals: names.map((name, vital) => ({ name, count: 200, p75: (base[vital] ?? 0) * wave(index) })),
  }))
  const sums = { sessions: 216_000, users: 100_000, views: 648_000, errors: 6_480 }
  const whole = {
    ...sums,
    errorsPerThousandViews: 10,
    sessionsWithError: 0.03,
    vitals: names.map((name, vital) => ({ name, count: 9_999, p75: base[vital], good: 0.8, poor: 0.05 })),
  }
  const period = (from: number, to: number) => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  })
  const length = chartSteps * 3_600_000
  return {
    ...period(now - length, now),
    step: '1h',
    timeZone: 'UTC',
    now: whole,
    series,
    before: { ...period(now - 2 * length, now - length), ...whole },
  }
}

function tenths(value = Number.NaN): string {
  return `${value.toFixed(1)} ms`
}

/** Processor time of the page's main thread so far, in milliseconds; excludes other processes. */
async function computedBy(thread: CDPSession): Promise<number> {
  const { metrics } = await thread.send('Performance.getMetrics')
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[values.length >> 1]
}
