// A page whose time goes into one function, profiled by the built library and named by its source map; and two variations of
// which one burns more: the difference says where.

import { expect, type Page, test } from '@playwright/test'
import type { ReplyOf } from '@telltale/core/contract/call'
import type {
  getFlameGraph,
  getProfile,
  getProfileDifference,
  getProfiledCode,
  listProfiles,
} from '@telltale/core/contract/profiles'
import { build } from 'esbuild'
import { v7 as newId } from 'uuid'
import { profile, sendAttachment } from '../intake/attachments.ts'
import {
  clientKey,
  type FlagServer,
  type Site,
  shopOwner,
  startFlagServer,
  startSite,
} from './flag-server.ts'

type Graph = ReplyOf<typeof getFlameGraph>
type Difference = ReplyOf<typeof getProfileDifference>
type Listed = ReplyOf<typeof listProfiles>
type Profile = ReplyOf<typeof getProfile>
type Code = ReplyOf<typeof getProfiledCode>

const environment = '/api/v1/projects/shop/environments/production'
const profiles = `${environment}/profiles`
const patience = { timeout: 30_000 }
/** Of real visits, for each variation: each of them stands for some that are not driven through a browser. */
const driven = 3
const perSide = 33
/** Of the page, by variation, milliseconds. */
const workOf: Record<string, number> = { old: 150, new: 210 }

const source = `export function computeTotals(): number {
  const until = performance.now() + 120
  let sum = 0
  while (performance.now() < until) sum += Math.sqrt(sum + 2)
  return sum
}

export const drawGallery = (isNew: boolean): number => {
  const until = performance.now() + (isNew ? 90 : 30)
  let sum = 0
  while (performance.now() < until) sum += Math.cbrt(sum + 3)
  return sum
}

export const showGallery = (isNew: boolean): number => drawGallery(isNew) + 1

function renderPage(isNew: boolean): number {
  return computeTotals() + showGallery(isNew)
}

Object.assign(globalThis, { renderPage })
`

const shop = `<!doctype html><title>Shop</title>
<script>
  const Native = globalThis.Profiler
  globalThis.Profiler = class extends Native {
    constructor(options) { super(options); globalThis.windows = (globalThis.windows ?? 0) + 1 }
  }
  document.write('<script src="' + location.hash.slice(1) + '/sdk/v1/telltale.js"></' + 'script>')
</script>
<script>
  window.app = telltale.init({ key: '${clientKey}', version: '1.0', replaySampling: 0 })
</script>
<script src="/assets/shop.js"></script>`

let server: FlagServer
let site: Site
let map = ''

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  const { outputFiles } = await build({
    stdin: { contents: source, sourcefile: 'src/shop.ts', loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'warning',
    format: 'iife',
    sourcemap: 'external',
    outfile: '/assets/shop.js',
  })
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  map = textOf('.map')
  const sampling = { session: 100, replay: 0, profile: 100 }
  server = await startFlagServer({ telemetry: true, environment: { sampling } })
  site = await startSite(
    { '/': shop, '/assets/shop.js': textOf('.js') },
    { 'document-policy': 'js-profiling' },
  )
  await server.create('gallery', 'string', { old: 'old', new: 'new' })
  const page = await browser.newPage()
  await signIn(page)
  await splitInHalves(page, 'gallery')
  await page.close()
  const isOpen = () =>
    server.get(`${environment}/events`).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, { timeout: 40_000 }).toBe(true)
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

async function signIn(page: Page): Promise<void> {
  const { email, password } = shopOwner
  const headers = { origin: server.url }
  const answer = await page.request.post(`${server.url}/api/v1/sign-in`, {
    headers,
    data: { email, password },
  })
  expect(answer.ok()).toBe(true)
}

