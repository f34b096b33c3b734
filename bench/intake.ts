// Hands telemetry to the built server at a steady rate, then stores the same kind of rows in the bare engine: prints how long
// a 202 takes, what was lost, how long the spool takes to drain, how the two rates compare, and what an event takes on disk.
// `npm run build && npm run bench:intake -- --rate 2000 --seconds 20 --events 200000`; with `--write` into bench/results.md.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { eventColumns, viewColumns } from '@telltale/core/telemetry/event-row'
import { connectTelemetry } from '../packages/server/src/engines/clickhouse/connect.ts'
import { startClickhouse } from '../packages/server/src/engines/clickhouse/start.ts'
import type { Telemetry } from '../packages/server/src/engines/clickhouse/telemetry.ts'
import { createBoundNames } from '../packages/server/src/intake/bound-names.ts'
import { readBrowser } from '../packages/server/src/intake/browsers.ts'
import { createPipeline } from '../packages/server/src/intake/pipeline.ts'
import { scrubOf } from '../packages/server/src/intake/steps/scrub-rules.ts'
import { startMeasured } from './delivery/measured.ts'
import { visit } from './intake/traffic.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
    events: { type: 'string', default: '50000' },
    write: { type: 'boolean', default: false },
  },
})
const program = new URL('../packages/server/dist/main.js', import.meta.url)
const environmentId = '0198a2c4-0000-7000-8000-000000000001'
const drainLimit = 600_000
const rowsPerInsert = 2_000
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface Sent {
  batches: number
  events: number
  refused: number
  seconds: number
  p50: number
  p99: number
  /** From when it was due: longer where the generator itself got no processor. */
  dueP50: number
  dueP99: number
}

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startClickhouse({ dataFolder: join(folder, 'engine'), log: silent })
try {
  const intake = await measureIntake()
  const bare = await measureBare(Number(given.events))
  const text = [
    '| | |',
    '|---|--:|',
    `| events a second, asked | ${given.rate} |`,
    `| events a second, accepted | ${intake.rate.toFixed(0)} |`,
    `| 202 after, p50 / p99 | ${intake.p50.toFixed(1)} / ${intake.p99.toFixed(1)} ms |`,
    `| the same from when it was due | ${intake.dueP50.toFixed(1)} / ${intake.dueP99.toFixed(1)} ms |`,
    `| lost, doubled | ${intake.lost} |`,
    `| refused, and taken later | ${intake.refused} |`,
    `| spool empty after the last 202 | ${intake.drain.toFixed(1)} s |`,
    `| server, of one core | ${(intake.cores * 100).toFixed(0)} % |`,
    `| server, memory | ${(intake.memory / 1e6).toFixed(0)} MB |`,
    `| bare engine, rows a second | ${bare.rate.toFixed(0)} |`,
    `| accepted, of the bare engine's rate | ${(intake.rate / bare.rate).toFixed(2)} |`,
    `| stored, bytes an event (${bare.events} events) | ${bare.bytesPerEvent.toFixed(1)} |`,
  ].join('\n')
  process.stdout.write(`${text}\n${bare.tables}\n`)
  if (given.write) await writeSection('Intake', `${text}\n\n${bare.tables}`)
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

async function openStore(
  database: string,
): Promise<{ telemetry: Telemetry; url: string; close(): Promise<void> }> {
  const { url: address, username = '', password = '' } = engine.target()
  const url = new URL(`/${database}`, address)
  url.username = username
  url.password = password
  const config = {
    dataFolder: folder,
    clickhouseUrl: url.href,
    clickhouseCluster: undefined,
    telemetryMemory: undefined,
  }
  const connected = connectTelemetry({ config, log: silent, withLock: (work) => work() })
  connected.open()
  await connected.telemetry.untilUsable(AbortSignal.timeout(drainLimit))
  return { telemetry: connected.telemetry, url: url.href, close: connected.close }
}

async function measureIntake() {
  const { telemetry, url, close } = await openStore('telltale_bench')
  const setup = join(folder, 'setup.json')
  const owner = { email: 'bench@example.com', name: 'Bench', password: 'a password for benchmarks' }
  const environments = [{ key: 'production', keys: [{ kind: 'client', value: 'bench-client-key' }] }]
  await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
  process.env.CLICKHOUSE_URL = url
  const args = ['--port', '0', '--data', join(folder, 'data'), '--setup', setup, '--log-level', 'error']
  const server = await startMeasured(program, args)
  const count = async () => {
    const tables = ['events', 'views'].map((table) =>
      telemetry.read<{ n: string }>(`SELECT count() AS n FROM ${table}`),
    )
    const counts = (await Promise.all(tables)).map(([row]) => Number(row?.n ?? 0))
    return counts.reduce((sum, each) => sum + each, 0)
  }
  const before = await server.measure()
  const sent = await generate(server.url)
  const after = await server.measure()
  const ended = performance.now()
  while ((await count()) < sent.events && performance.now() - ended < drainLimit) await pause(100)
  const drain = (performance.now() - ended) / 1_000
  // What came twice would come a little later.
  await pause(2_000)
  const lost = sent.events - (await count())
  await server.stop()
  await close()
  const cores = (after.cpu - before.cpu) / 1e6 / sent.seconds
  return { ...sent, rate: sent.events / sent.seconds, drain, lost, cores, memory: after.memory }
}

async function generate(url: string): Promise<Sent> {
  const generator: ChildProcess = fork(
    fileURLToPath(new URL('intake/generator.ts', import.meta.url)),
    [url, given.rate, given.seconds],
    { execArgv: ['--import', 'tsx'] },
  )
  const [sent] = await once(generator, 'message', { signal: AbortSignal.timeout(drainLimit) })
  return sent
}

/** The same rows, over thirty days, handed to the engine without anything around it. */
async function measureBare(events: number) {
  const { telemetry, close } = await openStore('telltale_bare')
  const days = 30
  const end = Date.now()
  let made = 0
  const clock = () => end - days * 86_400_000 * (1 - made / events)
  const traffic = visit({ users: Math.max(100, Math.ceil(events / 160)), clock, random: Math.random })
  const boundName = createBoundNames(Date.now)
  let [rows, views]: [string[], string[]] = [[], []]
  let time = 0
  let inserts = 0
  const flush = async () => {
    const batch = { rows: Buffer.from(rows.join('\n')), token: `bare-${inserts}` }
    const begun = performance.now()
    const outcome = await telemetry.insert({ table: 'events', columns: eventColumns, ...batch })
    time += performance.now() - begun
    if (outcome.kind !== 'stored') throw new Error(JSON.stringify(outcome))
    const states = { rows: Buffer.from(views.join('\n')), token: `bare-views-${inserts}` }
    await telemetry.insert({ table: 'views', columns: viewColumns, ...states })
    inserts += 1
    ;[rows, views] = [[], []]
  }
  for (const batch of traffic) {
    const pipeline = createPipeline({
      origin: {
        environmentId,
        projectId: environmentId,
        receivedAt: clock(),
        source: 'telltale',
        country: 'NO',
        ...readBrowser({
          userAgent:
            'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
        }),
      },
      clockOffset: 0,
      share: 1,
      contexts: new Map(),
      boundName,
      scrub: scrubOf(undefined),
      isErased: () => false,
    })
    for (const line of batch) pipeline.take(Buffer.from(JSON.stringify(line)))
    const outcome = pipeline.outcome()
    if (outcome.dropped.size > 0) throw new Error('the benchmark sends bad events')
    made += outcome.events.length + outcome.views.length
    rows.push(...outcome.events)
    views.push(...outcome.views)
    if (rows.length >= rowsPerInsert) await flush()
    if (made >= events) break
  }
  if (rows.length > 0) await flush()
  for (const table of ['events', 'views', 'sessions', 'exposures', 'unit_measures', 'unit_buckets']) {
    await telemetry.command(`OPTIMIZE TABLE ${table} FINAL`)
  }
  const parts = await telemetry.read<{ table: string; rows: string; bytes: string }>(
    "SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = 'telltale_bare' AND table != 'schema_migrations' GROUP BY table ORDER BY sum(bytes_on_disk) DESC",
  )
  await close()
  const total = parts.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  const lines = parts.map(
    ({ table, rows: n, bytes }) => `| ${table} | ${n} | ${(Number(bytes) / made).toFixed(1)} |`,
  )
  return {
    rate: (made / time) * 1_000,
    events: made,
    bytesPerEvent: total / made,
    tables: ['| table | rows | bytes an event |', '|---|--:|--:|', ...lines].join('\n'),
  }
}
