// Requests flags over HTTP, and the same bytes from a bare Node server in the same run; prints requests per second of
// processor time, and their ratio. `npm run bench:delivery`; with `-- --write` into bench/results.md.

import { type LoadRequest, load } from './delivery/load.ts'
import type { Measured } from './delivery/measured.ts'
import { startBare } from './delivery/start-bare.ts'
import { clientKey, startTelltale } from './delivery/start-telltale.ts'
import { contexts } from './flags.ts'
import { writeSection } from './results.ts'

const rounds = 7
const slice = 1_500
const bulk = '/ofrep/v1/evaluate/flags'

interface Scenario {
  name: string
  path: string
  target: number
  unchanged?: boolean
}

const scenarios: Scenario[] = [
  { name: 'One flag', path: `${bulk}/flag-8`, target: 0.8 },
  { name: 'All of 100 flags', path: bulk, target: 0.4 },
  { name: 'All of 100 flags, unchanged (304)', path: bulk, target: 0.85, unchanged: true },
]

const telltale = await startTelltale()
const lines = [
  '| | requests per CPU second, Telltale | bare `node:http` | ratio | wanted | |',
  '|---|--:|--:|--:|--:|---|',
]
for (const scenario of scenarios) lines.push(await compare(scenario))
await telltale.stop()
const text = lines.join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('Delivery over HTTP', text)

async function compare({ name, path, target, unchanged = false }: Scenario): Promise<string> {
  const { url } = telltale
  const bodies = contexts.map((context) => JSON.stringify({ context }))
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    authorization: `Bearer ${clientKey}`,
  }
  if (unchanged) {
    bodies.length = 1
    const first = await fetch(url + path, {
      method: 'POST',
      headers: identity(headers),
      body: bodies[0] ?? '',
    })
    headers['if-none-match'] = first.headers.get('etag') ?? ''
  }
  const request = { path, headers, bodies }
  const bare = await startBare(await ask(url, request))
  const rates: { ours: number; theirs: number }[] = []
  for (let round = -2; round < rounds; round++) {
    const theirs = await rateOf(bare, { ...request, url: bare.url })
    const ours = await rateOf(telltale, { ...request, url })
    if (round >= 0) rates.push({ ours, theirs })
  }
  await bare.stop()
  const ours = median(rates.map((rate) => rate.ours))
  const theirs = median(rates.map((rate) => rate.theirs))
  const ratio = median(rates.map((rate) => rate.ours / rate.theirs))
  const verdict = ratio >= target ? 'reached' : 'missed'
  return `| ${name} | ${ours.toFixed(0)} | ${theirs.toFixed(0)} | ${ratio.toFixed(2)} | ${target} | ${verdict} |`
}

function ask(url: string, { path, headers, bodies }: Omit<LoadRequest, 'url'>): Promise<Response> {
  return fetch(url + path, { method: 'POST', headers: identity(headers), body: bodies[0] ?? '' })
}

function identity(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'accept-encoding': 'identity' }
}

/** Requests per second of processor time. */
async function rateOf(server: Measured, request: LoadRequest): Promise<number> {
  const before = await server.measure()
  const count = await load(request, slice)
  const after = await server.measure()
  return (count * 1e6) / (after.cpu - before.cpu)
}

function median(values: number[]): number {
  return values.sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN
}