async function splitInHalves(page: Page, flag: string): Promise<void> {
  const path = `${server.url}${environment}/flags/${flag}/config`
  const { savedAt: _, salt: __, ...config } = await (await page.request.get(path)).json()
  const split = ['old', 'new'].map((variation) => ({ variation, weight: 50_000 }))
  const data = { ...config, enabled: true, fallthrough: { split } }
  const answer = await page.request.put(path, { headers: { origin: server.url }, data })
  expect(await answer.text()).toContain('new')
}

/** Somebody new opens the page, and is served. */
async function visit(page: Page): Promise<string> {
  await page.goto(`${site.url}/#${server.url}`)
  await page.waitForFunction(() => Reflect.get(globalThis, 'windows') > 0)
  const session = await page.evaluate(async () => {
    await app.whenReady()
    const isNew = app.getString('gallery', 'old') === 'new'
    // In a task of its own: what the test does stands in no stack. The browser takes its first samples before it.
    await new Promise((resolve) =>
      setTimeout(() => resolve(Reflect.get(globalThis, 'renderPage')(isNew)), 400),
    )
    await new Promise((resolve) => setTimeout(resolve, 60))
    return app.sessionId() ?? ''
  })
  const sent = page.waitForResponse((answer) => answer.url().includes('/intake/v1/profile'))
  // With the next view the profile of this one is complete.
  await page.evaluate(() => globalThis.history.pushState({}, '', '/next'))
  expect((await sent).status()).toBe(202)
  return session
}

const graphOf = async (filter = '') => (await server.get(`${profiles}/flame-graph${filter}`)) as Graph

test('the function that uses the time is on top, with its original name and code', async ({ page }) => {
  const session = await visit(page)
  const mine = `?filter=session:${session}`
  await expect.poll(async () => (await graphOf(mine)).totalMs, patience).toBeGreaterThan(100)
  const before = await graphOf(mine)
  expect(before.mapped).toBe(false)

  await signIn(page)
  const file = encodeURIComponent('/assets/shop.js')
  const uploaded = await page.request.put(
    `${server.url}/api/v1/projects/shop/source-maps?file=${file}&version=1.0`,
    {
      headers: { origin: server.url, 'content-type': 'application/octet-stream' },
      data: Buffer.from(map),
    },
  )
  expect(uploaded.ok()).toBe(true)
  const { nodes, frames, mapped } = await graphOf(mine)
  expect(mapped).toBe(true)
  const [hottest] = nodes.toSorted((one, other) => other.selfMs - one.selfMs)
  const frame = frames[hottest?.frame ?? -1]
  expect(frame).toMatchObject({ version: '1.0', original: { function: 'computeTotals', line: 1 } })
  expect(frame?.original?.file).toMatch(/src\/shop\.ts$/)
  expect(frame?.function).not.toBe('computeTotals')
  const caller = frames[nodes[hottest?.parent ?? -1]?.frame ?? -1]
  expect(caller?.original?.function).toBe('renderPage')
  const place = new URLSearchParams({
    file: frame?.file ?? '',
    version: '1.0',
    line: `${frame?.line}`,
    column: `${frame?.column}`,
  })
  const code = (await server.get(`${profiles}/code?${place}`)) as Code
  expect(code.code?.first).toBe(1)
  expect(code.code?.lines[0]).toBe('export function computeTotals(): number {')
})

