// Measures the time from a click in the console's navigation until the next screen is rendered, with data or a
// skeleton, and the cost of a scroll step in the list of flags; on a project with 5,000 flags. `npm run
// bench:console`; `-- --write` into bench/results.md.

import { type CDPSession, chromium, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { project, signIn, startConsole } from '../test/browser/console.ts'
import { enlarge, large } from '../test/browser/large-installation.ts'
import { writeSection } from './results.ts'

const rounds = 12
const pageSize = 200
const stepHeight = 2_000
const screens = ['Overview', 'Flags', 'Segments', 'Identities', 'Settings']

const server = await startConsole()
await enlarge(server.dataFolder, project.key)
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await signIn(page, server)
await page.goto(`${server.url}/p/${project.key}/settings/general`)
await page.getByRole('heading', { level: 1 }).waitFor()

const spans = new Map<string, number[]>(screens.map((screen) => [screen, []]))
// The first round loads the code of the screens.
for (let round = 0; round <= rounds; round++) {
  for (const screen of screens) {
    const span = await visit(page, screen)
    if (round > 0) spans.get(screen)?.push(span)
    await page.waitForLoadState('networkidle')
  }
}
const scrolling = await measureScrolling(page, server.url)
await browser.close()
await server[Symbol.asyncDispose]()

const lines = ['| from the click to | median | slowest of 12 |', '|---|--:|--:|']
for (const [screen, found] of spans) {
  lines.push(`| ${screen} | ${inMs(median(found))} | ${inMs(Math.max(...found))} |`)
}
const text = [...lines, '', ...scrolling].join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('Navigation in the console', text)

/** Milliseconds from the click to the frame that renders the screen's heading and content. */
async function visit(page: Page, screen: string): Promise<number> {
  const link = page.getByRole('navigation').first().getByRole('link', { name: screen, exact: true })
  // No named function inside: the loader would wrap it in a helper that does not exist in the page.
  return link.evaluate(
    async (element: HTMLElement, former) => {
      const begun = performance.now()
      element.click()
      while (document.title === former || !document.querySelector('main#content')?.hasChildNodes()) {
        await new Promise(requestAnimationFrame)
      }
      return performance.now() - begun
    },
    await page.title(),
  )
}

/** With one page of flags, and with all of them. */
async function measureScrolling(page: Page, url: string): Promise<string[]> {
  const thread = await page.context().newCDPSession(page)
  await thread.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(`${url}/p/${project.key}/flags`)
  const note = (loaded: number) =>
    page.getByText(
      loaded === large.flags ? /^5,000 flags$/ : `the first ${loaded.toLocaleString('en-GB')} flags`,
    )
  await note(pageSize).waitFor()

  const lines = ['| flags loaded | rows drawn | a step of 2 000 px | of it computed |', '|--:|--:|--:|--:|']
  lines.push(await measureSteps(page, thread, pageSize))
  for (let loaded = pageSize; loaded < large.flags; loaded += pageSize) {
    await page.getByRole('button', { name: 'Show more' }).click()
    await note(loaded + pageSize).waitFor()
  }
  lines.push(await measureSteps(page, thread, large.flags))
  return lines
}

/** Three steps down and up again, `rounds` times. */
async function measureSteps(page: Page, thread: CDPSession, loaded: number): Promise<string> {
  const elapsed: number[] = []
  const computed: number[] = []
  for (let step = 0; step < rounds * 6; step++) {
    const before = await computedBy(thread)
    elapsed.push(
      await page.evaluate(
        async (to) => {
          const begun = performance.now()
          scrollTo(0, to)
          // Rendered in the first frame, displayed before the second.
          await new Promise(requestAnimationFrame)
          await new Promise(requestAnimationFrame)
          return performance.now() - begun
        },
        stepHeight * (3 - Math.abs(3 - ((step % 6) + 1))),
      ),
    )
    computed.push((await computedBy(thread)) - before)
  }
  const drawn = await page.getByRole('row').count()
  return `| ${loaded} | ${drawn} | ${inMs(median(elapsed))} | ${inMs(median(computed))} |`
}

/** Processor time of the page's main thread so far, in milliseconds; excludes other processes. */
async function computedBy(thread: CDPSession): Promise<number> {
  const { metrics } = await thread.send('Performance.getMetrics')
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[values.length >> 1]
}

function inMs(value = Number.NaN): string {
  return `${value.toFixed(0)} ms`
}
