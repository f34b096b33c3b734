// The guard on the real engine: how many harmless rollouts it rolls back, from events to decision, and how long one
// look at twenty rollouts with five metrics each takes. `npm run bench:guard-engine -- --rollouts 200 --events
// 10000000`; with `--write` into bench/results.md, with `--alone` without the built server that handles requests in
// parallel, with `--keep folder` on the events that an earlier run left in that folder.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { builtInMetrics, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { limits } from '@telltale/core/limits'
import { readEvidenceTogether } from '../packages/server/src/guard/evidence/read-evidence.ts'
import { watchHarmless } from '../packages/server/src/guard/evidence/testing/watch-harmless.ts'
import { quietReads } from '../packages/server/src/guard/looks/quiet-reads.ts'
import type { Telemetry } from '../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { measureBesideLooks } from './beside-looks.ts'
import { openStore, processorTime, startEngine } from './intake/store.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    rollouts: { type: 'string', default: '200' },
    events: { type: 'string', default: '1000000' },
    write: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})
const environment = '0198a2c4-0000-7000-8000-000000000001'
const harmless = '0198a2c4-0000-7000-8000-000000000003'
const splits = 20
const firstSplit = 1_000
const usersPerEvent = 1 / 160
const rowsPerInsert = 100_000
/** Milliseconds for one look at all of them. */
const wanted = 2_000
const looksAlone = 9
/** Milliseconds. */
const mergePatience = 300_000
const keys = ['lcp', 'inp', 'users-with-an-error', 'errors-per-session']
const revenue: JudgedMetric = {
  metric: 'revenue',
  method: { kind: 'total', measure: 'custom:paid', sums: 'values', each: 'unit', of: 'session', cap: 9_000 },
  better: 'higher',
  limit: 0.05,
  alphaWeight: 1,
}

const folder = given.keep ?? (await mkdtemp(join(tmpdir(), 'telltale-bench-')))
const engine = await startEngine(folder)
try {
  const store = await openStore(engine, 'telltale_guard')
  const lines: string[] = []
  const print = (line: string) => {
    lines.push(line)
    process.stdout.write(`${line}\n`)
  }
  if (Number(given.events) > 0) {
    // The server that runs in parallel has separate tables on the engine.
    const other = given.alone ? undefined : await openStore(engine, 'telltale_beside')
    await other?.close()
    print(await lookAtTwenty(store.telemetry, other?.url, Number(given.events)))
  }
  if (Number(given.rollouts) > 0) print(await printHarmless(store.telemetry, Number(given.rollouts)))
  if (given.write) await writeSection('The guard over the engine', lines.join('\n\n'))
  await store.close()
} finally {
  await engine.stop()
  if (given.keep === undefined) await rm(folder, { recursive: true, force: true })
}

function metricsOf(names: readonly string[]): JudgedMetric[] {
  return names.flatMap((name) =>
    builtInMetrics
      .filter(({ key }) => key === name)
      .map((one) => freezeMetric(one, { limit: one.limit, base: undefined })),
  )
}

/** A limit of zero is stricter than any limit used in practice. */
async function printHarmless(telemetry: Telemetry, rollouts: number): Promise<string> {
  const began = performance.now()
  const run = { rollouts, people: 300, minutes: 9 }
  const end = await watchHarmless({ ...run, telemetry, environment: harmless })
  const share = ((100 * end.rolledBack) / rollouts).toFixed(1)
  const time = Math.round((performance.now() - began) / 1_000)
  return `${rollouts} rollouts that harm nobody, with three metrics at a limit of nothing, ${run.people} people and a look a minute, a ramp of ${end.stages.length} stages and a site that gets slower and fails more often: ${end.rolledBack} rolled back (${share} %, wanted: at most 5), ${end.splitWrong} with a split called wrong, ${end.stages.at(-1)} at the last stage. ${time} s.`
}

/**
 * Ten million events normally arrive over days: the merges that writing them in minutes causes are not part of a
 * look.
 */
async function untilMerged(telemetry: Telemetry): Promise<void> {
  const deadline = performance.now() + mergePatience
  while (performance.now() < deadline) {
    const [found] = await telemetry.read<{ merges: string }>('SELECT count() AS merges FROM system.merges')
    if (Number(found?.merges) === 0) return
    await pause(1_000)
  }
}

