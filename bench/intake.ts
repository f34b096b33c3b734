// Sends telemetry to the built server at a steady rate, then alternately to the server at full speed and directly to
// the engine: prints the latency of a 202, lost events, the time to drain the spool, and the throughput of the whole
// path compared to the engine alone. `npm run bench:intake -- --rate 5000 --seconds 60`; with `--write` into
// bench/results.md. `--size 10000000` fills a store instead and prints the disk usage per event; `--keep <folder>`
// keeps that store.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeDataSet, fillStore } from './intake/data-set.ts'
import { makeRows } from './intake/rows.ts'
import { openStore, processorTime, type Store, startEngine } from './intake/store.ts'
import { type Load, loadAtRate, measureWholePath, startServer } from './intake/whole-path.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
    /** Events per turn of the comparison with the engine: enough to make ramp-up and drain negligible. 0 skips it. */
    events: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    size: { type: 'string' },
    keep: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
/** The maximum that the writer puts into one insert. */
const rowsPerInsert = 10_000
const wantedRatio = 0.75
const bareIds = {
  environmentId: '0198a2c4-0000-7000-8000-000000000001',
  projectId: '0198a2c4-0000-7000-8000-000000000002',
}

const folder = given.keep ?? (await mkdtemp(join(tmpdir(), 'telltale-bench-')))
try {
  await mkdir(folder, { recursive: true })
  const [title, text] =
    given.size === undefined
      ? (['Intake', await measureIntake()] as const)
      : (['Telemetry on disk', describeDataSet(await fillStore(folder, Number(given.size)))] as const)
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection(title, text)
} finally {
  if (given.keep === undefined) await rm(folder, { recursive: true, force: true })
}

async function measureIntake(): Promise<string> {
  const engine = await startEngine(join(folder, 'engine'))
  try {
    const store = await openStore(engine, 'telltale_bench')
    const bare = await openStore(engine, 'telltale_bare')
    const server = await startServer(folder, { CLICKHOUSE_URL: store.url })
    const [rate, seconds] = [Number(given.rate), Number(given.seconds)]
    const processorBefore = await processorTime(engine.pid())
    const load = await loadAtRate(server, store, { rate, seconds })
    const engineTime = (await processorTime(engine.pid())) - processorBefore
    const events = Number(given.events)
    const turns: Turn[] = []
    for (let round = 0; events > 0 && round < Number(given.rounds); round++) {
      const whole = await measureWholePath(server, store, events)
      turns.push({ whole, bare: await measureBare(bare, { round, events }) })
    }
    await server.stop()
    await Promise.all([store.close(), bare.close()])
    return [describeLoad(load, engineTime), ...(turns.length > 0 ? [describeTurns(turns)] : [])].join('\n\n')
  } finally {
    await engine.stop()
  }
}

/** Rows per second: the same rows into the same tables with their views, without the server. */
async function measureBare(
  store: Store,
  { round, events }: { round: number; events: number },
): Promise<number> {
  const made = makeRows({ ...bareIds, users: 20_000, clock: Date.now }, rowsPerInsert)
  const pieces = Array.from({ length: Math.ceil(events / rowsPerInsert) }, () => made.next().value)
  const rows = pieces.reduce((sum, piece) => sum + piece.events.length + piece.views.length, 0)
  const begun = performance.now()
  for (const [index, piece] of pieces.entries()) await store.insert(piece, `bare-${round}-${index}`)
  return rows / ((performance.now() - begun) / 1_000)
}

interface Turn {
  whole: number
  bare: number
}

function describeTurns(turns: readonly Turn[]): string {
  const ratio = middleOf(turns.map(({ whole, bare }) => whole / bare))
  const [whole, bare] = [middleOf(turns.map((turn) => turn.whole)), middleOf(turns.map((turn) => turn.bare))]
  const verdict = ratio >= wantedRatio ? 'Reached' : 'Missed'
  return [
    `From the first request to the last row in the tables: ${whole.toFixed(0)} rows a second, the bare engine ${bare.toFixed(0)}; ${ratio.toFixed(2)} of it, wanted: ${wantedRatio}. ${verdict}.`,
    `${turns.length} turns of ${given.events} rows, one after the other, the median of their ratios; both insert ${rowsPerInsert} rows at a time, and the generator runs on the same machine.`,
  ].join('\n\n')
}

function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function describeLoad(load: Load, engineTime: number): string {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`
  return [
    '| | |',
    '|---|--:|',
    `| events a second, asked for ${given.seconds} s | ${given.rate} |`,
    `| events a second, accepted | ${(load.events / load.seconds).toFixed(0)} |`,
    `| 202 after, p50 / p99 | ${load.p50.toFixed(1)} / ${load.p99.toFixed(1)} ms |`,
    `| the same from when it was due | ${load.dueP50.toFixed(1)} / ${load.dueP99.toFixed(1)} ms |`,
    `| lost (or doubled, below zero) of ${load.events} | ${load.missing} |`,
    `| refused, and taken later | ${load.refused} |`,
    `| spool empty after the last 202 | ${load.drain.toFixed(1)} s |`,
    `| server, of one core | ${percent(load.cores)} |`,
    `| engine, of one core | ${percent(engineTime / 1_000 / (load.seconds + load.drain))} |`,
    `| server, memory | ${(load.memory / 1e6).toFixed(0)} MB |`,
  ].join('\n')
}
