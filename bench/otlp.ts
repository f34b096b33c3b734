// Sends spans of OpenTelemetry to the built server, in batches as its clients send them: spans per second that are
// accepted, lost or doubled spans, the server's processor time per span compared with an event of our own client in the
// same run, and the time to open a trace of 2,000 spans among many. `npm run bench:otlp -- --size 10000000`; with
// `--write` into bench/results.md.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { v7 as newBatchId } from 'uuid'
import type { Measured } from './delivery/measured.ts'
import { atRest } from './intake/at-rest.ts'
import { makeTrace, type SpanToWrite, writeRequest } from './intake/otlp-spans.ts'
import { openStore, type Store, startEngine, waitForRows } from './intake/store.ts'
import { userAgents, visit } from './intake/traffic.ts'
import { owner, startServer } from './intake/whole-path.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    /** Of each kind in a round of the comparison. */
    rows: { type: 'string', default: '40000' },
    rounds: { type: 'string', default: '3' },
    /** Spans in the store when a trace is opened. */
    size: { type: 'string', default: '2000000' },
    write: { type: 'boolean', default: false },
  },
})
const key = 'bench-client-key'
/** The default of OpenTelemetry's batch processors. */
const spansPerRequest = 512
const spansPerTrace = 8
const connections = 8
const largeTrace = 2_000
const opened = 30

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
  const opening = await measureOpening(server, store)
  await server.stop()
  await store.close()
  const text = describe({ load, ratios, opening })
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('Spans of OpenTelemetry', text)
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
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function countSpans({ telemetry }: Store): Promise<number> {
  const [row] = await telemetry.read<{ n: string }>('SELECT count() AS n FROM spans')
  return Number(row?.n ?? 0)
}

async function untilSpans(store: Store, wanted: number): Promise<number> {
  let found = await countSpans(store)
  for (let unchanged = 0; found < wanted && unchanged < 600; ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const next = await countSpans(store)
    unchanged = next === found ? unchanged + 1 : 0
    found = next
  }
  return found
}

interface Load {
  perSecond: number
  missing: number
  drain: number
}

/** As fast as the server answers, from the same machine. */
async function measureLoad(server: Measured, store: Store): Promise<Load> {
  const end = performance.now() + Number(given.seconds) * 1_000
  const begun = performance.now()
  let sent = 0
  const work = async () => {
    while (performance.now() < end) {
      await sendSpans(server, makeRequest())
      sent += spansPerRequest
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - begun) / 1_000
  const answered = performance.now()
  await untilSpans(store, sent)
  const drain = (performance.now() - answered) / 1_000
  await atRest(server)
  return { perSecond: sent / seconds, missing: sent - (await countSpans(store)), drain }
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
  opening: Opening
}

function describe({ load, ratios, opening }: Results): string {
  const middle = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
  const ratio = middle(ratios.map(({ span, event }) => span / event))
  const rows = [
    ['spans a second, accepted (generator on the same machine)', load.perSecond.toFixed(0)],
    ['lost (or doubled, below zero)', String(load.missing)],
    ['in the tables after the last answer', `${load.drain.toFixed(1)} s`],
    ['µs of the server for each span', middle(ratios.map(({ span }) => span)).toFixed(1)],
    [
      'µs of the server for each event of our own client',
      middle(ratios.map(({ event }) => event)).toFixed(1),
    ],
    ['ratio, median of the rounds', ratio.toFixed(2)],
    [
      `open a trace of ${largeTrace} spans among ${opening.spans}, median / slowest`,
      `${opening.median.toFixed(0)} / ${opening.slowest.toFixed(0)} ms`,
    ],
    ['its answer', `${(opening.bytes / 1_024).toFixed(0)} KiB`],
  ]
  return [
    '| | |\n|---|--:|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    `Protobuf with gzip, ${spansPerRequest} spans a request, ${spansPerTrace} a trace, for ${given.seconds} s over ${connections} connections; ${ratios.length} rounds of ${given.rows} rows of each kind, from the first request until all rows are in the tables of another process and the server has nothing more to do; ${opened} openings.`,
  ].join('\n')
}
