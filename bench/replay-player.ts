// Measures how long the player takes to show the first frame of a 30-minute session and to seek in it, and how much
// memory it holds while playing a session of four hours and almost 100 MB. On the built server with its own store.
// `npm run bench:replay`; `-- --write` into bench/results.md.

import { randomBytes } from 'node:crypto'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { signIn } from '../test/browser/console.ts'
import { shopOwner, startFlagServer } from '../test/browser/flag-server.ts'
import {
  change,
  element,
  mutation,
  type Node,
  pageOf,
  type Recorded,
  sendSegment,
  sendSession,
  text,
  wholePage,
} from '../test/browser/recordings.ts'
import { writeSection } from './results.ts'

const second = 1_000
const minute = 60 * second
const segmentLength = 5 * second
/** The interval of the recorder's full snapshots. */
const pageEvery = 2 * minute
const seeks = 40
const sentAtOnce = 8
const visits = 7
const clock = 7
/** Above the ids of all elements of the pages. */
const firstText = 5_000_000
const wanted = { first: 1_000, seek: 300, heap: 150 }

interface Session {
  length: number
  /** Compressed bytes per segment. */
  noise: number
}
const half: Session = { length: 30 * minute, noise: 4_000 }
const long: Session = { length: 240 * minute, noise: 33_000 }

const sampling = { session: 100, replay: 100, profile: 0 }
const server = await startFlagServer({ telemetry: true, environment: { sampling } })
const began = Date.now() - 250 * minute
const ids = { half: await record(half), long: await record(long) }
process.stderr.write('recorded\n')
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: [...chromiumArguments, '--enable-precise-memory-info'],
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await signIn(page, server, shopOwner)

const first = await measureFirst()
const jumps = await measureSeeks()
process.stderr.write('measured what takes time\n')
const held = await measureHeap()
await browser.close()
await server[Symbol.asyncDispose]()

const [, ...warm] = first
const lines = [
  '| of the player | wanted | median | p95 |',
  '|---|--:|--:|--:|',
  `| first picture of 30 minutes, from the navigation on, warm | ${wanted.first} ms | ${inMs(at(warm, 0.5))} | ${inMs(at(warm, 0.95))} |`,
  `| the same, nothing of the console in the cache | | ${inMs(first[0])} | |`,
  `| a jump to any moment of 30 minutes (${seeks}) | ${wanted.seek} ms | ${inMs(at(jumps, 0.5))} | ${inMs(at(jumps, 0.95))} |`,
  '',
  '| heap of console and player, after collecting garbage | wanted | |',
  '|---|--:|--:|',
  ...held.map(({ what, megabytes }) => `| ${what} | ${wanted.heap} MB | ${megabytes.toFixed(0)} MB |`),
]
process.stdout.write(`${lines.join('\n')}\n`)
if (process.argv.includes('--write')) await writeSection('Playing replays', lines.join('\n'))

/** A shop with 1,500 elements and a style sheet, a clock in seconds, and lists that change constantly. */
function shop(now: number): Node {
  const rules = Array.from(
    { length: 800 },
    (_, index) => `.card-${index} { margin: ${index % 7}px; color: rgb(${index % 255}, 9, 9) }`,
  )
  const cards = Array.from({ length: 500 }, (_, index) => ({
    ...element('section', { class: `card-${index}` }),
    childNodes: [
      element('h2', {}, [text('xxxx xxxxxx')]),
      element('p', { id: `p${index}` }, [text('xxxxx xxx xx', firstText + index)]),
    ],
  }))
  const style = element('style', { _cssText: rules.join('\n') })
  return pageOf([element('div', { id: 'clock' }, [text(String(now), clock)]), ...cards], [style])
}

function eventsOf(from: number, noise: number): Recorded[] {
  const events: Recorded[] = []
  if (from % pageEvery === 0) events.push(...wholePage(began + from, shop(from / second)))
  for (let at = from; at < from + segmentLength; at += 250) {
    const texts = Array.from({ length: 8 }, (_, index) => ({
      id: firstText + ((at / 250 + index * 61) % 500),
      value: `${index}`,
    }))
    if (at % second === 0) texts.push({ id: clock, value: String(at / second) })
    else texts[0] = { id: firstText, value: randomBytes(Math.round((noise / 15) * 0.75)).toString('base64') }
    events.push(mutation(began + at, { texts }))
    const positions = [{ x: at % 700, y: at % 400, id: clock, timeOffset: 0 }]
    events.push(change(began + at + 2, { source: 1, positions }))
  }
  return events
}

