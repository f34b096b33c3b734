// How long a click on the console's navigation takes until the next screen stands there, with data or with the shape of
// it; on a project with 5 000 flags. `npm run build && npm run bench:console`; `-- --write` into bench/results.md.

import { chromium, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { project, signIn, startConsole } from '../test/browser/console.ts'
import { enlarge } from '../test/browser/large-installation.ts'
import { writeSection } from './results.ts'

const rounds = 12
const screens = ['Overview', 'Flags', 'Segments', 'Identities', 'Settings']

const server = await startConsole()
await enlarge(server.dataFolder, project.key)
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await signIn(page, server)
await page.goto(`${server.url}/p/${project.key}/settings/general`)
await page.getByRole('heading', { level: 1 }).waitFor()

const spans = new Map<string, number[]>(screens.map((screen) => [screen, []]))
// The first round loads the programs of the screens.
for (let round = 0; round <= rounds; round++) {
  for (const screen of screens) {
    const span = await visit(page, screen)
    if (round > 0) spans.get(screen)?.push(span)
    await page.waitForLoadState('networkidle')
  }
}
await browser.close()
await server[Symbol.asyncDispose]()

const lines = ['| from the click to | median | slowest of 12 |', '|---|--:|--:|']
for (const [screen, found] of spans) {
  const sorted = found.sort((left, right) => left - right)
  lines.push(`| ${screen} | ${inMs(sorted[sorted.length >> 1])} | ${inMs(sorted.at(-1))} |`)
}
const text = lines.join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('Navigation in the console', text)

/** Milliseconds from the click to the frame in which the heading and the content of the screen are drawn. */
async function visit(page: Page, screen: string): Promise<number> {
  const link = page.getByRole('navigation').first().getByRole('link', { name: screen, exact: true })
  // No function inside: the loader would give it a name by a helper that the page does not have.
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

function inMs(value = Number.NaN): string {
  return `${value.toFixed(0)} ms`
}
