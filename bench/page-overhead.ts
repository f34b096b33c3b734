// Measures the cost of monitoring in a page: script time of one scripted page that changes its document constantly,
// alone, with Telltale's SDK, and with Datadog's, alternating in the same browser. Prints, and with `-- --write`
// writes into bench/results.md.

import { chromium } from '@playwright/test'
import { bundlePart, bundleScript } from '../scripts/build/sdk.ts'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { bundleDatadog } from './overhead/datadog.ts'
import { median, startOverheadSite, usePage } from './overhead/site.ts'
import { writeSection } from './results.ts'

type Candidate = 'nothing' | 'telltale' | 'datadog'

const rounds = Number(process.env.ROUNDS ?? 12)
const wanted = 0.6

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
  ['/datadog.js', await bundleDatadog({ sessionReplaySampleRate: 0 })],
])
const heads: Record<Candidate, string> = {
  nothing: '',
  telltale: `<script src="/telltale.js"></script><script>telltale.init({ key: 'bench' })</script>`,
  datadog: `<script src="/datadog.js"></script><script>startDatadog(location.origin + '/intake/datadog')</script>`,
}
const settings = { sampling: { session: 100 }, privacyLevel: 'mask-inputs' }
const site = await startOverheadSite({ files, heads, settings })

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
const candidates: Candidate[] = ['nothing', 'telltale', 'datadog']
const times: Record<Candidate, number[]> = { nothing: [], telltale: [], datadog: [] }
try {
  for (let round = 0; round < rounds + 1; round++) {
    // Rotate, so that each is first equally often and other load on the machine affects all of them.
    for (let turn = 0; turn < candidates.length; turn++) {
      const candidate = candidates[(turn + round) % candidates.length]
      if (!candidate) continue
      const time = await measure(candidate)
      // The first round is a warm-up.
      if (round > 0) times[candidate].push(time)
    }
  }
} finally {
  await browser.close()
  await site[Symbol.asyncDispose]()
}

const base = median(times.nothing)
/** Relative to the plain page in the same round, because the machine's speed varies. */
const addedBy = (candidate: Candidate) =>
  median(times[candidate].map((time, round) => time - (times.nothing[round] ?? base)))
const added = { telltale: addedBy('telltale'), datadog: addedBy('datadog') }
const ratio = added.telltale / added.datadog
const text = [
  `${ratio.toFixed(2)} of Datadog's; wanted: at most ${wanted}. ${ratio <= wanted ? 'Reached.' : 'Not reached.'}`,
  '',
  `One page that changes its document, asks its server, moves through routes and is clicked, ${rounds} times each, medians; without replay.`,
  '',
  '| | script time, ms | added, ms |',
  '|---|--:|--:|',
  `| the page alone | ${base.toFixed(1)} | |`,
  `| with Telltale | ${median(times.telltale).toFixed(1)} | ${added.telltale.toFixed(1)} |`,
  `| with Datadog RUM | ${median(times.datadog).toFixed(1)} | ${added.datadog.toFixed(1)} |`,
].join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('What monitoring costs a page', text)

/** Script time of the page in milliseconds, including compilation. */
async function measure(candidate: Candidate): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(site.addressOf(candidate))
    await usePage(page)
    // Work deferred until the page is hidden is part of the cost.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    const { metrics } = await session.send('Performance.getMetrics')
    const secondsOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
    return 1_000 * (secondsOf('ScriptDuration') + secondsOf('V8CompileDuration'))
  } finally {
    await context.close()
  }
}
