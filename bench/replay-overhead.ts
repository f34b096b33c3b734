// Measures the cost of session replay in a page: script time, memory and sent bytes of one scripted page that changes
// its document constantly, alone, with Telltale's SDK and replay, and with Datadog's, alternating in the same
// browser. Both mask everything. Prints, and with `-- --write` writes into bench/results.md.

import { setTimeout as pause } from 'node:timers/promises'
import { type CDPSession, chromium } from '@playwright/test'
import { bundlePart, bundleScript } from '../scripts/build/sdk.ts'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { bundleDatadog } from './overhead/datadog.ts'
import { median, startOverheadSite, usePage } from './overhead/site.ts'
import { writeSection } from './results.ts'

type Candidate = 'nothing' | 'telltale' | 'datadog'
interface Measured {
  script: number
  heap: number
  replay: number
  sent: number
  requests: number
}

const rounds = Number(process.env.ROUNDS ?? 8)
/** Longer than a segment of either, so that both have finished starting when the page begins to change. */
const settling = 2_000
const recorder = 'telltale-recorder-00000000.js'

const files = new Map<string, string | Uint8Array>([
  [
    '/telltale.js',
    await bundleScript({ live: 'telltale-live-00000000.js', sampled: 'telltale-sampled-00000000.js' }),
  ],
  ['/telltale-live-00000000.js', await bundlePart('live')],
  ['/telltale-sampled-00000000.js', await bundlePart('sampled', { recorder })],
  [`/${recorder}`, await bundlePart('recorder')],
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
const measured: Record<Candidate, Measured[]> = { nothing: [], telltale: [], datadog: [] }
try {
  for (let round = 0; round < rounds + 1; round++) {
    // Rotate, so that each is first equally often and other load on the machine affects all of them.
    for (let turn = 0; turn < candidates.length; turn++) {
      const candidate = candidates[(turn + round) % candidates.length]
      if (!candidate) continue
      const found = await measure(candidate)
      if (process.argv.includes('--verbose')) process.stderr.write(`${candidate} ${JSON.stringify(found)}\n`)
      // The first round is a warm-up.
      if (round > 0) measured[candidate].push(found)
    }
  }
} finally {
  await browser.close()
  await site[Symbol.asyncDispose]()
}

/** Relative to the plain page in the same round, because the machine's speed varies. */
const addedBy = (candidate: Candidate, name: keyof Measured) =>
  median(measured[candidate].map((each, round) => each[name] - (measured.nothing[round]?.[name] ?? 0)))
const ratioOf = (name: keyof Measured) => addedBy('telltale', name) / addedBy('datadog', name)
const row = (what: string, name: keyof Measured, write: (value: number) => string) =>
  `| ${what} | ${[addedBy('telltale', name), addedBy('datadog', name)].map(write).join(' | ')} | ${ratioOf(name).toFixed(2)} |`
const milliseconds = (value: number) => `${value.toFixed(1)} ms`
const kilobytes = (value: number) => `${(value / 1_000).toFixed(1)} kB`
const text = [
  `Replay sends ${ratioOf('replay').toFixed(2)} of what Datadog's does; wanted: at most 1. ${ratioOf('replay') <= 1 ? 'Reached.' : 'Not reached.'}`,
  '',
  `One page that changes its document, asks its server, moves through routes, is clicked, typed into and pointed at, ${rounds} times each; medians of what each adds to the page alone. Both mask all text. Datadog compresses in a worker, whose time is not in its script time.`,
  '',
  '| | Telltale with replay | Datadog RUM with replay | ratio |',
  '|---|--:|--:|--:|',
  row('script time of the page', 'script', milliseconds),
  row('JS heap in use at the end', 'heap', kilobytes),
  row('sent of the replay', 'replay', kilobytes),
  row('sent in all, events included', 'sent', kilobytes),
  row('requests for it', 'requests', String),
].join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('What replay costs a page', text)

async function measure(candidate: Candidate): Promise<Measured> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    site.take()
    await page.goto(site.addressOf(candidate))
    if (candidate === 'telltale') await page.waitForResponse((answer) => answer.url().includes(recorder))
    await pause(settling)
    await usePage(page)
    await page.mouse.move(10, 10)
    await page.mouse.move(600, 400, { steps: 60 })
    await page.locator('#text').pressSequentially('forty-two bicycles', { delay: 20 })
    await pause(settling)
    const script =
      1_000 * ((await metric(session, 'ScriptDuration')) + (await metric(session, 'V8CompileDuration')))
    await session.send('HeapProfiler.collectGarbage')
    const heap = await metric(session, 'JSHeapUsedSize')
    // Leaving the page flushes what is still queued.
    await page.goto('about:blank')
    await pause(500)
    const sent = site.take().filter(({ path }) => path.startsWith('/intake'))
    const ofReplay = sent.filter(({ path }) =>
      /intake\/v1\/(replay|asset)|replay/.test(decodeURIComponent(path)),
    )
    const sum = (requests: typeof sent) => requests.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
    return { script, heap, replay: sum(ofReplay), sent: sum(sent), requests: sent.length }
  } finally {
    await context.close()
  }
}

async function metric(session: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === wanted)?.value ?? 0
}
