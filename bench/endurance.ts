// A steady load for an hour, with screens, a guarded rollout, event streams, erasures and nightly work beside it:
// whether memory and open files of each process stay flat, merges keep up, and nothing is lost or stored twice.
// `npm run bench:endurance -- --minutes 60 --rate 3000`; with `--write` into bench/results.md. `--trace <file>` keeps
// the samples.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openPostgres } from '../packages/server/src/platform/engines/postgres/open.ts'
import { startPostgres } from '../packages/server/src/platform/engines/postgres/start.ts'
import { openListeners } from './delivery/listen.ts'
import { type Owner, signIn, startRollout, watchScreens } from './endurance/console.ts'
import { measureTree, type Sample, trendOf } from './endurance/processes.ts'
import { sendVisitors, type Visitors } from './endurance/visitors.ts'
import { makeRows } from './intake/rows.ts'
import { openStore, type Store, startEngine } from './intake/store.ts'
import { sendLoad, startServer } from './intake/whole-path.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '3000' },
    trace: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const minute = 60_000
const day = 24 * 60 * minute
const minutes = Number(given.minutes)
/** Before, memory grows: caches fill, and code is compiled. */
const warmUp = Math.min(10, minutes / 4) * minute
const sampleInterval = 10_000
const streams = 100
const visitorsPerSecond = 5
const historyDays = 40
const rowsADay = 5_000
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const processNames = ['server', 'engine', 'PostgreSQL'] as const
type ProcessName = (typeof processNames)[number]

