// Pictures of canvases that the page has marked, in the recording and in the player.

import { expect, type Page, test } from '@playwright/test'
import type { Site } from './flag-server.ts'
import { startRecorderSite, startRecording } from './recorder.ts'
import { openReplay, playerFiles, showMoment } from './replayed-page.ts'

const size = { width: 400, height: 300 }
const canvas = (id: string, marks: string) => `<canvas id="${id}" width="200" height="100" ${marks}></canvas>`
const page = `<!doctype html><html><head><style>body { margin: 0 } canvas { display: block }</style></head><body>
${canvas('shown', 'data-telltale-canvas')}
<div data-telltale-mask>${canvas('masked', 'data-telltale-canvas')}</div>
${canvas('plain', '')}
<script>
  window.draw = (id, colour) => {
    const drawing = document.getElementById(id).getContext('2d')
    drawing.fillStyle = colour
    drawing.fillRect(0, 0, 200, 100)
  }
  window.drawScene = (id, red) => requestAnimationFrame(() => {
    const scene = document.getElementById(id).getContext('webgl')
    scene.clearColor(red, 0, 1, 1)
    scene.clear(scene.COLOR_BUFFER_BIT)
    window.drawScene(id, red)
  })
  for (const id of ['shown', 'masked', 'plain']) draw(id, 'red')
</script></body></html>`
const scene = page.replace(
  "for (const id of ['shown', 'masked', 'plain']) draw(id, 'red')",
  "drawScene('shown', 0)",
)

let site: Site
test.beforeAll(async () => {
  site = await startRecorderSite({ '/canvas': page, '/scene': scene, ...(await playerFiles()) })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})

const draw = (target: Page, id: string, colour: string) =>
  target.evaluate(([id, colour]) => Reflect.get(globalThis, 'draw')(id, colour), [id, colour] as const)
const now = (target: Page) => target.evaluate(() => Date.now())

const loadsPictures = (target: Page) =>
  target.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/canvas.js')),
  )

/** As the player shows it. */
async function colourAt(replay: Page, x: number, y: number): Promise<number[]> {
  const picture = (await replay.screenshot({ clip: { x, y, width: 1, height: 1 } })).toString('base64')
  return replay.evaluate(async (picture) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob())
    const drawing = new OffscreenCanvas(1, 1).getContext('2d')
    drawing?.drawImage(image, 0, 0)
    return [...(drawing?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
  }, picture)
}

const near = (colour: readonly number[]) => colour.map((part) => (part > 200 ? 255 : part < 55 ? 0 : part))

test('a marked canvas is shown as it changes; others are boxes', async ({ page }) => {
  await page.setViewportSize(size)
  await page.goto(`${site.url}/canvas`)
  const recording = await startRecording(page, { level: 'allow' })
  const pictures = async () => (await recording.operations()).filter((operation) => operation.do === 'canvas')
  const flushed = async (count: number) => {
    await recording.flush()
    return (await pictures()).length >= count
  }
  await expect.poll(() => flushed(1)).toBe(true)
  const red = await now(page)
  await draw(page, 'shown', 'lime')
  await expect.poll(() => flushed(2)).toBe(true)
  const lime = await now(page)
  const ids = new Set((await pictures()).map((operation) => 'id' in operation && operation.id))
  expect(ids.size).toBe(1)
  expect(await loadsPictures(page)).toBe(true)
  const replay = await page.context().newPage()
  await replay.setViewportSize(size)
  await openReplay(replay, `${site.url}/host`, await recording.sent())
  await showMoment(replay, red)
  await expect.poll(async () => near(await colourAt(replay, 100, 50))).toEqual([255, 0, 0])
  await showMoment(replay, lime)
  await expect.poll(async () => near(await colourAt(replay, 100, 50))).toEqual([0, 255, 0])
  for (const y of [150, 250]) expect(near(await colourAt(replay, 100, y))).not.toEqual([255, 0, 0])
})

test('where all text is masked, no canvas is shown', async ({ page }) => {
  await page.goto(`${site.url}/canvas`)
  const recording = await startRecording(page, { level: 'mask-all' })
  const hasPage = async () => {
    await recording.flush()
    return (await recording.operations()).some((operation) => operation.do === 'page')
  }
  await expect.poll(hasPage).toBe(true)
  // The page has been written, and what takes pictures was not even loaded.
  expect(await loadsPictures(page)).toBe(false)
})

test('a scene that is drawn anew in each frame is recorded once while it is the same', async ({ page }) => {
  await page.setViewportSize(size)
  await page.goto(`${site.url}/scene`)
  await page.evaluate(() => {
    const take = createImageBitmap
    Object.assign(globalThis, { taken: 0 })
    Object.assign(globalThis, {
      createImageBitmap(...given: Parameters<typeof take>) {
        Object.assign(globalThis, { taken: Reflect.get(globalThis, 'taken') + 1 })
        return take(...given)
      },
    })
  })
  const recording = await startRecording(page, { level: 'allow' })
  await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'taken'))).toBeGreaterThan(3)
  await recording.flush()
  const pictures = (await recording.operations()).filter((operation) => operation.do === 'canvas')
  expect(pictures).toHaveLength(1)
  const replay = await page.context().newPage()
  await replay.setViewportSize(size)
  await openReplay(replay, `${site.url}/host`, await recording.sent())
  await showMoment(replay, await now(page))
  await expect.poll(async () => near(await colourAt(replay, 100, 50))).toEqual([0, 0, 255])
})
