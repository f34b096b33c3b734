// What a page shows and does, recorded and profiled by the built library, and what the built server has of it in the end.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import type { ReplyOf } from '@telltale/core/contract/call'
import type { getFlameGraph } from '@telltale/core/contract/profiles'
import type { getReplay } from '@telltale/core/contract/replays'
import { clientKey, type FlagServer, fontFile, type Site, startFlagServer, startSite } from './flag-server.ts'

type Replay = ReplyOf<typeof getReplay>
type Graph = ReplyOf<typeof getFlameGraph>

interface Recorded {
  do?: string
  state?: { value?: string }
  note?: { kind: string }
  segment?: { index: number; broken: boolean }
}

const environment = '/api/v1/projects/shop/environments/production'
const sheet = Array.from({ length: 200 }, (_, index) => `.card-${index} { color: rgb(${index}, 0, 0) }`).join(
  '\n',
)
/** None of it may leave the page. */
const secrets = [
  'Ada Lovelace',
  'correct horse',
  'hidden in a shadow',
  'inside the frame',
  'said in a dialog',
  'lovelace@',
]

const shop = (options: string) => `<!doctype html><html><head><title>Ada Lovelace at the shop</title>
<style>${sheet}</style>
<script>document.write('<script src="' + location.hash.slice(1) + '/sdk/v1/telltale.js"></' + 'script>')</script>
<script>window.app = telltale.init({ key: '${clientKey}', ${options} })</script>
</head><body>
<h1 title="Ada Lovelace">Hello Ada Lovelace</h1>
<label>Mail <input id="mail" type="email" placeholder="Ada Lovelace"></label>
<div id="host" data-user="Ada Lovelace"></div>
<iframe srcdoc="<p>inside the frame</p>"></iframe>
<canvas id="canvas" width="40" height="30"></canvas>
<img alt="Ada Lovelace" width="30" height="20" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<dialog id="dialog">said in a dialog</dialog>
<button id="add">Add Ada Lovelace</button><button id="fail">Fail</button>
<script>
  host.attachShadow({ mode: 'open' }).append('hidden in a shadow')
  add.onclick = () => {
    const item = document.createElement('p')
    item.className = 'added'
    item.textContent = 'Ada Lovelace once more'
    document.body.append(item)
    host.shadowRoot.firstChild.data = 'Ada Lovelace, hidden in a shadow'
    document.styleSheets[0].insertRule('.added { margin: 1px }')
    dialog.showModal()
    dialog.close()
    canvas.getContext('2d').fillText('Ada Lovelace', 0, 10)
    history.pushState({}, '', '/cart' + location.hash)
  }
  fail.onclick = () => { throw new TypeError('no such thing') }
  function burnTime() {
    const until = performance.now() + 400
    while (performance.now() < until);
  }
</script></body></html>`

/** Its frame of another origin reports what it shows. */
const shopWithFrame = (frames: string) =>
  shop(`replayFrames: ['${frames}']`).replace(
    '</body>',
    `<script>document.write('<iframe src="${frames}/framed' + location.hash + '"></iframe>')</script></body>`,
  )
const framed = `<!doctype html><html><head>
<script>document.write('<script src="' + location.hash.slice(1) + '/sdk/v1/telltale.js"></' + 'script>')</script>
<script>telltale.init({ key: '${clientKey}', replayParents: [location.ancestorOrigins[0]] })</script>
</head><body>Ada Lovelace pays</body></html>`

/** Its font, and a style sheet of another site that allows nobody to read it. */
const plainShop = (foreign: string) =>
  shop('').replace(
    '</head>',
    `<style>@font-face { font-family: Shop; src: url(/shop.woff2) } h1 { font-family: Shop }</style>
<link rel="stylesheet" href="${foreign}/closed.css"></head>`,
  )

let server: FlagServer
let site: Site
/** Without the header that lets its pages be profiled. */
let plainSite: Site
let frameSite: Site