const folder = await mkdtemp(join(tmpdir(), 'telltale-endurance-'))
const engine = await startEngine(join(folder, 'engine'))
const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), log: quiet })
try {
  const store = await openStore(engine, 'telltale_endurance')
  const { username, password, host, port, database } = postgres.connection
  const server = await startServer(folder, {
    CLICKHOUSE_URL: store.url,
    DATABASE_URL: `postgres://${username}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    TELLTALE_MANAGEMENT_RATE: '100000',
    TELLTALE_STREAMS_PER_ADDRESS: '1000',
  })
  const user = await signIn(server.url)
  const pids = { server: server.pid, engine: engine.pid() ?? 0, PostgreSQL: postgres.pid() ?? 0 }
  const text = await endure({ store, user, url: server.url, pids })
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('Endurance', text)
  await server.stop()
  await store.close()
} finally {
  await postgres.stop()
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

interface Running {
  store: Store
  user: Owner
  url: string
  pids: Record<ProcessName, number>
}

async function endure(running: Running): Promise<string> {
  const { store, user, url } = running
  await fillDays(store, await user.environmentId())
  const rollout = await startRollout(user)
  const listeners = await openListeners(url, '/sdk/v1/stream?key=bench-client-key', { count: streams })

  const begunAt = Date.now()
  const until = performance.now() + minutes * minute
  const { visitors, over } = sendVisitors(url, { until, perSecond: visitorsPerSecond })
  const [sent, screens, observed, spans, erased] = await Promise.all([
    sendLoad(url, { rate: Number(given.rate), seconds: minutes * 60 }),
    watchScreens(user, { until, every: 1_000 }),
    observe(running, until),
    announce(user, { listeners, until }),
    eraseUsers(user, { visitors, until }),
    repeatNight(until),
    over,
  ])
  const open = listeners.count()
  listeners.close()
  const wanted = sent.listed + visitors.accepted - erased.events
  const found = await settle(store, { wanted, begunAt })
  const { state, lastLook } = await user.call('GET', rollout)
  const late = Date.now() - Date.parse(lastLook?.at ?? '')
  if (given.trace) await writeFile(given.trace, JSON.stringify(observed))
  return [
    `${minutes} minutes at ${given.rate} events a second (${(sent.events / sent.seconds).toFixed(0)} sent), beside ${visitorsPerSecond} users a second of a guarded flag, a screen of the console after the other, ${streams} event streams with a change of a flag each minute, an erasure every five minutes, and two nights of cleanup over ${historyDays} days of history.`,
    '',
    ...describeTrends(observed),
    '',
    '| | |',
    '|---|--:|',
    `| events that were sent and not erased | ${wanted} |`,
    `| of them lost (or stored twice, below zero) | ${wanted - found} |`,
    `| batches refused, and accepted later | ${sent.refused} |`,
    `| 202 after, p50 / p99 | ${sent.p50.toFixed(1)} / ${sent.p99.toFixed(1)} ms |`,
    `| screens opened, p50 / p95 | ${screens.times.length}, ${at(screens.times, 0.5)} / ${at(screens.times, 0.95)} |`,
    `| screens that failed | ${screens.failures.length} |`,
    `| a change in the streams, p95 / the last | ${at(spans, 0.95)} / ${at(spans, 1)} |`,
    `| streams open at the end | ${open} of ${streams} |`,
    `| erasures finished | ${erased.finished} of ${erased.requested} |`,
    `| events of the history left after the nights | ${await countWhere(store, '<', begunAt)} |`,
    `| the rollout at the end, last look | ${state}, ${(late / 1_000).toFixed(0)} s before |`,
    '',
    ...new Set(screens.failures.slice(0, 5)),
  ].join('\n')
}

/** Of the days before, so that the cleanup has something to remove. */
async function fillDays(store: Store, environmentId: string): Promise<void> {
  let past = historyDays
  const clock = () => Date.now() - past * day
  const rows = makeRows({ environmentId, projectId: environmentId, users: 1_000, clock }, rowsADay)
  for (; past > 0; past -= 1) await store.insert(rows.next().value, `day-${past}`)
}

interface Observed {
  samples: Record<ProcessName, Sample[]>
  /** Active parts of all tables, by sample. */
  parts: number[]
}

async function observe({ pids, store }: Running, until: number): Promise<Observed> {
  const begun = performance.now()
  const observed: Observed = { samples: { server: [], engine: [], PostgreSQL: [] }, parts: [] }
  while (performance.now() < until) {
    const seconds = (performance.now() - begun) / 1_000
    for (const name of processNames)
      observed.samples[name].push({ at: seconds, ...(await measureTree(pids[name])) })
    const [found] = await store.telemetry.read<{ parts: string }>(
      'SELECT toString(count()) AS parts FROM system.parts WHERE active AND database = currentDatabase()',
    )
    observed.parts.push(Number(found?.parts ?? 0))
    process.stderr.write(`\r${(seconds / 60).toFixed(1)} min `)
    await pause(sampleInterval)
  }
  return observed
}

function describeTrends({ samples, parts }: Observed): string[] {
  const rows = processNames.map((name) => {
    const settled = samples[name].filter((sample) => sample.at * 1_000 >= warmUp)
    const [memory, files] = [trendOf(settled, 'memory'), trendOf(settled, 'files')]
    const ends = [settled[0], settled.at(-1)].map(
      (sample) => `${((sample?.memory ?? 0) / 2 ** 20).toFixed(0)}`,
    )
    return `| ${name} | ${ends.join(' → ')} MiB | ${percent(memory.slope)} ± ${percent(memory.doubt)} | ${files.mean.toFixed(0)} | ${percent(files.slope)} ± ${percent(files.doubt)} |`
  })
  const settledParts = parts.slice(Math.floor((parts.length * warmUp) / (minutes * minute)))
  const half = Math.floor(settledParts.length / 2)
  const [first, second] = [settledParts.slice(0, half), settledParts.slice(half)].map((half_) =>
    Math.max(...half_),
  )
  return [
    `After the first ${(warmUp / minute).toFixed(0)} minutes, by least squares; ± is twice the standard error.`,
    '',
    '| with all their processes | memory | change per hour | open files | change per hour |',
    '|---|--:|--:|--:|--:|',
    ...rows,
    '',
    `Parts of all tables: at most ${first} in the first half, ${second} in the second.`,
  ]
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function at(sorted: readonly number[], share: number): string {
  return `${(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0)} ms`
}

/** A change each minute. Returns when it was in each stream, in milliseconds after the request. */
async function announce(
  user: Owner,
  { listeners, until }: { listeners: Awaited<ReturnType<typeof openListeners>>; until: number },
): Promise<number[]> {
  const path = '/api/v1/projects/shop/environments/production/flags/announced/config'
  const flag = { key: 'announced', name: 'Announced', valueType: 'boolean', clientVisible: true }
  const variations = [true, false].map((value) => ({ key: value ? 'on' : 'off', value }))
  await user.call('POST', '/api/v1/projects/shop/flags', { ...flag, variations })
  let { version } = await user.call('GET', path)
  const spans: number[] = []
  for (let enabled = true; performance.now() < until - minute / 2; enabled = !enabled) {
    const heard = listeners.hear('"announced"')
    const requested = performance.now()
    const fallthrough = { variation: 'on' }
    const draft = { enabled, offVariation: 'off', prerequisites: [], rules: [], fallthrough, version }
    version = (await user.call('PUT', path, draft)).version
    spans.push(...(await heard).map((time) => time - requested))
    await pause(Math.max(0, Math.min(minute, until - performance.now())))
  }
  return spans.sort((one, other) => one - other)
}

/** The latest visitor every five minutes. */
async function eraseUsers(user: Owner, { visitors, until }: { visitors: Visitors; until: number }) {
  const path = '/api/v1/projects/shop/environments/production/erasures'
  const requested: string[] = []
  let events = 0
  for (;;) {
    await pause(Math.max(0, Math.min(5 * minute, until - minute - performance.now())))
    if (performance.now() >= until - minute) break
    const { anonymousId, accepted } = visitors.latest
    requested.push((await user.call('POST', path, { anonymousId })).id)
    events += accepted
  }
  await pause(Math.max(0, until - performance.now()))
  const receipts = await Promise.all(requested.map((id) => user.call('GET', `${path}/${id}`)))
  const finished = receipts.filter(({ state }) => state === 'erased').length
  return { requested: requested.length, finished, events }
}

/** The cleanup runs again after a third and after two thirds of the time, as if another night had begun. */
async function repeatNight(until: number): Promise<void> {
  const { sql, close } = openPostgres({ kind: 'socket', ...postgres.connection })
  for (let time = 1; time <= 2; time++) {
    await pause((minutes * minute) / 3)
    if (performance.now() < until) await sql`DELETE FROM retention_nights`
  }
  await close()
}

/** Events of the run in the store, once there are as many as wanted or no more arrive. */
async function settle(
  store: Store,
  { wanted, begunAt }: { wanted: number; begunAt: number },
): Promise<number> {
  let before = -1
  for (;;) {
    const found = await countWhere(store, '>=', begunAt)
    if (found >= wanted && found === before) return found
    if (found === before && found < wanted) {
      await pause(minute)
      return countWhere(store, '>=', begunAt)
    }
    before = found
    await pause(5_000)
  }
}

async function countWhere(store: Store, comparison: '<' | '>=', instant: number): Promise<number> {
  const [found] = await store.telemetry.read<{ events: string }>(
    `SELECT toString(count()) AS events FROM events WHERE received_at ${comparison} fromUnixTimestamp64Milli({instant:Int64})`,
    { values: { instant } },
  )
  return Number(found?.events ?? 0)
}