async function record({ length, noise }: Session): Promise<string> {
  const [session, tab] = [newId(), newId()]
  await sendSession(server.url, session, began)
  const starts = Array.from({ length: length / segmentLength }, (_, index) => index * segmentLength)
  const send = (from: number) =>
    sendSegment(server.url, {
      session,
      tab,
      index: from / segmentLength,
      full: from % pageEvery === 0,
      startedAt: began + from,
      endedAt: began + from + segmentLength - 1,
      events: eventsOf(from, noise),
    })
  for (let first = 0; first < starts.length; first += sentAtOnce) {
    await Promise.all(starts.slice(first, first + sentAtOnce).map(send))
  }
  const path = `/api/v1/projects/shop/environments/production/sessions/${session}`
  const last = new Date(began + length - 1).toISOString()
  for (const until = Date.now() + 5 * minute; ; ) {
    const replay = await server.read(`${path}/replay`).catch(() => '')
    if (replay.includes(`"endedAt":"${last}"`) && (await server.read(path).catch(() => '')) !== '')
      return session
    if (Date.now() > until) throw new Error('the store takes too long')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Milliseconds, by the clock of the page, until the given second is rendered. */
function untilShown(page: Page, least: number): Promise<number> {
  return page.evaluate(async (least) => {
    const begun = performance.now()
    for (;;) {
      const player = document.querySelector<HTMLIFrameElement>('[data-replay-stage] iframe')?.contentDocument
      const shown = player?.querySelector<HTMLIFrameElement>('.seen iframe')?.contentDocument
      const reported = Number(shown?.getElementById('clock')?.textContent ?? Number.NaN)
      // The clocks of session and recording are corrected separately.
      if (Math.abs(reported - least) <= 2) return performance.now()
      if (performance.now() - begun > 30_000) throw new Error(`instead of ${least} it shows ${reported}`)
      await new Promise(requestAnimationFrame)
    }
  }, least)
}

async function open(session: string, atSecond: number): Promise<number> {
  await page.goto('about:blank')
  await page.goto(`${server.url}/p/shop/sessions/${session}#t=${atSecond}`, { waitUntil: 'commit' })
  return untilShown(page, atSecond)
}

async function measureFirst(): Promise<number[]> {
  const found: number[] = []
  for (let visit = 0; visit < visits; visit++) found.push(await open(ids.half, 600))
  return found
}

async function jump(to: number): Promise<number> {
  const begun = await page.evaluate((to) => {
    location.hash = `t=${to}`
    return performance.now()
  }, to)
  return (await untilShown(page, to)) - begun
}

async function measureSeeks(): Promise<number[]> {
  await open(ids.half, 0)
  const found: number[] = []
  for (let index = 0; index < seeks; index++) {
    // Spread over the whole session, with distance between successive seeks.
    found.push(await jump(((index * 677) % (half.length / second - 2)) + 1))
  }
  return found
}

async function measureHeap(): Promise<{ what: string; megabytes: number }[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const length = long.length / second
  await open(ids.long, 1)
  const found = [{ what: 'at the beginning of four hours', megabytes: await heapOf(devtools) }]
  let most = 0
  for (let to = 100; to < length; to += 300) {
    await jump(to)
    if ((to - 100) % 3_000 === 0) most = Math.max(most, await heapOf(devtools))
  }
  found.push({ what: 'most while going through them in steps of five minutes', megabytes: most })
  await page
    .getByRole('radio', { name: '8×' })
    .or(page.getByRole('button', { name: '8×' }))
    .first()
    .click()
  await jump(3_600)
  await page.getByRole('button', { name: 'Play (space)' }).click()
  most = 0
  for (let to = 3_680; to <= 3_600 + 8 * 60; to += 80) {
    await untilShown(page, to)
    most = Math.max(most, await heapOf(devtools))
  }
  found.push({ what: 'most while eight minutes play at 8x', megabytes: most })
  return found
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1_000_000
}

function at(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function inMs(value = Number.NaN): string {
  return `${value.toFixed(0)} ms`
}