test.beforeAll(async () => {
  const sampling = { session: 100, replay: 100, profile: 100 }
  server = await startFlagServer({
    telemetry: true,
    ownEngines: true,
    environment: { sampling, privacyLevel: 'mask-all' },
  })
  frameSite = await startSite({ '/framed': framed })
  const files = {
    '/': shop(''),
    '/with-frame': shopWithFrame(frameSite.url),
    '/unsampled': shop('replaySampling: 0, profileSampling: 0'),
    '/look-back': shop(`replaySampling: 0, profileSampling: 0, replayOn: ['error']`),
    '/closed.css': 'h1 { color: rgb(1, 2, 3) }',
  }
  site = await startSite(files, { 'document-policy': 'js-profiling' })
  plainSite = await startSite({ '/': plainShop(site.url), '/shop.woff2': await fontFile() })
  // The store opens while the server already takes what comes.
  const isOpen = () =>
    server.get(`${environment}/events`).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, { timeout: 40_000 }).toBe(true)
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await plainSite?.[Symbol.asyncDispose]()
  await frameSite?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const open = (page: Page, path: string) => page.goto(`${site.url}${path}#${server.url}`)
const sessionOf = async (page: Page): Promise<string> => {
  await expect.poll(() => page.evaluate(() => app.sessionId())).toBeTruthy()
  return page.evaluate(() => app.sessionId() ?? '')
}
const replayOf = (session: string): Promise<Replay | undefined> =>
  server.get(`${environment}/sessions/${session}/replay`).then(
    (replay) => replay as Replay,
    () => undefined,
  )
const readAll = async ({ session, tabs }: Replay): Promise<Recorded[]> => {
  const [tab] = tabs
  const text = await server.read(`${environment}/sessions/${session}/replay/segments?tab=${tab?.id}&from=0`)
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
/** Where one of them is: in a file of the server, as it lies there, or in what it has of the session, unpacked. */
const searchFor = async (words: readonly string[], { session, tabs }: Replay): Promise<string[]> => {
  const [entries, stored] = await Promise.all([
    readdir(server.dataFolder, { recursive: true, withFileTypes: true }),
    server.read(`${environment}/sessions/${session}/events?limit=200`),
  ])
  const found = words.filter((word) => stored.includes(word)).map((word) => `${word} in its events`)
  const hashes = new Set(tabs.flatMap(({ segments }) => segments.flatMap(({ assets }) => assets)))
  for (const hash of hashes) {
    const asset = await server.read(`${environment}/replay-assets/${hash}`).catch(() => '')
    found.push(...words.filter((word) => asset.includes(word)).map((word) => `${word} in ${hash}`))
  }
  for (const entry of entries.filter((each) => each.isFile())) {
    // One that is merged away meanwhile lies in another.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    found.push(...words.filter((word) => bytes.includes(word)).map((word) => `${word} in ${entry.name}`))
  }
  return found
}
const requestsOf = (page: Page): string[] => {
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  return paths
}

test('a session is recorded as it went, without a word of what stood in it, and profiled', async ({
  page,
}) => {
  const requests = requestsOf(page)
  const recorded = page.waitForResponse((answer) => answer.url().includes('/intake/v1/replay'))
  await open(page, '/')
  const session = await sessionOf(page)
  await expect.poll(() => requests.some((path) => path.includes('telltale-recorder'))).toBe(true)
  expect((await recorded).status()).toBe(202)
  await page.fill('#mail', 'lovelace@example.com correct horse')
  await page.evaluate(() => Reflect.get(globalThis, 'burnTime')())
  // With the next view the profile of this one is complete.
  await page.click('#add')
  await page.waitForResponse((answer) => answer.url().includes('/intake/v1/replay'))
  await page.goto('about:blank')

  const kindsOf = async () => {
    const stored = await replayOf(session)
    return (stored ? await readAll(stored) : []).map(({ do: kind }) => kind)
  }
  // Changes of the page, clicks, typing, and rules of style sheets.
  for (const kind of ['insert', 'press', 'state', 'insert-rule'])
    await expect.poll(kindsOf, { timeout: 30_000 }).toContain(kind)
  const replay = await replayOf(session)
  if (!replay) throw new Error('it was there a moment ago')
  expect(replay.tabs).toHaveLength(1)
  expect(replay.tabs[0]?.gaps).toEqual([])
  expect(replay.tabs[0]?.segments[0]).toMatchObject({ index: 0, full: true })

  const events = await readAll(replay)
  expect(events.filter(({ segment }) => segment?.broken)).toEqual([])
  const text = JSON.stringify(events)
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(events.find(({ state }) => state?.value)?.state?.value).toMatch(/^[x ]+$/)
  const whole = JSON.stringify(events.find(({ do: kind }) => kind === 'page'))
  expect(whole).toContain('"shadow":{')
  // Of the page, and of the frame in it.
  expect(whole.split('"document":{')).toHaveLength(3)
  expect(whole).toContain('"box":{"width":40')
  const [, hash = ''] = /\/\*telltale:([0-9a-f-]{36})\*\//.exec(whole) ?? []
  expect(replay.tabs[0]?.segments[0]?.assets).toContain(hash)
  const styles = () => server.read(`${environment}/replay-assets/${hash}`).catch(() => '')
  await expect.poll(styles, { timeout: 30_000 }).toContain('.card-0')
  // The words of a style sheet are found, those of the page are not.
  const found = await searchFor([...secrets, '.card-0 '], replay)
  expect(found).toContain(`.card-0  in ${hash}`)
  expect(found.filter((each) => !each.startsWith('.card-0 '))).toEqual([])
  expect(text).toContain('"class":"added"')
  expect(events.find(({ note }) => note?.kind === 'recording')?.note).toMatchObject({
    level: 'mask-all',
    reason: 'sampled',
  })
  const sessions = (await server.get(`${environment}/sessions?filter=replay:true`)) as {
    items: { id: string }[]
  }
  expect(sessions.items.map(({ id }) => id)).toContain(session)

  const graph = async () =>
    (await server.get(`${environment}/profiles/flame-graph?filter=session:${session}`)) as Graph
  // Of the page's own functions; what the test and a busy machine do besides stands beside them.
  const hottest = async () => {
    const { nodes, frames } = await graph()
    const own = nodes.flatMap(({ frame, totalMs }) => {
      const { file = '', function: name = '' } = frames[frame] ?? {}
      return file.startsWith(site.url) && name !== '' ? [{ name, totalMs }] : []
    })
    return own.sort((one, other) => other.totalMs - one.totalMs)[0]
  }
  await expect.poll(async () => (await hottest())?.name, { timeout: 30_000 }).toBe('burnTime')
  expect((await hottest())?.totalMs).toBeGreaterThan(200)
})

test('a frame of another origin is part of the replay of its page, and is not recorded alone', async ({
  page,
}) => {
  const requests = requestsOf(page)
  await open(page, '/with-frame')
  const session = await sessionOf(page)
  const frames = async () => {
    const stored = await replayOf(session)
    return (stored ? await readAll(stored) : []).filter(({ do: kind }) => kind === 'document')
  }
  await expect.poll(frames, { timeout: 40_000 }).not.toEqual([])
  expect(JSON.stringify(await frames())).toContain('xxx xxxxxxxx xxxx')
  expect(requests.filter((path) => path.includes('telltale-recorder'))).toHaveLength(1)
})

test('a session in neither sample loads neither recorder nor profiler', async ({ page }) => {
  const requests = requestsOf(page)
  await open(page, '/unsampled')
  await sessionOf(page)
  await page.waitForLoadState('load')
  await expect
    .poll(() => requests.some((path) => path === '/intake/v1/events'), { timeout: 30_000 })
    .toBe(true)
  expect(
    requests.filter((path) => /recorder|profiler|intake\/v1\/(replay|profile|asset)/.test(path)),
  ).toEqual([])
})

test('the last minute of a session outside the sample is sent when something fails, not before', async ({
  page,
}) => {
  const requests = requestsOf(page)
  await open(page, '/look-back')
  const session = await sessionOf(page)
  await expect.poll(() => requests.some((path) => path.includes('telltale-recorder'))).toBe(true)
  await page.fill('#mail', 'before it fails')
  expect(requests.filter((path) => /intake\/v1\/(replay|asset)/.test(path))).toEqual([])
  const fail = async () => {
    await page.click('#fail')
    return requests.includes('/intake/v1/replay')
  }
  // The recorder runs a moment after it was asked for.
  await expect.poll(fail).toBe(true)
  await page.goto('about:blank')
  await expect
    .poll(async () => (await replayOf(session))?.tabs[0]?.segments[0]?.full, { timeout: 30_000 })
    .toBe(true)
})

test('what recorder and profiler do is neither an error in the console of the page nor a request of it', async ({
  page,
}) => {
  const texts: string[] = []
  page.on('console', (message) => texts.push(message.text()))
  const fetched: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') fetched.push(`${request.method()} ${request.url()}`)
  })
  await page.goto(`${plainSite.url}/#${server.url}`)
  const session = await sessionOf(page)
  // They asked for what they need: the font, and whether profiles are allowed.
  await expect
    .poll(() => fetched.filter((each) => each.includes(plainSite.url)).sort(), { timeout: 30_000 })
    .toEqual([`GET ${plainSite.url}/shop.woff2`, `HEAD ${plainSite.url}/`])
  const isFontSent = (address: string) => address.includes('/intake/v1/asset')
  await expect.poll(() => fetched.some(isFontSent), { timeout: 30_000 }).toBe(true)
  // A request of the page after them: what was told before is stored when this one is.
  await page.evaluate(() => fetch('/asked').then((answer) => answer.text()))
  await page.goto('about:blank')

  const requests = async () => {
    const query = new URLSearchParams({ kind: 'resource', session, limit: '200' })
    const { items } = (await server.get(`${environment}/events?${query}`)) as { items: { target: string }[] }
    // Chromium without windows does not ask for icons.
    return items
      .map(({ target }) => target)
      .filter((target) => !target.endsWith('/favicon.ico'))
      .sort()
  }
  const own = ['/', '/asked', '/shop.woff2'].map((path) => plainSite.url + path)
  await expect.poll(requests, { timeout: 30_000 }).toEqual([...own, `${site.url}/closed.css`].sort())
  // What the page asked for and is not there is its own fault.
  expect(texts.filter((text) => !text.includes('404'))).toEqual([])
})
