// Compares the server's processor time per row for batches of the Datadog client and of Telltale's: the same visits,
// views, vitals, requests, errors and flags in both formats to the built server, alternating and at the same rate. At
// full speed the faster one would wait for the disk more often, at additional cost. `npm run bench:datadog`; with
// `--write` into bench/results.md.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { deflateSync, gzipSync } from 'node:zlib'
import { v7 as newBatchId, v4 as newId } from 'uuid'
import type { Measured } from './delivery/measured.ts'
import { atRest } from './intake/at-rest.ts'
import { toDatadog } from './intake/datadog-lines.ts'
import { openStore, type Store, startEngine, waitForRows } from './intake/store.ts'
import { type Line, userAgents, visit } from './intake/traffic.ts'
import { owner, startServer } from './intake/whole-path.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '24000' },
    rounds: { type: 'string', default: '5' },
    /** Page views per second. */
    pace: { type: 'string', default: '200' },
    write: { type: 'boolean', default: false },
  },
})
const wantedRatio = 2
const connections = 64
const key = 'bench-client-key'

interface Body {
  path: string
  body: Uint8Array<ArrayBuffer>
  /** Lines in the client's own format. */
  lines: number
  unpackedBytes: number
}

type Pack = (batch: readonly Line[]) => Body

const ours: Pack = (batch) => {
  const text = batch.map((line) => `${JSON.stringify(line)}\n`).join('')
  return {
    path: `/intake/v1/events?key=${key}&batch=${newBatchId()}&sent=${Date.now()}`,
    body: new Uint8Array(gzipSync(text, { level: 1 })),
    lines: batch.length,
    unpackedBytes: text.length,
  }
}

const theirs: Pack = (batch) => {
  const parameters = new URLSearchParams({
    ddsource: 'browser',
    'dd-api-key': key,
    'dd-evp-encoding': 'deflate',
    'dd-request-id': newId(),
    batch_time: String(Date.now()),
  })
  const lines = toDatadog(batch).map((line) => JSON.stringify(line))
  const text = lines.join('\n')
  return {
    path: `/intake/datadog?ddforward=${encodeURIComponent(`/api/v2/rum?${parameters}`)}`,
    body: new Uint8Array(deflateSync(text, { level: 1 })),
    lines: lines.length,
    unpackedBytes: text.length,
  }
}

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(join(folder, 'engine'))
try {
  const store = await openStore(engine, 'telltale_bench')
  const server = await startServer(folder, { CLICKHOUSE_URL: store.url })
  await makeFlags(server.url)
  const rows = Number(given.rows)
  // Warm-up: neither pays for one-time compilation and connections.
  for (const pack of [ours, theirs]) await measure(server, store, { pack, rows })
  const rounds: { ours: Cost; theirs: Cost }[] = []
  for (let round = 0; round < Number(given.rounds); round++) {
    const costs = new Map<Pack, Cost>()
    const turns = round % 2 === 0 ? [ours, theirs] : [theirs, ours]
    for (const pack of turns) costs.set(pack, await measure(server, store, { pack, rows }))
    const [own, other] = [costs.get(ours), costs.get(theirs)]
    if (own !== undefined && other !== undefined) rounds.push({ ours: own, theirs: other })
  }
  await server.stop()
  await store.close()
  const text = describe(rounds)
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('Events of the Datadog client', text)
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

interface Cost {
  /** Microseconds of the server's processor time. */
  perRow: number
  perView: number
  bytesPerRow: number
  linesPerView: number
  unpackedPerView: number
  /** Views per second, as acknowledged. */
  pace: number
}

/** From the first request until everything is in the tables and the server is idle. */
async function measure(
  server: Measured,
  store: Store,
  { pack, rows: wanted }: { pack: Pack; rows: number },
): Promise<Cost> {
  const bodies: Body[] = []
  let expected = 0
  for (const batch of visit({ users: 20_000, clock: () => Date.now(), random: Math.random })) {
    bodies.push(pack(batch))
    expected += batch.length - 1
    if (expected >= wanted) break
  }
  // One body per view: a client would neither split it nor wait for the next.
  const views = bodies.length
  const sum = (of: (body: Body) => number) => bodies.reduce((total, body) => total + of(body), 0)
  const said = {
    bytesPerRow: sum(({ body }) => body.length) / expected,
    linesPerView: sum(({ lines }) => lines) / views,
    unpackedPerView: sum(({ unpackedBytes }) => unpackedBytes) / views,
  }
  const before = await store.countRows()
  const cpu = await atRest(server)
  const send = async ({ path, body }: Body) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'user-agent': userAgents[0] ?? '' },
      body,
    })
    await answer.arrayBuffer()
    if (answer.status !== 202) throw new Error(`${path}: ${answer.status}`)
  }
  const began = performance.now()
  let sent = 0
  const sendInTime = async () => {
    for (let next = bodies[sent++]; next !== undefined; next = bodies[sent++]) {
      const due = began + ((sent - 1) / Number(given.pace)) * 1_000
      if (due > performance.now()) await pause(due - performance.now())
      await send(next)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTime))
  const pace = (views / (performance.now() - began)) * 1_000
  const rows = (await waitForRows(store, before + expected)) - before
  if (rows !== expected) throw new Error(`${rows} rows of ${expected}: the two do not say the same`)
  const used = (await atRest(server)) - cpu
  process.stderr.write(
    `${pack.name}: ${(used / rows).toFixed(1)} µs for each row, ${pace.toFixed(0)} views a second\n`,
  )
  return { perRow: used / rows, perView: used / views, ...said, pace }
}

