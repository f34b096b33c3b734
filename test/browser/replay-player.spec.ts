// What the player shows of a recording, and what it does not do for one that wants more.

import { expect, type Frame, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { listenForComplaints, signIn } from './console.ts'
import { sendHostileDatadogRecording } from './datadog-recordings.ts'
import { type EvilServer, startEvilServer } from './evil-server.ts'
import { type FlagServer, shopOwner, startFlagServer } from './flag-server.ts'
import { hostilePage } from './hostile-recordings.ts'
import {
  change,
  element,
  mutation,
  pageOf,
  sendRecording,
  sendSegment,
  sendSession,
  text,
  wholePage,
  word,
} from './recordings.ts'

let server: FlagServer
let evil: EvilServer

test.beforeAll(async () => {
  const sampling = { session: 100, replay: 100, profile: 0 }
  server = await startFlagServer({ telemetry: true, environment: { sampling, privacyLevel: 'mask-all' } })
  evil = await startEvilServer()
})
test.afterAll(async () => {
  evil?.close()
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }) => signIn(page, server, shopOwner))

/** Once so many segments of it are stored. */
async function open(page: Page, session: string, segments = 1): Promise<Frame> {
  const path = `/api/v1/projects/shop/environments/production/sessions/${session}`
  const stored = async () => {
    const [, replay] = await Promise.all([server.read(path), server.read(`${path}/replay`)])
    return replay.split('"index":').length - 1
  }
  await expect.poll(() => stored().catch(() => 0), { timeout: 40_000 }).toBe(segments)
  await page.goto(`${server.url}/p/shop/sessions/${session}#t=0`)
  const player = () => page.frames().find((frame) => frame.url() === `${server.url}/replay-player/`)
  await expect.poll(() => player() !== undefined).toBe(true)
  const found = player()
  if (found === undefined) throw new Error('it was there a moment ago')
  return found
}

/** What is to be seen in the recorded page. */
const shown = (player: Frame) =>
  player.evaluate(
    () => document.querySelector<HTMLIFrameElement>('.seen iframe')?.contentDocument?.body.innerText ?? '',
  )
const seek = async (page: Page, seconds: number) => {
  await page.evaluate((at) => {
    location.hash = `t=${at}`
  }, seconds)
}

test('shows the page as it was at a moment, forwards and backwards, and plays on from there', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const session = await sendRecording(server.url, (at) => [
    ...wholePage(at, pageOf([element('h1', {}, [text('Basket')]), element('p', {}, [text('one', 7)])])),
    word(at + 10, { kind: 'recording', level: 'mask-all', reason: 'sampled' }),
    change(at + 2_000, { source: 1, positions: [{ x: 20, y: 30, id: 7, timeOffset: -100 }] }),
    mutation(at + 4_000, { texts: [{ id: 7, value: 'two' }] }),
    change(at + 4_500, { source: 2, type: 2, id: 7, x: 25, y: 30 }),
    mutation(at + 6_000, { texts: [{ id: 7, value: 'three' }] }),
    change(at + 6_100, { source: 2, type: 2, id: 7, x: 25, y: 30 }),
  ])
  const player = await open(page, session)
  await expect.poll(() => shown(player)).toBe('Basket\n\none')
  await seek(page, 5)
  await expect.poll(() => shown(player)).toBe('Basket\n\ntwo')
  await seek(page, 3)
  await expect.poll(() => shown(player)).toBe('Basket\n\none')
  await expect(page.getByText('800 × 500')).toBeVisible()
  await page.getByRole('button', { name: 'Play (space)' }).click()
  await expect.poll(() => shown(player)).toBe('Basket\n\nthree')
  // The focus stays where it was: nothing of a recorded page takes it.
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('IFRAME')
  expect(complaints).toEqual([])
})

const hostile = [
  ['our recorder', () => sendRecording(server.url, hostilePage(evil.url))],
  ['another client', () => sendHostileDatadogRecording(server.url, evil.url)],
] as const

