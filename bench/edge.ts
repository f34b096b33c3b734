// Requests flags from an edge, from its server and from a bare Node server in the same run, and opens event streams at
// the edge. `npm run bench:edge`; with `-- --write` into bench/results.md, with `-- --profile FOLDER` a profile of the
// edge for each kind of request, with `-- --requests` without the streams, with `-- --only TEXT`
// the requests whose name contains it.

import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoadRequest, load } from './delivery/load.ts'
import { type Measured, startMeasured } from './delivery/measured.ts'
import { startBare } from './delivery/start-bare.ts'
import { clientKey, serverKey, startTelltale } from './delivery/start-telltale.ts'
import { measureStreams } from './edge/streams.ts'
import { contexts } from './flags.ts'
import { writeSection } from './results.ts'

const program = new URL('../packages/server/dist/main.js', import.meta.url)
const rounds = 7
const slice = 1_500
const connections = 16
/** More contexts than a connection asks for in one slice. */
const newPerConnection = 4_000
const bulk = '/ofrep/v1/evaluate/flags'

interface Scenario {
  name: string
  path: string
  target: number | undefined
  unchanged?: boolean
  /** Each context is asked for once. */
  isNew?: boolean
}

const scenarios: Scenario[] = [
  { name: 'One flag', path: `${bulk}/flag-8`, target: 0.8 },
  { name: 'One flag, each context once', path: `${bulk}/flag-8`, target: undefined, isNew: true },
  { name: 'All of 100 flags', path: bulk, target: 0.45 },
  { name: 'All of 100 flags, each context once', path: bulk, target: undefined, isNew: true },
  { name: 'All of 100 flags, unchanged (304)', path: bulk, target: 0.9, unchanged: true },
]
const headers: Record<string, string> = {
  'content-type': 'application/json; charset=utf-8',
  authorization: `Bearer ${clientKey}`,
}
const optionOf = (name: string) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
const profiles = optionOf('--profile')
const only = optionOf('--only') ?? ''
const chosen = scenarios.filter(({ name }) => name.includes(only))

const telltale = await startTelltale()
const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-edge-'))
const startEdge = (name: string, env: Record<string, string> = {}) => {
  const args = ['edge', '--server', telltale.url, '--key', serverKey, '--port', '0']
  return startMeasured(program, [...args, '--data', join(folder, name)], {
    TELLTALE_LOG_LEVEL: 'error',
    ...env,
  })
}
const edge = await startEdge('requests')
const lines = [
  '| | requests per CPU second, edge | server | bare `node:http` | edge : bare | wanted | | server : bare |',
  '|---|--:|--:|--:|--:|--:|---|--:|',
]
for (const scenario of chosen) {
  lines.push(await compare(scenario))
  process.stderr.write(`${lines.at(-1)}\n`)
}
if (profiles !== undefined) for (const scenario of chosen) await profile(scenario, profiles)
await edge.stop()
const streams = process.argv.includes('--requests') ? [] : await measureStreams(telltale, startEdge)
await telltale.stop()
await rm(folder, { recursive: true, force: true })

const [load1 = 0] = loadavg()
const text = [
  ...lines,
  '',
  ...streams,
  '',
  `The load of the machine was ${load1.toFixed(1)} at the end.`,
].join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('An edge', text)

async function compare({ name, path, target, unchanged = false, isNew = false }: Scenario): Promise<string> {
  const request: LoadRequest = { url: '', path, headers: { ...headers }, bodies: bodiesOf(isNew) }
  if (unchanged) await makeUnchanged(request)
  const bare = await startBare(await ask(request))
  const rates: { edge: number; server: number; bare: number }[] = []
  for (let round = -2; round < rounds; round++) {
    const next = { ...request, ...(isNew ? { bodies: bodiesOf(true), apart: newPerConnection } : {}) }
    const theirs = await rateOf(bare, next)
    const ours = await rateOf(edge, next)
    const ofServer = await rateOf(telltale, next)
    if (round >= 0) rates.push({ edge: ours, server: ofServer, bare: theirs })
  }
  await bare.stop()
  const rate = (server: 'edge' | 'server' | 'bare') => median(rates.map((each) => each[server])).toFixed(0)
  const ratio = median(rates.map((each) => each.edge / each.bare))
  const ofServer = median(rates.map((each) => each.server / each.bare))
  const verdict = target === undefined ? '' : ratio >= target ? 'reached' : 'missed'
  return `| ${name} | ${rate('edge')} | ${rate('server')} | ${rate('bare')} | ${ratio.toFixed(2)} | ${target ?? ''} | ${verdict} | ${ofServer.toFixed(2)} |`
}

async function profile({ name, path, unchanged = false, isNew = false }: Scenario, into: string) {
  const profiled = await startEdge('profiled')
  const request: LoadRequest = { url: profiled.url, path, headers: { ...headers }, bodies: bodiesOf(isNew) }
  if (isNew) request.apart = newPerConnection
  if (unchanged) await makeUnchanged(request)
  await load(request, slice)
  await profiled.profile(join(into, `${name.replace(/\W+/g, '-')}.cpuprofile`))
  if (isNew) request.bodies = bodiesOf(true)
  await load(request, slice)
  await profiled.stop()
}

async function makeUnchanged(request: LoadRequest): Promise<void> {
  request.bodies.length = 1
  const { headers: answered } = await ask(request)
  request.headers['if-none-match'] = answered.get('etag') ?? ''
}

function ask({ path, headers, bodies }: LoadRequest): Promise<Response> {
  const given = { ...headers, 'accept-encoding': 'identity' }
  return fetch(edge.url + path, { method: 'POST', headers: given, body: bodies[0] ?? '' })
}

/** Requests per second of processor time. */
async function rateOf(server: Measured, request: LoadRequest): Promise<number> {
  const before = await server.measure()
  const count = await load({ ...request, url: server.url }, slice)
  const after = await server.measure()
  return (count * 1e6) / (after.cpu - before.cpu)
}

function median(values: number[]): number {
  return values.sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN
}

function bodiesOf(isNew: boolean): string[] {
  if (!isNew) return contexts.map((context) => JSON.stringify({ context }))
  const start = Math.floor(Math.random() * 1e12)
  return Array.from({ length: connections * newPerConnection }, (_, index) => {
    const context = contexts[index % contexts.length]
    return JSON.stringify({ context: { ...context, targetingKey: `user-${start + index}` } })
  })
}
