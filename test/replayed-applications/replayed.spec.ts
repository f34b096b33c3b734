// Applications that others wrote are recorded while they are used, at the level `allow`, and the player's picture is
// compared with the page's, pixel by pixel, after each step.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Site } from '../browser/flag-server.ts'
import { startRecorderSite, startRecording } from '../browser/recorder.ts'
import { openReplay, playerFiles, showMoment } from '../browser/replayed-page.ts'
import { bundlePage } from './bundle-page.ts'
import { comparePictures } from './compare-pictures.ts'
import { installPackages } from './install.ts'

const applications = [
  'ag-grid',
  'codemirror',
  'echarts',
  'jquery-ui',
  'katex',
  'leaflet',
  'material',
  'quill',
  'reveal',
  'shoelace',
  'swagger-ui',
  'tabulator',
]
/** Of all pixels. */
const mostDiffering = 0.02
const size = { width: 1_000, height: 700 }
const pictures = process.env.TELLTALE_TEST_PICTURES

let site: Site
test.beforeAll(async () => {
  installPackages()
  const pages = await Promise.all(applications.map(bundlePage))
  site = await startRecorderSite(Object.assign(await playerFiles(), ...pages))
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})

for (const name of applications) {
  test(`${name} looks in the replay as it did`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.goto(`${site.url}/${name}`)
    const recording = await startRecording(page, { level: 'allow' })
    const steps: string[] = await page.evaluate(() => Object.keys(Reflect.get(globalThis, 'steps')))
    const moments = []
    for (const step of steps) {
      await page.evaluate((step) => Reflect.get(globalThis, 'steps')[step](), step)
      // Transitions end, and what is throttled is recorded.
      await page.waitForTimeout(800)
      const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      moments.push({ step, picture, at: await page.evaluate(() => Date.now()) })
      await page.waitForTimeout(60)
    }
    await recording.flush()
    const replay = await page.context().newPage()
    await replay.setViewportSize(size)
    await openReplay(replay, `${site.url}/host`, await recording.sent())
    await replay.addStyleTag({ content: 'iframe { pointer-events: none }' })
    const differing: Record<string, string> = {}
    let most = 0
    for (const { step, picture, at } of moments) {
      await showMoment(replay, at)
      const shown = await replay.screenshot({ animations: 'disabled', caret: 'hide' })
      const compared = await comparePictures(page, picture, shown)
      differing[step] = `${(compared.differing * 100).toFixed(2)} %`
      most = Math.max(most, compared.differing)
      if (pictures)
        await keep(`${name}, ${step}`, { page: picture, replay: shown, difference: compared.picture })
    }
    test.info().annotations.push({ type: 'differing', description: JSON.stringify(differing) })
    if (pictures) process.stdout.write(`${name}: ${JSON.stringify(differing)}\n`)
    expect(most, JSON.stringify(differing)).toBeLessThan(mostDiffering)
  })
}

/** To look at them: TELLTALE_TEST_PICTURES names the folder. */
async function keep(title: string, files: Record<string, Buffer>): Promise<void> {
  const folder = join(pictures ?? '', title)
  await mkdir(folder, { recursive: true })
  for (const [name, picture] of Object.entries(files)) await writeFile(join(folder, `${name}.png`), picture)
}
