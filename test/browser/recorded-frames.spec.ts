// Frames of other origins whose pages report what they show: in the recording of the page, and in the player.

import { expect, type Frame, type Page, test } from '@playwright/test'
import type { Site } from './flag-server.ts'
import { type RecordedPage, startRecorderSite, startRecording } from './recorder.ts'
import { openReplay, playerFiles, showMoment } from './replayed-page.ts'

const size = { width: 500, height: 400 }

/** A page that reports to the one that shows it, and takes in reports of `frames`. */
const reporting = (body: string, options = '') => `<!doctype html><html><head><style>
  body { margin: 0; background: rgb(0, 128, 0) } p { margin: 0; color: rgb(255, 255, 255) }
</style></head><body>${body}<script type="module">
  import { startReporting } from '/framed.js'
  window.faults = []
  let frames
  const page = startReporting({
    server: { url: location.origin, key: 'key', fetch: (...given) => fetch(...given), fetched: new Set() },
    parentOrigin: location.ancestorOrigins[0],
    context: { session: '1' },
    level: 'allow',
    report: (fault) => void faults.push(String(fault)),
    ${options}
  })
</script></body></html>`

let bank: Site
let pay: Site
let shop: Site
test.beforeAll(async () => {
  bank = await startRecorderSite({ '/bank': reporting('<p>your bank</p>') })
  pay = await startRecorderSite({
    '/confirm': reporting(
      `<p>confirm at</p><iframe src="${bank.url}/bank" width="200" height="40"></iframe>`,
      `onFrame: async (...given) => {
        frames ??= import('/frames.js').then(({ startFrames }) =>
          startFrames({ ...page, origins: ['${bank.url}'], level: 'allow', report: console.error }))
        const { add } = await frames
        add(...given)
      },`,
    ),
    '/pay': reporting('<p id="sum">20 euros</p><input id="card" value="4242">'),
    '/stranger': reporting('<p>a stranger</p>', "parentOrigin: 'http://shop.example',"),
    '/broken': `<!doctype html><script>
      addEventListener('message', ({ data, ports: [port] }) => {
        if (data.telltale === 'replay-ready') parent.postMessage({ telltale: 'replay-frame' }, '*')
        if (data.telltale !== 'replay-record') return
        port.postMessage({ bytes: new Uint8Array([84, 84, 82, 1, 1, 1, 99]).buffer, full: true, assets: [{}] })
        port.postMessage('nonsense')
      })
    </script>`,
  })
  const frame = (path: string) =>
    `<iframe id="${path}" src="${pay.url}/${path}" width="300" height="60"></iframe>`
  const page = (body: string) => `<!doctype html><html><head><style>body { margin: 0 }</style></head><body>
<h1 id="title">Checkout</h1>${body}</body></html>`
  shop = await startRecorderSite({
    '/shop': page(frame('pay')),
    '/confirmed': page(frame('confirm')),
    '/masked': page(`<div data-telltale-mask>${frame('pay')}</div>`),
    '/blocked': page(`<div data-telltale-block>${frame('pay')}</div>`),
    '/strangers': page(`${frame('stranger')}${frame('broken')}`),
    ...(await playerFiles()),
  })
})
test.afterAll(async () => {
  for (const site of [shop, pay, bank]) await site?.[Symbol.asyncDispose]()
})

async function record(page: Page, path: string, frames = [pay.url]): Promise<RecordedPage> {
  await page.setViewportSize(size)
  await page.goto(`${shop.url}${path}`)
  return startRecording(page, { level: 'allow', frames })
}

function frameOf(page: Page): Frame {
  const frame = page.frames().find((each) => each.url() === `${pay.url}/pay`)
  if (!frame) throw new Error('the page has no frame')
  return frame
}

/** All that is shown in the end, text by text. */
async function play(page: Page, recording: RecordedPage): Promise<string[]> {
  await recording.flush()
  const sent = await recording.sent()
  const replay = await page.context().newPage()
  await replay.setViewportSize(size)
  await openReplay(replay, `${shop.url}/host`, sent)
  const { parts } = await showMoment(replay, Math.max(...sent.map(({ header }) => header?.endedAt ?? 0)))
  await replay.close()
  return parts.flatMap(({ what, value }) =>
    what === 'text' ? [value] : what.startsWith('input') ? [value] : [],
  )
}

