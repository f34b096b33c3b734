// Pictures of canvases and images that the page has marked, in the recording and in the player.

import { expect, type Page, test } from '@playwright/test'
import { type Site, startSite } from './flag-server.ts'
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
// Of one pixel.
const red = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)
const lime = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC',
  'base64',
)

let site: Site
let other: Site
test.beforeAll(async () => {
  other = await startSite({ '/red.png': red })
  const images = `<!doctype html><html><head>
<style>body { margin: 0 } img { display: block; width: 200px; height: 50px }</style></head><body>
<img id="shown" src="/red.png" data-telltale-picture>
<div data-telltale-mask><img id="masked" src="/red.png" data-telltale-picture></div>
<div data-telltale-block><img id="blocked" src="/red.png" data-telltale-picture></div>
<img id="foreign" src="${other.url}/red.png" data-telltale-picture>
<img id="plain" src="/red.png"></body></html>`
  const files = { '/canvas': page, '/scene': scene, '/images': images, '/red.png': red, '/lime.png': lime }
  site = await startRecorderSite({ ...files, ...(await playerFiles()) })
})
test.afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
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

test('a marked image of the site is shown as it changes; masked, foreign and other ones are boxes', async ({
  page,
}) => {
  await page.setViewportSize(size)
  await page.goto(`${site.url}/images`)
  const recording = await startRecording(page, { level: 'allow' })
  const pictures = async () => (await recording.operations()).filter((operation) => operation.do === 'canvas')
  const flushed = async (count: number) => {
    await recording.flush()
    return (await pictures()).length >= count
  }
  const change = (id: string, name: string, value: string) =>
    page.evaluate(([id, name, value]) => document.getElementById(id)?.setAttribute(name, value), [
      id,
      name,
      value,
    ] as const)
  await expect.poll(() => flushed(1)).toBe(true)
  const first = await now(page)
  await change('shown', 'src', '/lime.png')
  await expect.poll(() => flushed(2)).toBe(true)
  const second = await now(page)
  // An image that did not change is taken once, and only the one that may be shown.
  expect(await pictures()).toHaveLength(2)
  expect(new Set((await pictures()).map((operation) => 'id' in operation && operation.id)).size).toBe(1)
  const replay = await page.context().newPage()
  await replay.setViewportSize(size)
  await openReplay(replay, `${site.url}/host`, await recording.sent())
  const requests: string[] = []
  replay.on('request', (request) => {
    if (request.url().includes('.png')) requests.push(request.url())
  })
  await showMoment(replay, first)
  await expect.poll(async () => near(await colourAt(replay, 100, 25))).toEqual([255, 0, 0])
  await showMoment(replay, second)
  await expect.poll(async () => near(await colourAt(replay, 100, 25))).toEqual([0, 255, 0])
  for (const y of [75, 125, 175, 225]) expect(near(await colourAt(replay, 100, y))).not.toEqual([255, 0, 0])
  expect(requests).toEqual([])
})

test('images of listed sites are shown without a mark, also those that get their file later', async ({
  page,
}) => {
  await page.goto(`${site.url}/images`)
  const recording = await startRecording(page, { level: 'allow', pictures: [site.url] })
  const pictures = async () => {
    await recording.flush()
    const operations = (await recording.operations()).filter((operation) => operation.do === 'canvas')
    return new Set(operations.map((operation) => 'id' in operation && operation.id)).size
  }
  // The marked one and the plain one, not those that are masked, blocked or of another site.
  await expect.poll(pictures).toBe(2)
  await page.evaluate(() =>
    document.getElementById('plain')?.insertAdjacentHTML('afterend', '<img id="late">'),
  )
  await recording.flush()
  await page.evaluate(() => document.getElementById('late')?.setAttribute('src', '/lime.png'))
  await expect.poll(pictures).toBe(3)
  expect(await recording.faults()).toEqual([])
})

test('an image that is blocked later is not taken again', async ({ page }) => {
  await page.goto(`${site.url}/images`)
  const recording = await startRecording(page, { level: 'allow', rules: { block: ['.secret'] } })
  const pictures = async () => {
    await recording.flush()
    return (await recording.operations()).filter((operation) => operation.do === 'canvas').length
  }
  await expect.poll(pictures).toBe(1)
  await page.evaluate(() => {
    const [shown, plain] = ['shown', 'plain'].map((id) => document.getElementById(id) as HTMLImageElement)
    shown?.setAttribute('class', 'secret')
    shown?.setAttribute('src', '/lime.png')
    // Taken after the other one would have been.
    plain?.insertAdjacentHTML('afterend', '<img src="/lime.png" data-telltale-picture>')
  })
  await expect.poll(pictures).toBe(2)
})
