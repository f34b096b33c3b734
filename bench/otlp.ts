// Sends spans of OpenTelemetry to the built server, in batches as its clients send them: spans per second that are
// accepted, lost or doubled spans, the server's processor time per span compared with an event of our own client in the
// same run, and the time to open a trace of 2,000 spans among many. `npm run bench:otlp -- --size 10000000`; with
// `--rate 10000 --seconds 300` at a constant rate, and without opening a trace; with `--write` into bench/results.md.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { v7 as newBatchId } from 'uuid'
import type { Measured } from './delivery/measured.ts'
import { atRest } from './intake/at-rest.ts'
import { makeTrace, type SpanToWrite, writeRequest } from './intake/otlp-spans.ts'
import { type SpanLoad, sendLoad } from './intake/span-load.ts'
import { openStore, type Store, startEngine, waitForRows } from './intake/store.ts'
import { userAgents, visit } from './intake/traffic.ts'
import { owner, startServer } from './intake/whole-path.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    /** Spans a second; 0: as many as the server accepts. */
    rate: { type: 'string', default: '0' },
    /** Of each kind in a round of the comparison. */
    rows: { type: 'string', default: '40000' },
    rounds: { type: 'string', default: '3' },
    /** Spans in the store when a trace is opened. */
    size: { type: 'string', default: '2000000' },
    write: { type: 'boolean', default: false },
  },
})
const rate = Number(given.rate)
const key = 'bench-client-key'
/** The default of OpenTelemetry's batch processors. */
const spansPerRequest = 512
const spansPerTrace = 8
const connections = 8
const pollInterval = 50
const patience = 60_000
const largeTrace = 2_000
const opened = 30
let refused = 0

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(join(folder, 'engine'))
try {
  const store = await openStore(engine, 'telltale_bench')
  const server = await startServer(folder, { CLICKHOUSE_URL: store.url })
  const load = await measureLoad(server, store)
  const ratios: { span: number; event: number }[] = []
  for (let round = 0; round < Number(given.rounds); round++) {
    ratios.push({ event: await costOfEvents(server, store), span: await costOfSpans(server, store) })
  }
  const opening = rate === 0 ? await measureOpening(server, store) : undefined
  await server.stop()
  await store.close()
  const text = describe({ load, ratios, opening })
  process.stdout.write(`${text}\n`)
  const title = rate === 0 ? 'Spans of OpenTelemetry' : 'Spans of OpenTelemetry at a constant rate'
  if (given.write) await writeSection(title, text)
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Requests of several traces each. */
function makeRequest(): Uint8Array<ArrayBuffer> {
  const traces = Array.from({ length: spansPerRequest / spansPerTrace }, () =>
    makeTrace(randomBytes(16), Date.now() - Math.random() * 60_000, spansPerTrace),
  )
  return pack(traces.flat())
}

function pack(spans: readonly SpanToWrite[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(writeRequest('orders', spans), { level: 1 }))
}

async function sendSpans({ url }: Measured, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = {
    'content-type': 'application/x-protobuf',
    'content-encoding': 'gzip',
    authorization: `Bearer ${key}`,
  }
  for (;;) {
    const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body })
    const { byteLength } = await answer.arrayBuffer()
    if (answer.status === 200 && byteLength === 0) return
    if (answer.status !== 503 && answer.status !== 429) throw new Error(`/v1/traces: ${answer.status}`)
    refused += 1
    await pause(Number(answer.headers.get('retry-after')) * 1_000)
  }
}

async function countSpans({ telemetry }: Store): Promise<number> {
  const [row] = await telemetry.read<{ n: string }>('SELECT count() AS n FROM spans')
  return Number(row?.n ?? 0)
}

/** Until they are there, or none arrived for too long. */
async function untilSpans(store: Store, wanted: number): Promise<number> {
  let found = await countSpans(store)
  for (let since = performance.now(); found < wanted && performance.now() - since < patience; ) {
    await pause(pollInterval)
    const next = await countSpans(store)
    if (next !== found) since = performance.now()
    found = next
  }
  return found
}

interface Load extends SpanLoad {
  lost: number
  doubled: number
  drain: number
  /** Microseconds of the server for each span. */
  cost: number
}

async function measureLoad(server: Measured, store: Store): Promise<Load> {
  const cpu = await atRest(server)
  const load = await sendLoad(server, {
    ...{ seconds: Number(given.seconds), rate, connections, spansPerRequest },
    send: () => sendSpans(server, makeRequest()),
  })
  const answered = performance.now()
  await untilSpans(store, load.sent)
  const drain = (performance.now() - answered) / 1_000
  const cost = ((await atRest(server)) - cpu) / load.sent
  const [row] = await store.telemetry.read<{ n: string; different: string }>(
    'SELECT count() AS n, uniqExact(trace_id, span_id) AS different FROM spans',
  )
  const [found, different] = [Number(row?.n), Number(row?.different)]
  return { ...load, lost: load.sent - different, doubled: found - different, drain, cost }
}

/** Microseconds of the server's processor time, until all rows are in the tables. */
async function costOfSpans(server: Measured, store: Store): Promise<number> {
  const bodies = Array.from({ length: Math.ceil(Number(given.rows) / spansPerRequest) }, makeRequest)
  const before = await countSpans(store)
  const cpu = await atRest(server)
  for (const body of bodies) await sendSpans(server, body)
  const wanted = bodies.length * spansPerRequest
  await untilSpans(store, before + wanted)
  return ((await atRest(server)) - cpu) / wanted
}