/** Each event belongs to two of the twenty splits, in one of two stages; one in twenty to the epoch before. */
async function lookAtTwenty(
  telemetry: Telemetry,
  serverUrl: string | undefined,
  events: number,
): Promise<string> {
  const users = Math.max(1_000, Math.round(events * usersPerEvent))
  const [known] = await telemetry.read<{ n: string }>('SELECT count() AS n FROM events')
  for (let from = Number(known?.n ?? 0); from < events; from += rowsPerInsert) {
    const count = Math.min(rowsPerInsert, events - from)
    await telemetry.command(eventsFrom(from, count, users))
  }
  await untilMerged(telemetry)
  const metrics = [...metricsOf(keys), revenue]
  const [past] = await telemetry.read<{ n: string }>('SELECT count() AS n FROM unit_histories')
  if (Number(past?.n ?? 0) === 0) await telemetry.command(histories(users))
  await untilMerged(telemetry)
  const alone = (hasHistory: boolean) => lookAlone(lookOf(telemetry, metrics, hasHistory))
  const [plain, adjusted] = [await alone(false), await alone(true)]
  const look = lookOf(telemetry, metrics, true)
  const found = `One look at ${splits} rollouts with ${metrics.length} metrics each, one of them a total, over ${events} events of ${users} users, some of whom had the treatment before: ${plain.time} ms, median of ${looksAlone}, ${(plain.time / wanted).toFixed(2)} of the ${wanted} ms wanted over ten million; processor time of the engine ${plain.processor} ms. With the history of all users in every rollout: ${adjusted.time} ms, ${adjusted.processor} ms of processor time.`
  if (serverUrl === undefined) return found
  const { looks, answers, batches } = await measureBesideLooks(serverUrl, look)
  const beside = looks.toSorted((a, b) => a - b)[looks.length >> 1] ?? Number.NaN
  const reported = ({ alone, beside: during }: { alone: number; beside: number }) =>
    `${during.toFixed(1)} ms beside a look, ${alone.toFixed(1)} ms without one (ratio ${(during / alone).toFixed(2)})`
  return `${found} While a server answers: ${Math.round(beside)} ms. p99 of an answer of delivery: ${reported(answers)}; of a batch at the intake: ${reported(batches)}.`
}

/** The median, after a first look that is not measured. */
async function lookAlone(look: () => Promise<unknown>): Promise<{ time: number; processor: number }> {
  await look()
  const used = await processorTime(engine.pid())
  const times: number[] = []
  for (let turn = 0; turn < looksAlone; turn += 1) {
    const began = performance.now()
    await look()
    times.push(performance.now() - began)
  }
  const processor = Math.round(((await processorTime(engine.pid())) - used) / looksAlone)
  return { time: Math.round(times.toSorted((a, b) => a - b)[looksAlone >> 1] ?? Number.NaN), processor }
}

function historyId(split: number): string {
  return `0198a2c4-0000-7000-8000-0000000001${String(split).padStart(2, '0')}`
}

function lookOf(telemetry: Telemetry, metrics: readonly JudgedMetric[], hasHistory: boolean) {
  const known = (split: number) =>
    metrics.map((metric, index): JudgedMetric => {
      const rule = { coefficient: 0.5, ratio: 1, mean: 1, reduction: 0.3 }
      return metric.method.kind === 'rare-share' || !hasHistory
        ? metric
        : { ...metric, history: { ...rule, id: historyId(split), place: index + 1 } }
    })
  const requested = Array.from({ length: splits }, (_, split) => ({
    arms: {
      environmentId: environment,
      split: String(firstSplit + split),
      epochs: [
        { epoch: 2, share: 0.1 },
        { epoch: 3, share: 0.5 },
      ],
      treatment: 'treatment',
      control: 'control',
    },
    metrics: known(split),
  }))
  const quiet = quietReads(telemetry)
  const groups = Array.from({ length: Math.ceil(splits / limits.guardTogether) }, (_, index) =>
    requested.slice(index * limits.guardTogether, (index + 1) * limits.guardTogether),
  )
  return () =>
    Promise.all(
      groups.map(([first, ...others]) => (first ? readEvidenceTogether(quiet, [first, ...others]) : [])),
    )
}

/** Of all users, for every rollout. */
function histories(users: number): string {
  const ids = Array.from({ length: splits }, (_, split) => `toUUID('${historyId(split)}')`)
  return `INSERT INTO unit_histories (environment_id, history, unit, xs, written)
    SELECT '${environment}', arrayJoin([${ids.join(', ')}]), cityHash64(number), arrayMap(i -> randNormal(0, 1), range(5)), now64(3)
    FROM numbers(${users})`
}

function eventsFrom(from: number, count: number, users: number): string {
  const unit = `cityHash64(number * 31 % ${users})`
  const armOf = (split: string) =>
    `(toUInt64(${firstSplit} + ${split}), toUInt32(if(number % 19 = 0, 1, 2 + intDiv(number, ${count}) % 2)), if(cityHash64(${unit}, ${split}) % 10 < 3, 'treatment', 'control'), ${unit})`
  const kind =
    "['exposure', 'view', 'vital', 'vital', 'vital', 'resource', 'resource', 'error', 'action', 'custom'][1 + cityHash64(number, 1) % 10]"
  return `INSERT INTO events (environment_id, kind, ts, event_id, session_id, name, value, duration, res_endpoint, frustration, arms)
    SELECT '${environment}', ${kind} AS chosen, now64(3) - toIntervalSecond(cityHash64(number, 2) % 1000000), generateUUIDv4(),
      toUUID('0198a2c4-0000-7000-8000-000000000001'), if(chosen = 'vital', ['LCP', 'INP', 'CLS'][1 + cityHash64(number, 3) % 3], if(chosen = 'custom', 'paid', '')),
      1500 * exp(randNormal(0, 0.5)), 100., '/api', if(chosen = 'action', ['rage'], []),
      [${armOf(`number % ${splits}`)}, ${armOf(`(number + 7) % ${splits}`)}]
    FROM numbers(${from}, ${count})`
}