test('of two variations, one using 60 ms more, the difference names the function', async ({ browser }) => {
  const bySide = new Map<string, Profile[]>([
    ['old', []],
    ['new', []],
  ])
  const isEnough = () => [...bySide.values()].every((found) => found.length >= driven)
  // One at a time: two of them would take samples from each other.
  for (let round = 0; round < 24 && !isEnough(); round += 1) {
    const found = await profileOf(await visitAsNew())
    const side = found.flags.find((read) => read.startsWith('gallery='))?.slice('gallery='.length) ?? ''
    // On a machine that hardly gave it time, the browser took hardly a sample.
    if (found.busyMs > 0.9 * (workOf[side] ?? Number.POSITIVE_INFINITY)) bySide.get(side)?.push(found)
  }
  expect(isEnough()).toBe(true)
  const sent = await Promise.all(Array.from({ length: 2 * perSide }, (_, index) => visitLike(bySide, index)))
  expect(sent.every(Boolean)).toBe(true)

  const path = `${profiles}/difference?page=/cart&flag=gallery&control=old&treatment=new`
  const found = async () => (await server.get(path)) as Difference
  const counted = async () => {
    const { control, treatment } = await found()
    return control.profiles + treatment.profiles
  }
  await expect.poll(counted, patience).toBe(2 * perSide)
  const { comparable, enough, frames } = await found()
  expect({ comparable, enough }).toEqual({ comparable: true, enough: true })
  // Its caller is listed before it where the total of both is the same.
  const [first] = frames
    .filter(({ frame, self }) => self.certain && frame.original !== null)
    .toSorted((one, other) => other.self.change - one.self.change)
  expect(first?.frame.original?.function).toBe('drawGallery')
  expect(first?.self.change).toBeGreaterThan(24)
  expect(first?.self.change).toBeLessThan(135)
  expect(first?.self.lower).toBeGreaterThan(0)
  // Its caller is slower by what it calls, and by nothing of its own.
  const caller = frames.find(({ frame }) => frame.original?.function === 'showGallery')
  expect(caller?.total.change).toBeGreaterThan(15)
  expect(caller?.self.change ?? 0).toBeLessThan(15)

  async function visitAsNew(): Promise<string> {
    const context = await browser.newContext()
    try {
      return await visit(await context.newPage())
    } finally {
      await context.close()
    }
  }
})

async function profileOf(session: string): Promise<Profile> {
  // Beside that of the view there may be one of the next, in which hardly anything ran.
  const longest = async () => {
    const { items } = (await server.get(`${profiles}?session=${session}`)) as Listed
    return items.toSorted((one, other) => other.busyMs - one.busyMs)[0]
  }
  await expect.poll(async () => (await longest())?.busyMs ?? 0, patience).toBeGreaterThan(0)
  return (await server.get(`${profiles}/${(await longest())?.id}`)) as Profile
}

/** Somebody else, served by the same server, with the samples of one of the visits that were driven. */
async function visitLike(bySide: ReadonlyMap<string, readonly Profile[]>, index: number): Promise<boolean> {
  // Which side somebody is on is the server's draw: the first that comes to a side that still has room.
  const wanted = index % 2 === 0 ? 'old' : 'new'
  for (;;) {
    const person = newId()
    const answer = await fetch(`${server.url}/ofrep/v1/evaluate/flags/gallery`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${clientKey}` },
      body: JSON.stringify({ context: { targetingKey: person } }),
    })
    const { variant, metadata } = await answer.json()
    if (variant !== wanted) continue
    const like = bySide.get(variant)?.[(index >> 1) % driven]
    if (like === undefined) return false
    const { split, epoch, unit: by } = metadata
    const reads = [{ flag: 'gallery', variation: variant, split, epoch, by, unit: person }]
    const context = { session: newId(), anonymousId: person, page: '/cart', version: '1.0', reads }
    const body = profile({}, { tables: tablesOf(like), context })
    const { body: receipt } = await sendAttachment(server.url, { kind: 'profile', body, key: clientKey })
    return receipt.accepted === 1
  }
}

/** As the library sends it. */
function tablesOf({ frames, stacks, samples }: Profile) {
  const texts = [...new Set(frames.flatMap(({ function: name, file }) => [name, file]))]
  const textOf = (text: string) => texts.indexOf(text)
  let before = 0
  return {
    texts,
    frames: frames.flatMap(({ function: name, file, line, column }) => [
      ...[textOf(name), file === '' ? -1 : textOf(file), line, column],
    ]),
    stacks: stacks.flatMap(({ frame, parent }) => [frame, parent]),
    samples: samples.flatMap(({ at, stack }) => {
      const gap = Math.round(at - before)
      before = at
      return [gap, stack]
    }),
  }
}