function describe(rounds: readonly { ours: Cost; theirs: Cost }[]): string {
  const middle = (values: number[]) => values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0
  const ratio = middle(rounds.map((round) => round.theirs.perRow / round.ours.perRow))
  const pace = middle(rounds.flatMap((round) => [round.ours.pace, round.theirs.pace]))
  const row = (name: string, costs: Cost[]) => {
    const of = (read: (cost: Cost) => number) => middle(costs.map(read))
    const cells = [
      of(({ perView }) => perView).toFixed(0),
      of(({ perRow }) => perRow).toFixed(0),
      of(({ linesPerView }) => linesPerView).toFixed(1),
      (of(({ unpackedPerView }) => unpackedPerView) / 1_024).toFixed(1),
      of(({ bytesPerRow }) => bytesPerRow).toFixed(0),
    ]
    return `| ${name} | ${cells.join(' | ')} |`
  }
  const table = [
    '| | µs of the server for each view of a page | for each row | lines of a view | KiB of a view unpacked | bytes of a row as it travels |',
    '|---|--:|--:|--:|--:|--:|',
    row(
      'our own',
      rounds.map((round) => round.ours),
    ),
    row(
      'Datadog',
      rounds.map((round) => round.theirs),
    ),
  ]
  return [
    `${ratio.toFixed(2)} times the processor time of our own format; wanted: at most ${wantedRatio}. ${ratio <= wantedRatio ? 'Reached' : 'Missed'}.`,
    table.join('\n'),
    `The same visits said in both ways, so that what pages saw and the rows that it becomes are the same; a view is a batch, ten flags in each, two of them drawn by splits. ${rounds.length} turns of ${given.rows} rows, medians (the ratio is the median of the turns), from the first request until all rows are in the tables of another process and the server has nothing more to do; ${pace.toFixed(0)} views a second, ${given.pace} wanted.`,
  ].join('\n\n')
}

/** The visits' ten flags; the reported exposures are those that the two splits assign. */
async function makeFlags(url: string): Promise<void> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const { email, password } = owner
  const signedIn = await call('POST', '/api/v1/sign-in', { email, password })
  headers.cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const split = [
    { variation: 'on', weight: 100_000 },
    { variation: 'off', weight: 0 },
  ]
  for (const flag of ['checkout', 'banner', ...Array.from({ length: 8 }, (_, index) => `flag-${index}`)]) {
    await call('POST', '/api/v1/projects/shop/flags', { key: flag, name: flag, valueType: 'boolean' })
    await call('PUT', `/api/v1/projects/shop/environments/production/flags/${flag}/config`, {
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [],
      version: 1,
      fallthrough: flag.startsWith('flag-') ? { variation: 'on' } : { split },
    })
  }
}
