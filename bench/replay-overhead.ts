// Measures the cost of session replay in a page: script time, memory, interactions and sent bytes of scripted pages,
// alone, with Telltale's SDK and replay, and with Datadog's, alternating in the same browser. Both mask everything.
// Prints, and with `-- --write` writes into bench/results.md.

import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type CDPSession, chromium, type Page, type Response } from '@playwright/test'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import { bundlePart, bundleScript } from '../scripts/build/sdk.ts'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { bundleDatadog } from './overhead/datadog.ts'
import { median, type PageName, type ReceivedRequest, startOverheadSite, usePage } from './overhead/site.ts'
import { writeSection } from './results.ts'

type Candidate = 'nothing' | 'telltale' | 'datadog'
interface Measured {
  script: number
  heap: number
  replay: number
  sent: number
  requests: number
  /** Steps of the recorder's time budget. */
  limits: string[]
  /** Event Timing of interactions, milliseconds. */
  interaction: number
  worst: number
}

const rounds = Number(process.env.ROUNDS ?? 8)
/** Longer than a segment of either, so that both have finished starting when the page begins to change. */
const settling = 2_000
const recorder = 'telltale-recorder-00000000.js'
const isRecorder = (response: Response) => response.url().includes(recorder)
const loaded = new WeakSet<Page>()
const recorderChunk = await bundlePart('recorder')

const files = new Map<string, string | Uint8Array>([
  [
    '/telltale.js',
    await bundleScript({
      live: 'telltale-live-00000000.js',
      sampled: 'telltale-sampled-00000000.js',
      toolbar: 'telltale-toolbar-00000000.js',
    }),
  ],
  ['/telltale-live-00000000.js', await bundlePart('live')],
  ['/telltale-sampled-00000000.js', await bundlePart('sampled', { recorder })],
  [`/${recorder}`, recorderChunk],
  ['/fonts.js', await bundlePart('fonts')],
  ['/datadog.js', await bundleDatadog({ sessionReplaySampleRate: 100, defaultPrivacyLevel: 'mask' })],
])
const heads: Record<Candidate, string> = {
  nothing: '',
  telltale: `<script src="/telltale.js"></script><script>telltale.init({ key: 'bench' })</script>`,
  datadog: `<script src="/datadog.js"></script><script>startDatadog(location.origin + '/intake/datadog')</script>`,
}
const settings = { sampling: { session: 100, replay: 100, profile: 0 }, privacyLevel: 'mask-all' }
const site = await startOverheadSite({ files, heads, settings })

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
const candidates: Candidate[] = ['nothing', 'telltale', 'datadog']
type ByCandidate<Value> = Record<Candidate, Value[]>
const noneYet = <Value>(): ByCandidate<Value> => ({ nothing: [], telltale: [], datadog: [] })
const measured = { list: noneYet<Measured>(), table: noneYet<Measured>() }
const blocked = noneYet<{ longest: number; layout: number }>()
try {
  for (let round = 0; round < rounds + 1; round++) {
    // Rotate, so that each is first equally often and other load on the machine affects all of them.
    for (let turn = 0; turn < candidates.length; turn++) {
      const candidate = candidates[(turn + round) % candidates.length]
      if (!candidate) continue
      const found = {
        list: await measure(candidate, 'list'),
        table: await measure(candidate, 'table'),
        large: await measureLarge(candidate),
      }
      if (process.argv.includes('--verbose')) process.stderr.write(`${candidate} ${JSON.stringify(found)}\n`)
      // The first round is a warm-up.
      if (round === 0) continue
      measured.list[candidate].push(found.list)
      measured.table[candidate].push(found.table)
      blocked[candidate].push(found.large)
    }
  }
} finally {
  await browser.close()
  await site[Symbol.asyncDispose]()
}

type Measures = keyof typeof measured
type Figure = Exclude<keyof Measured, 'limits'>
const limitsOf = (page: Measures) =>
  measured[page].telltale.map(({ limits }) => limits.join(' and ') || 'nothing').join(', ')
const middle = (page: Measures, candidate: Candidate, name: Figure) =>
  median(measured[page][candidate].map((each) => each[name]))
/** Relative to the plain page in the same round, because the machine's speed varies. */
const addedBy = (page: Measures, candidate: Candidate, name: Figure) =>
  median(
    measured[page][candidate].map((each, round) => each[name] - (measured[page].nothing[round]?.[name] ?? 0)),
  )