for (const [recorder, record] of hostile) {
  test(`nothing of a recording by ${recorder} runs, leaves or reaches the console`, async ({ page }) => {
    const asked: string[] = []
    page.context().on('request', (request) => asked.push(request.url()))
    page.context().on('page', (opened) => asked.push(`a window: ${opened.url()}`))
    const session = await record()
    const player = await open(page, session)
    await expect.poll(() => shown(player)).toContain('Still here')
    expect(await shown(player)).toContain('The end')
    await seek(page, 5)
    await expect.poll(() => shown(player)).toContain('After all of it')
    expect(await shown(player)).toContain('Late')

    // Whoever could press something there would press nothing.
    const built = await player.evaluate(() => {
      const pages: Document[] = []
      const walk = (found: Document | null | undefined) => {
        if (!found) return
        pages.push(found)
        for (const frame of found.querySelectorAll('iframe')) walk(frame.contentDocument)
      }
      walk(document.querySelector<HTMLIFrameElement>('.seen iframe')?.contentDocument)
      const elements = pages.flatMap((found) => [...found.querySelectorAll('*')])
      for (const each of elements) if (each instanceof HTMLElement) each.click()
      return {
        pages: pages.length,
        tags: [...new Set(elements.map(({ localName }) => localName))],
        attributes: elements.flatMap((each) =>
          [...each.attributes].map(({ name, value }) => `${each.localName} ${name}=${value}`),
        ),
        styles: pages.map(({ documentElement }) => documentElement.outerHTML).join(),
      }
    })
    expect(built.pages).toBeGreaterThan(recorder === 'our recorder' ? 2 : 0)
    const acting = [
      'script',
      'link',
      'meta',
      'base',
      'object',
      'embed',
      'applet',
      'portal',
      'frame',
      'animate',
      'set',
    ]
    expect(built.tags.filter((tag) => acting.includes(tag))).toEqual([])
    const isActing =
      /^\S+ (on\w+|src|srcdoc|srcset|action|formaction|ping|poster|background|http-equiv|autofocus|data)=/
    expect(built.attributes.filter((each) => isActing.test(each) || /javascript:/.test(each))).toEqual([])
    expect(built.styles).not.toMatch(new RegExp(`(url\\(|=)["']?${evil.url}`))

    const marks = await Promise.all(
      page
        .frames()
        .map((frame) => frame.evaluate(() => ['hacked' in window, 'polluted' in Object.prototype])),
    )
    expect(marks.flat()).not.toContain(true)
    expect(evil.heard).toEqual([])
    expect(asked.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(server.url))).toEqual([])
    expect(page.url()).toContain(session)
    expect(page.frames()[0]?.url()).toBe(page.url())
  })
}

test('a snapshot that cannot be built is a gap, and the next one is shown', async ({ page }) => {
  const [session, tab] = [newId(), newId()]
  const at = Date.now() - 90_000
  await sendSession(server.url, session, at)
  // Deeper than a program can walk: written as text, because it could not be written otherwise.
  const depth = 20_000
  const opening = '{"type":2,"tagName":"div","attributes":{},"id":'
  const deep = `${Array.from({ length: depth }, (_, id) => `${opening}${id + 100},"childNodes":[`).join('')}${']}'.repeat(depth)}`
  const segments = [
    wholePage(at, pageOf([text('First')])),
    wholePage(at + 10_000, pageOf([text('DEEP')])).map((each) =>
      JSON.stringify(each).replace(/\{"type":3[^}]*DEEP"\}/, deep),
    ),
    wholePage(at + 20_000, 'no page'),
    wholePage(at + 30_000, pageOf([text('Last')])),
  ]
  for (const [index, events] of segments.entries()) {
    await sendSegment(server.url, { session, tab, index, startedAt: at + index * 10_000, full: true, events })
  }
  const player = await open(page, session, segments.length)
  await expect.poll(() => shown(player)).toBe('First')
  await seek(page, 32)
  await expect.poll(() => shown(player)).toBe('Last')
  for (const broken of [12, 22]) {
    await seek(page, broken)
    await expect(page.getByRole('region', { name: 'Player' }).getByText('cannot be read')).toBeVisible()
  }
  await seek(page, 1)
  await expect.poll(() => shown(player)).toBe('First')
})

test("the player's document does nothing alone, and other sites cannot frame it", async ({ page }) => {
  const answer = await page.goto(`${server.url}/replay-player/`)
  const headers = answer?.headers() ?? {}
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("connect-src 'none'")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  await expect(page.locator('iframe')).toHaveCount(0)
})