const has = async (recording: RecordedPage, text: string) => {
  await recording.flush()
  return (await recording.operations()).some((operation) => JSON.stringify(operation).includes(text))
}

test('what a frame shows, and how it changes, is part of the replay of its page', async ({ page }) => {
  const recording = await record(page, '/shop')
  await expect.poll(() => has(recording, '20 euros')).toBe(true)
  await frameOf(page).evaluate(() => {
    const sum = document.getElementById('sum')
    if (sum) sum.textContent = '25 euros'
    document.body.append('with postage')
  })
  await frameOf(page).locator('#card').fill('4000')
  await expect.poll(() => has(recording, 'with postage')).toBe(true)
  await expect.poll(() => has(recording, '4000')).toBe(true)
  expect(await play(page, recording)).toEqual(['Checkout', '25 euros', '4000 false', 'with postage'])
  expect(await recording.faults()).toEqual([])
  expect(await frameOf(page).evaluate(() => Reflect.get(globalThis, 'faults'))).toEqual([])
})

test('a page that is written anew, or loads its frame anew, has the frame again', async ({ page }) => {
  const recording = await record(page, '/shop')
  await expect.poll(() => has(recording, '20 euros')).toBe(true)
  const count = async () =>
    (await recording.operations()).filter(({ do: kind }) => kind === 'document').length
  const before = await count()
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect.poll(count).toBeGreaterThan(before)
  await page.evaluate(() => {
    const frame = document.querySelector('iframe')
    frame?.remove()
    if (frame) document.body.prepend(frame, 'moved')
  })
  const again = await count()
  await expect.poll(count).toBeGreaterThan(again)
  expect(await play(page, recording)).toEqual(['20 euros', '4242 false', 'moved', 'Checkout'])
  expect(await recording.faults()).toEqual([])
})

test('a frame within a frame reports through it', async ({ page }) => {
  const recording = await record(page, '/confirmed')
  await expect.poll(() => has(recording, 'your bank')).toBe(true)
  expect(await play(page, recording)).toEqual(['Checkout', 'confirm at', 'your bank'])
  expect(await recording.faults()).toEqual([])
})

test('a frame that shows another page is a box again, until that page reports', async ({ page }) => {
  const recording = await record(page, '/shop')
  await expect.poll(() => has(recording, '20 euros')).toBe(true)
  const show = (path: string) =>
    page.evaluate((url) => document.querySelector('iframe')?.setAttribute('src', url), `${pay.url}${path}`)
  await show('/nothing')
  await expect.poll(() => play(page, recording)).toEqual(['Checkout'])
  await show('/pay')
  await expect.poll(() => play(page, recording)).toEqual(['Checkout', '20 euros', '4242 false'])
  expect(await recording.faults()).toEqual([])
})

test('a frame in a masked part is masked, and one in a blocked part is not recorded', async ({ page }) => {
  const masked = await record(page, '/masked')
  await expect.poll(() => has(masked, 'xx xxxxx')).toBe(true)
  expect(await has(masked, '20 euros')).toBe(false)
  expect(await has(masked, '4242')).toBe(false)
  const blocked = await record(page, '/blocked')
  await expect.poll(() => has(blocked, 'Checkout')).toBe(true)
  expect((await blocked.operations()).some(({ do: kind }) => kind === 'document')).toBe(false)
})

test('frames are boxes that their page does not name, that do not name their page, or that report nonsense', async ({
  page,
}) => {
  const unnamed = await record(page, '/shop', ['http://other.example'])
  await expect.poll(() => has(unnamed, 'Checkout')).toBe(true)
  expect(await play(page, unnamed)).toEqual(['Checkout'])
  const strangers = await record(page, '/strangers')
  // The frame that reports nonsense was asked, so that the other one was as well.
  await expect.poll(() => has(strangers, '"lost"')).toBe(true)
  expect(await play(page, strangers)).toEqual(['Checkout'])
  expect(await strangers.faults()).toEqual([])
})
