// A page with Datadog's own client, profiled and recorded into a server of ours: the function that took the time has the name that
// it was written with, and the recording holds the words that stand on the page.

import { expect, type Page, test } from '@playwright/test'
import type { ReplyOf } from '@telltale/core/contract/call'
import type { getFlameGraph, listProfiles } from '@telltale/core/contract/profiles'
import type { getReplay } from '@telltale/core/contract/replays'
import { build } from 'esbuild'
import { rebuildPage } from '../intake/rebuild-page.ts'
import { bundleForPage } from './bundle.ts'
import { signIn } from './console.ts'
import {
  clientKey,
  type FlagServer,
  type Site,
  shopOwner,
  startFlagServer,
  startSite,
} from './flag-server.ts'

type Graph = ReplyOf<typeof getFlameGraph>
type Listed = ReplyOf<typeof listProfiles>
type Replay = ReplyOf<typeof getReplay>

const environment = '/api/v1/projects/shop/environments/production'
const patience = { timeout: 40_000 }

const source = `export function countBarrels(): number {
  const until = performance.now() + 350
  let sum = 0
  while (performance.now() < until) sum += Math.sqrt(sum + 2)
  return sum
}

document.querySelector('#count')?.addEventListener('click', () => {
  countBarrels()
  const told = document.createElement('p')
  told.textContent = 'Counted all of them'
  document.body.append(told)
})
`

const client = `
  import { datadogRum } from '@datadog/browser-rum'
  Object.assign(globalThis, { datadogRum })
  datadogRum.init({
    applicationId: 'harbour', clientToken: '${clientKey}', proxy: location.hash.slice(1) + '/intake/datadog',
    service: 'web', version: '4.2', sessionSampleRate: 100, sessionReplaySampleRate: 100, profilingSampleRate: 100,
    telemetrySampleRate: 0, trackLongTasks: true, defaultPrivacyLevel: 'allow',
  })
`

let server: FlagServer
let site: Site
let map = ''

test.beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: source, sourcefile: 'src/harbour.ts', loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'warning',
    format: 'iife',
    sourcemap: 'external',
    outfile: '/assets/harbour.js',
  })
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  map = textOf('.map')
  server = await startFlagServer({ telemetry: true })
  const page = `<!doctype html><title>Harbour</title><h1>Harbour</h1><button id="count">Count</button>
    <script src="/client.js"></script><script src="/assets/harbour.js"></script>`
  site = await startSite(
    { '/': page, '/client.js': await bundleForPage(client), '/assets/harbour.js': textOf('.js') },
    { 'document-policy': 'js-profiling' },
  )
  const isOpen = () =>
    server.get(`${environment}/events`).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, patience).toBe(true)
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

/** Comes back with the session. */
async function visit(page: Page): Promise<string> {
  const quota = page.waitForResponse((answer) => answer.url().includes('quota'))
  await page.goto(`${site.url}/#${server.url}`)
  expect(await (await quota).json()).toEqual({
    data: { attributes: { admitted: true, reason: 'quota_ok' } },
  })
  const session = await page.evaluate(
    () => Reflect.get(globalThis, 'datadogRum').getInternalContext().session_id,
  )
  const sent = (track: string) =>
    page.waitForResponse((answer) => answer.url().includes(track) && answer.request().method() === 'POST')
  const [profile, replay] = [sent('profile'), sent('replay')]
  await page.click('#count')
  await expect(page.getByText('Counted all of them')).toBeVisible()
  // What changed is told when the page has time.
  await page.waitForTimeout(400)
  await page.evaluate(() => Reflect.get(globalThis, 'datadogRum').stopSession())
  expect((await profile).status()).toBe(202)
  expect((await replay).status()).toBe(202)
  return session
}

test('names what took the time, and shows what stood there', async ({ page }) => {
  const session = await visit(page)
  const graph = async () =>
    (await server.get(`${environment}/profiles/flame-graph?filter=session:${session}`)) as Graph
  await expect.poll(async () => (await graph()).totalMs, patience).toBeGreaterThan(200)
  await signIn(page, server, shopOwner)
  const uploaded = await page.request.put(
    `${server.url}/api/v1/projects/shop/source-maps?file=${encodeURIComponent('/assets/harbour.js')}&version=4.2`,
    { headers: { origin: server.url, 'content-type': 'application/octet-stream' }, data: Buffer.from(map) },
  )
  expect(uploaded.ok()).toBe(true)
  const { nodes, frames, mapped } = await graph()
  expect(mapped).toBe(true)
  const [hottest] = nodes.toSorted((one, other) => other.selfMs - one.selfMs)
  expect(frames[hottest?.frame ?? -1]).toMatchObject({
    version: '4.2',
    original: { function: 'countBarrels', line: 1 },
  })
  const { items } = (await server.get(`${environment}/profiles?session=${session}`)) as Listed
  expect(items).toMatchObject([{ session, page: '/', version: '4.2' }])

  const replayOf = async () =>
    (await server.get(`${environment}/sessions/${session}/replay`).catch(() => undefined)) as
      | Replay
      | undefined
  const lines = async () => {
    const view = (await replayOf())?.tabs[0]?.id
    if (view === undefined) return ''
    return server.read(`${environment}/sessions/${session}/replay/segments?tab=${view}&from=0`)
  }
  await expect.poll(lines, patience).toContain('Counted all of them')
  const rebuilt = rebuildPage()
  for (const line of (await lines()).trim().split('\n')) {
    const event = JSON.parse(line)
    if (event.do !== undefined) rebuilt.take(event)
  }
  expect(rebuilt.unknown).toBe(0)
  const words = rebuilt.outline().flatMap((line) => (line.trim().startsWith('"') ? JSON.parse(line) : []))
  expect(words).toEqual(['Harbour', 'Harbour', 'Count', 'Counted all of them'])
})
