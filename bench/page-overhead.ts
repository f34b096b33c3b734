// What monitoring costs a page: script time of one scripted page that changes its document all the time, alone, with our
// library, and with Datadog's, in turns in the same browser. Prints, and with `-- --write` puts it into bench/results.md.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { chromium, type Page } from '@playwright/test'
import { build } from 'esbuild'
import { bundlePart, bundleScript } from '../scripts/build/sdk.ts'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { writeSection } from './results.ts'

type Candidate = 'nothing' | 'telltale' | 'datadog'

const rounds = Number(process.env.ROUNDS ?? 12)
const wanted = 0.6

const files = new Map<string, string | Uint8Array>([
  [
    '/telltale.js',
    await bundleScript({ live: 'telltale-live-00000000.js', sampled: 'telltale-sampled-00000000.js' }),
  ],
  ['/telltale-live-00000000.js', await bundlePart('live')],
  ['/datadog.js', await bundlePeer()],
])
const heads: Record<Candidate, string> = {
  nothing: '',
  telltale: `<script src="/telltale.js"></script><script>telltale.init({ key: 'bench' })</script>`,
  datadog: `<script src="/datadog.js"></script><script>startDatadog(location.origin + '/intake/datadog')</script>`,
}

const server = createServer((request, response) => {
  const path = request.url?.split('?', 1)[0] ?? ''
  const file = files.get(path)
  request.resume()
  if (file) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(file)
  if (path === '/sdk/v1/config')
    return response.end('{"sampling":{"session":100},"privacyLevel":"mask-inputs"}')
  if (path === '/ofrep/v1/evaluate/flags') return response.end('{"flags":[]}')
  if (path.startsWith('/intake')) return response.writeHead(202).end('{}')
  if (path === '/api') return response.end('ok')
  const head = heads[path.slice(1) as Candidate]
  return response
    .writeHead(head === undefined ? 404 : 200, { 'content-type': 'text/html' })
    .end(pageOf(head ?? ''))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
const candidates: Candidate[] = ['nothing', 'telltale', 'datadog']
const times: Record<Candidate, number[]> = { nothing: [], telltale: [], datadog: [] }
try {
  for (let round = 0; round < rounds + 1; round++) {
    // In turns, each first as often as the others: what the machine does besides meets all of them.
    for (let turn = 0; turn < candidates.length; turn++) {
      const candidate = candidates[(turn + round) % candidates.length]
      if (!candidate) continue
      const time = await measure(candidate)
      // The first round warms up.
      if (round > 0) times[candidate].push(time)
    }
  }
} finally {
  await browser.close()
  server.closeAllConnections()
  server.close()
}

const base = median(times.nothing)
/** Against the page alone of the same round: the machine is not always as fast. */
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

/** Milliseconds that the page's scripts ran, compiling included. */
async function measure(candidate: Candidate): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(`${origin}/${candidate}`)
    await use(page)
    const { metrics } = await session.send('Performance.getMetrics')
    const secondsOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
    return 1_000 * (secondsOf('ScriptDuration') + secondsOf('V8CompileDuration'))
  } finally {
    await context.close()
  }
}

async function use(page: Page): Promise<void> {
  const finished = page.evaluate(() => Reflect.get(globalThis, 'finished'))
  for (let click = 0; click < 8; click++) await page.click('#more')
  await finished
  // What waits for the end is part of the cost.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

function pageOf(head: string): string {
  return `<!doctype html><html><head><title>Bench</title>${head}</head><body><button id="more">More</button><ul id="list"></ul>
<script>
  const list = document.getElementById('list')
  const change = (count) => {
    for (let index = 0; index < count; index++) {
      const item = document.createElement('li')
      item.className = 'item'
      item.textContent = 'Article ' + index
      item.setAttribute('data-index', index)
      list.append(item)
    }
    while (list.childNodes.length > 300) list.firstChild.remove()
    for (const item of list.children) item.setAttribute('data-seen', performance.now() | 0)
  }
  document.getElementById('more').addEventListener('click', () => {
    change(20)
    fetch('/api?article=1').then((answer) => answer.text())
    history.pushState({}, '', '/route-' + Math.random())
  })
  window.finished = new Promise((resolve) => {
    let frames = 0
    const step = () => {
      change(30)
      if (frames % 10 === 0) fetch('/api').then((answer) => answer.text())
      if (frames % 60 === 0) setTimeout(() => { throw new Error('bench') })
      if (++frames < 240) requestAnimationFrame(step)
      else resolve()
    }
    requestAnimationFrame(step)
  })
</script></body></html>`
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

async function bundlePeer(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { datadogRum } from '@datadog/browser-rum'
        globalThis.startDatadog = (proxy) => datadogRum.init({
          applicationId: 'bench', clientToken: 'bench', site: 'datadoghq.com', service: 'bench', proxy,
          sessionSampleRate: 100, sessionReplaySampleRate: 0, trackUserInteractions: true, trackResources: true,
          trackLongTasks: true,
        })`,
      resolveDir: import.meta.dirname,
    },
    ...({ bundle: true, minify: true, write: false, format: 'iife', target: 'es2022' } as const),
  })
  const [output] = outputFiles
  if (!output) throw new Error('esbuild wrote nothing')
  return output.contents
}