/** The same for our own client: a view of a page with ten flags, and what happened in it, is a batch. */
async function costOfEvents(server: Measured, store: Store): Promise<number> {
  const bodies: Uint8Array<ArrayBuffer>[] = []
  let wanted = 0
  for (const batch of visit({ users: 20_000, clock: () => Date.now(), random: Math.random })) {
    const text = batch.map((line) => `${JSON.stringify(line)}\n`).join('')
    bodies.push(new Uint8Array(gzipSync(text, { level: 1 })))
    wanted += batch.length - 1
    if (wanted >= Number(given.rows)) break
  }
  const before = await store.countRows()
  const cpu = await atRest(server)
  for (const body of bodies) {
    const url = `${server.url}/intake/v1/events?key=${key}&batch=${newBatchId()}&sent=${Date.now()}`
    const answer = await fetch(url, { method: 'POST', headers: { 'user-agent': userAgents[0] ?? '' }, body })
    await answer.arrayBuffer()
    if (answer.status !== 202) throw new Error(`${answer.status}`)
  }
  await waitForRows(store, before + wanted)
  return ((await atRest(server)) - cpu) / wanted
}

interface Opening {
  spans: number
  median: number
  slowest: number
  bytes: number
}

async function measureOpening(server: Measured, store: Store): Promise<Opening> {
  await fill(store, Number(given.size))
  const traceId = randomBytes(16)
  const before = await countSpans(store)
  await sendSpans(server, pack(makeTrace(traceId, Date.now() - 3_600_000, largeTrace)))
  const spans = await untilSpans(store, before + largeTrace)
  const cookie = await signIn(server)
  const path = `/api/v1/projects/shop/environments/production/traces/${traceId.toString('hex')}`
  const times: number[] = []
  let bytes = 0
  for (let turn = 0; turn < opened; turn++) {
    const begun = performance.now()
    const answer = await fetch(server.url + path, { headers: { cookie } })
    const text = await answer.text()
    times.push(performance.now() - begun)
    bytes = text.length
    const read: { spanList: unknown[] } = JSON.parse(text)
    if (read.spanList.length !== largeTrace) throw new Error(`${read.spanList.length} spans`)
  }
  const sorted = times.toSorted((one, other) => one - other)
  return { spans, median: sorted[opened >> 1] ?? 0, slowest: sorted.at(-1) ?? 0, bytes }
}

/** Copies of what is there, in other traces and over a day. */
async function fill(store: Store, wanted: number): Promise<void> {
  const columns =
    '* REPLACE (reinterpretAsUUID(sipHash128(trace_id, {turn:UInt32})) AS trace_id, ts - toIntervalSecond(cityHash64(trace_id, {turn:UInt32}) % 80000) AS ts)'
  const url = new URL(store.url)
  const headers = { authorization: `Basic ${btoa(`${url.username}:${decodeURIComponent(url.password)}`)}` }
  const database = url.pathname.slice(1)
  for (let turn = 0; (await countSpans(store)) < wanted; turn++) {
    const text = `INSERT INTO ${database}.spans SELECT ${columns.replaceAll('{turn:UInt32}', String(turn))} FROM ${database}.spans LIMIT ${Math.min(500_000, wanted)}`
    const answer = await fetch(url.origin, { method: 'POST', headers, body: text })
    if (!answer.ok) throw new Error(await answer.text())
  }
}

async function signIn({ url }: Measured): Promise<string> {
  const { email, password } = owner
  const answer = await fetch(`${url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}

interface Results {
  load: Load
  ratios: readonly { span: number; event: number }[]
  opening: Opening | undefined
}

function describe({ load, ratios, opening }: Results): string {
  const middle = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
  const ratio = middle(ratios.map(({ span, event }) => span / event))
  const rows = [
    ['spans a second, accepted (generator on the same machine)', load.perSecond.toFixed(0)],
    ['accepted / lost / doubled', `${load.sent} / ${load.lost} / ${load.doubled}`],
    ['requests that were refused, and sent again', String(refused)],
    ...(rate === 0 ? [] : [['latest request after its time', `${load.late.toFixed(1)} s`]]),
    ['in the tables after the last answer', `${load.drain.toFixed(1)} s`],
    ['memory of the server at most', `${(load.memory / 1_048_576).toFixed(0)} MiB`],
    ['µs of the server for each span under this load', load.cost.toFixed(1)],
    ['µs of the server for each span', middle(ratios.map(({ span }) => span)).toFixed(1)],
    [
      'µs of the server for each event of our own client',
      middle(ratios.map(({ event }) => event)).toFixed(1),
    ],
    ['ratio, median of the rounds', ratio.toFixed(2)],
    ...(opening === undefined ? [] : describeOpening(opening)),
  ]
  return [
    '| | |\n|---|--:|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    `Protobuf with gzip, ${spansPerRequest} spans a request, ${spansPerTrace} a trace, ${rate === 0 ? '' : `${rate} spans a second `}for ${given.seconds} s over ${connections} connections; ${ratios.length} rounds of ${given.rows} rows of each kind, from the first request until all rows are in the tables of another process and the server has nothing more to do${opening === undefined ? '' : `; ${opened} openings`}.`,
  ].join('\n')
}

const describeOpening = ({ spans, median, slowest, bytes }: Opening) => [
  [
    `open a trace of ${largeTrace} spans among ${spans}, median / slowest`,
    `${median.toFixed(0)} / ${slowest.toFixed(0)} ms`,
  ],
  ['its answer', `${(bytes / 1_024).toFixed(0)} KiB`],
]