const row = (what: string, name: Figure, write: (value: number) => string) => {
  const cells = (['list', 'table'] as const).flatMap((page) => {
    const added = [addedBy(page, 'telltale', name), addedBy(page, 'datadog', name)] as const
    return [...added.map(write), (added[0] / added[1]).toFixed(2)]
  })
  return `| ${[what, ...cells].join(' | ')} |`
}
const interactionRow = (what: string, name: 'interaction' | 'worst') => {
  const alone = middle('table', 'nothing', name)
  const cells = (['telltale', 'datadog'] as const).map((candidate) => {
    const with_ = middle('table', candidate, name)
    return `${with_.toFixed(0)} ms (${(with_ / alone).toFixed(2)})`
  })
  return `| ${what} | ${alone.toFixed(0)} ms | ${cells.join(' | ')} |`
}
const milliseconds = (value: number) => `${value.toFixed(1)} ms`
const kilobytes = (value: number) => `${(value / 1_000).toFixed(1)} kB`
const longest = (candidate: Candidate) => median(blocked[candidate].map((each) => each.longest))
const layout = median(candidates.flatMap((candidate) => blocked[candidate].map((each) => each.layout)))
const text = [
  `The recorder is ${kilobytes(gzipSync(recorderChunk, { level: 9 }).length)} gzip.`,
  '',
  `What each adds to the page alone, medians of ${rounds} rounds; both mask all text. *List*: a page that changes its document, asks its server, moves through routes, is clicked, typed into and pointed at. *Table*: 2,000 rows that sort, filter, scroll and animate, clicked 15 times. Datadog compresses in a worker, whose time is not in its script time.`,
  '',
  '| | list: Telltale with replay | Datadog RUM with replay | ratio | table: Telltale | Datadog | ratio |',
  '|---|--:|--:|--:|--:|--:|--:|',
  row('script time of the page', 'script', milliseconds),
  row('JS heap after garbage collection', 'heap', kilobytes),
  row('sent of the replay', 'replay', kilobytes),
  row('sent in all, events included', 'sent', kilobytes),
  row('requests for it', 'requests', String),
  '',
  `What the time budget of Telltale's recorder limited, by round: ${limitsOf('list')} (list); ${limitsOf('table')} (table).`,
  '',
  'Interactions of the table by Event Timing, in brackets of the page alone:',
  '',
  '| | the page alone | Telltale | Datadog |',
  '|---|--:|--:|--:|',
  interactionRow('75th percentile', 'interaction'),
  interactionRow('worst', 'worst'),
  '',
  `A page of 20,000 nodes that does nothing: the longest time without a free main thread is ${candidates.map((candidate) => `${milliseconds(longest(candidate))} ${{ nothing: 'alone', telltale: 'with Telltale', datadog: 'with Datadog' }[candidate]}`).join(', ')}; one layout of the whole page takes ${milliseconds(layout)}.`,
].join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('What replay costs a page', text)

async function measure(candidate: Candidate, name: Measures): Promise<Measured> {
  await using opened = await open(candidate, name)
  const { page, session } = opened
  if (candidate === 'telltale') await recorderLoaded(page)
  await pause(settling)
  await (name === 'list' ? useListPage(page) : useTable(page))
  await pause(settling)
  const script =
    1_000 * ((await metric(session, 'ScriptDuration')) + (await metric(session, 'V8CompileDuration')))
  await session.send('HeapProfiler.collectGarbage')
  const heap = await metric(session, 'JSHeapUsedSize')
  const times: number[] =
    name === 'table' ? await page.evaluate(() => Reflect.get(globalThis, 'interactions')()) : []
  times.sort((one, other) => one - other)
  // Leaving the page flushes what is still queued.
  await page.goto('about:blank')
  await pause(500)
  const sent = site.take().filter(({ path }) => path.startsWith('/intake'))
  const ofReplay = sent.filter(({ path }) =>
    /intake\/v1\/(replay|asset)|replay/.test(decodeURIComponent(path)),
  )
  const sum = (requests: typeof sent) => requests.reduce((total, { body }) => total + body.length, 0)
  return {
    script,
    heap,
    replay: sum(ofReplay),
    sent: sum(sent),
    requests: sent.length,
    limits: sent.filter(({ path }) => path.startsWith('/intake/v1/replay')).flatMap(limitsIn),
    interaction: times[Math.floor(times.length * 0.75)] ?? 0,
    worst: times.at(-1) ?? 0,
  }
}

/** What a segment says of the recorder's time budget. */
function limitsIn({ body }: ReceivedRequest): string[] {
  const bytes = gunzipSync(body.subarray(body.indexOf(10) + 1))
  return [...decodeSegment(bytes)].flatMap((operation) =>
    operation.do === 'note' && /^(throttled|thinned|stopped)$/.test(`${operation.note.kind}`)
      ? [`${operation.note.kind}`]
      : [],
  )
}

async function useListPage(page: Page): Promise<void> {
  await usePage(page)
  await page.mouse.move(10, 10)
  await page.mouse.move(600, 400, { steps: 60 })
  await page.locator('#text').pressSequentially('forty-two bicycles', { delay: 20 })
}

/** Without waiting for the page to be quiet before a click, as a user does not. */
async function useTable(page: Page): Promise<void> {
  const finished = page.evaluate(() => Reflect.get(globalThis, 'run')())
  const buttons = ['price', 'name', 'filter', 'filter', 'mark']
  for (const button of [...buttons, 'page', ...buttons, 'page', 'price', 'name', 'mark']) {
    await page.click(`#${button}`, { force: true })
    await pause(150)
  }
  await finished
  await page.locator('#text').pressSequentially('forty-two', { delay: 20 })
}

async function measureLarge(candidate: Candidate): Promise<{ longest: number; layout: number }> {
  await using opened = await open(candidate, 'large')
  const { page } = opened
  await pause(500)
  const layout: number = await page.evaluate(() => Reflect.get(globalThis, 'layout')())
  await pause(200)
  const loaded = candidate === 'telltale' ? recorderLoaded(page) : undefined
  await page.evaluate(() => Reflect.get(globalThis, 'begin')())
  await loaded
  await pause(settling)
  const longest: number = await page.evaluate(() => Reflect.get(globalThis, 'longest')())
  return { longest, layout }
}

interface Opened extends AsyncDisposable {
  page: Page
  session: CDPSession
}

async function open(candidate: Candidate, name: PageName): Promise<Opened> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.on('response', (response) => isRecorder(response) && loaded.add(page))
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  site.take()
  await page.goto(site.addressOf(candidate, name), { waitUntil: 'commit' })
  return { page, session, [Symbol.asyncDispose]: () => context.close() }
}

/** Without a function in the page: Playwright would put its own script into the heap that is measured. */
async function recorderLoaded(page: Page): Promise<void> {
  if (!loaded.has(page)) await page.waitForResponse(isRecorder)
}

async function metric(session: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === wanted)?.value ?? 0
}
