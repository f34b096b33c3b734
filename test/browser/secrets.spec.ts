// One page with a secret in every place that can hold one, monitored, recorded and profiled by the built library: which of them
// leave the page, and which of those the server keeps.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { clientKey, type FlagServer, type Site, startFlagServer, startSite } from './flag-server.ts'
import { describeSecretPage, type Kind, type Secret, type SecretPage } from './secret-places.ts'
import { startTap, type Tap } from './tapped-server.ts'

const environment = '/api/v1/projects/shop/environments/production'
const code = `function workOf() { const until = performance.now() + 300; while (performance.now() < until); }`

let server: FlagServer
let tap: Tap
let site: Site
let secretPage: SecretPage
const files: Record<string, string> = { '/code.js': code, '/sheet.css': '.sheet { margin: 1px }' }

test.beforeAll(async () => {
  // Nothing is said of the privacy level: it is the one that every new environment has.
  const sampling = { session: 100, replay: 100, profile: 100 }
  server = await startFlagServer({ telemetry: true, ownEngines: true, environment: { sampling } })
  tap = await startTap(server.url)
  site = await startSite(files, { 'document-policy': 'js-profiling' })
  secretPage = describeSecretPage(site.url)
  const init = `collect: { consoleErrors: true }`
  files['/secrets'] = secretPage.html.replace(
    'LIBRARY',
    `<script src="${tap.url}/sdk/v1/telltale.js"></script><script>app = telltale.init({ key: '${clientKey}', ${init} })</script>`,
  )
  const isOpen = () =>
    server.get(`${environment}/events`).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen, { timeout: 40_000 }).toBe(true)
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await tap?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const openFields = ['text', 'email', 'search', 'tel', 'url', 'password', 'card', 'csc', 'code', 'new']
const sentTo = (kind: string) => tap.left.filter(({ path }) => path.startsWith(`/intake/v1/${kind}`))

/** Does what a user does there, and leaves; gives the session. */
async function visit(page: Page): Promise<string> {
  tap.left.length = 0
  await page.goto(site.url + secretPage.address)
  await expect.poll(() => page.evaluate(() => app.sessionId())).toBeTruthy()
  await expect.poll(() => tap.left.some(({ path }) => path.includes('telltale-recorder'))).toBe(true)
  await expect.poll(() => sentTo('replay').length).toBeGreaterThan(0)
  const segments = sentTo('replay').length
  // Typing what is there once more changes nothing of it, and tells of it.
  for (const id of [...openFields.map((type) => `in-${type}`), 'area', 'in-masked', 'in-ignored']) {
    const value = await page.inputValue(`#${id}`)
    await page.fill(`#${id}`, '')
    await page.fill(`#${id}`, value)
    await page.locator(`#${id}`).blur()
  }
  await page.locator('#editable').press('End')
  await page.locator('#editable').pressSequentially('!')
  await page.click('#press')
  await page.click('#break')
  await page.evaluate(() => Reflect.get(globalThis, 'go')())
  const session = await page.evaluate(() => app.sessionId() ?? '')
  await expect.poll(() => sentTo('replay').length, { timeout: 20_000 }).toBeGreaterThan(segments)
  await page.goto('about:blank')
  await expect.poll(() => sentTo('profile').length, { timeout: 20_000 }).toBeGreaterThan(0)
  await expect.poll(() => allLeft().includes('"unload"'), { timeout: 20_000 }).toBe(true)
  return session
}

const allLeft = () => tap.left.map(({ path, text }) => `${decodeURIComponent(path)}\n${text}`).join('\n')

function findIn(text: string, of: readonly Secret[] = secretPage.secrets): string[] {
  const lower = text.toLowerCase()
  return of.filter(({ word }) => lower.includes(word)).map(({ kind, place }) => `${kind}: ${place}`)
}
const ofKind = (...kinds: Kind[]) => secretPage.secrets.filter(({ kind }) => kinds.includes(kind))

/** In files as they lie there, and in what the server answers about the session. */
async function findOnServer(session: string): Promise<string[]> {
  const found = new Set(findIn(await server.read(`${environment}/sessions/${session}/events?limit=200`)))
  for (const entry of await readdir(server.dataFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    const plain = entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes
    for (const each of findIn(plain.toString('latin1'))) found.add(each)
  }
  return [...found]
}

test('a page with a secret in every place sends none of them at the default level', async ({ page }) => {
  test.setTimeout(120_000)
  expect(secretPage.secrets.length).toBeGreaterThanOrEqual(188)
  const session = await visit(page)
  expect(findIn(allLeft())).toEqual([])
  // What was searched is what a visit tells.
  for (const kind of ['view', 'resource', 'error', 'action', 'custom', 'long_frame', 'vital'])
    expect(allLeft()).toContain(`"kind":"${kind}"`)
  for (const part of ['card-30', 'in-shadow', 'workOf', 'xxxxxxxxx']) expect(allLeft()).toContain(part)
  await expect
    .poll(() => server.read(`${environment}/sessions/${session}/events?limit=200`), { timeout: 30_000 })
    .toContain('"error"')
  expect(await findOnServer(session)).toEqual([])
})

test('with allow, only what the guide lists leaves the page', async ({ page }) => {
  test.setTimeout(120_000)
  await server.ask('PATCH', environment, { privacyLevel: 'allow' })
  const level = async () => server.read(`/sdk/v1/config?key=${clientKey}`)
  await expect.poll(level).toContain('allow')
  const session = await visit(page)
  const found = findIn(allLeft())
  expect(found.filter((each) => each.startsWith('never'))).toEqual([])
  // The level is what makes the difference: most of the others are there.
  for (const kind of ['shown', 'field', 'style', 'query'] as const) {
    const there = found.filter((each) => each.startsWith(kind)).length
    expect(there / ofKind(kind).length, kind).toBeGreaterThan(0.7)
  }
  // Values of queries are dropped by the server at every level; a recording is kept as it came.
  await expect
    .poll(() => server.read(`${environment}/sessions/${session}/events?limit=200`), { timeout: 30_000 })
    .toContain('"error"')
  const stored = await server.read(`${environment}/sessions/${session}/events?limit=200`)
  expect(findIn(stored, ofKind('query', 'never', 'field', 'style'))).toEqual([])
})
