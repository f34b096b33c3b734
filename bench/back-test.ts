// Measures back-tests of a guard: returning users over 30 days, several metrics, the maximum number of splits,
// through the server's code; and the resulting delay of everything else on the processor. `npm run bench:back-test --
// --people 100000`; with `--write` into bench/results.md.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { BackTestMessage } from '@telltale/core/contract/rollout-back-test'
import { builtInMetrics, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { usualAlpha, usuallyGuarded, usualStages } from '@telltale/core/guard/usual-plan'
import { limits } from '@telltale/core/limits'
import { simulateDraws } from '../packages/server/src/guard/back-test/simulate-draws.ts'
import type { Telemetry } from '../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { openStore, startEngine } from './intake/store.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    runs: { type: 'string', default: String(limits.backTestRuns) },
    write: { type: 'boolean', default: false },
  },
})
const wanted = 60
const environment = { id: '0198a2c4-0000-7000-8000-000000000001', timeZone: 'UTC' }
const definitions = builtInMetrics.filter(({ key }) => usuallyGuarded.has(key))
const trial = {
  plan: {
    alpha: usualAlpha,
    pool: limits.weightTotal,
    timeBox: limits.guardTimeBox,
    stages: usualStages(limits.weightTotal),
    metrics: definitions.map(({ key }) => ({
      metric: key,
      role: 'required' as const,
      onRegression: 'roll-back' as const,
    })),
  },
  metrics: definitions.map((one) => freezeMetric(one, { limit: one.limit, base: undefined })),
  flag: 'checkout',
  runs: Number(given.runs),
  environment,
}

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(folder)
try {
  const store = await openStore(engine, 'telltale_back_test')
  await fill(store.telemetry)
  const [counted] = await store.telemetry.read<{ n: string }>('SELECT count() AS n FROM events')
  const text = [
    `${given.people} people in 30 days, ${counted?.n} events, ${definitions.length} metrics, ${trial.plan.stages.length} stages; seconds.`,
    '',
    '| draws | reading | draws | all | wanted | ratio | processor time | rolled back | others waited, p99 in ms | longest in ms |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    await measure(store.telemetry),
  ].join('\n')
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('A guard tried on the past', text)
  await store.close()
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measure(telemetry: Telemetry): Promise<string> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  const processor = process.cpuUsage()
  const began = performance.now()
  let read = began
  delays.enable()
  const end = await simulateDraws({ telemetry, clock: () => new Date() }, trial, {
    isGone: () => false,
    say: (message: BackTestMessage) => {
      if (message.type === 'site') read = performance.now()
    },
  })
  delays.disable()
  const done = performance.now()
  const used = process.cpuUsage(processor)
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  const ms = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(1)
  return [
    '',
    end.rate?.runs ?? 0,
    seconds(read - began),
    seconds(done - read),
    seconds(done - began),
    wanted,
    ((done - began) / 1_000 / wanted).toFixed(2),
    seconds((used.user + used.system) / 1_000),
    end.rate?.rolledBack ?? 0,
    ms(delays.percentile(99)),
    ms(delays.max),
    '',
  ]
    .join(' | ')
    .trim()
}

/** One to eleven visits per user, spread over the month; similar values, and few failures. */
async function fill(telemetry: Telemetry): Promise<void> {
  const even = (salt: string, of: string) => `((cityHash64('${salt}', ${of}) % 1000003 + 0.5) / 1000003)`
  const normal = (salt: string, of: string) =>
    `(sqrt(-2 * log(${even(`${salt}1`, of)})) * cos(2 * pi() * ${even(`${salt}2`, of)}))`
  const part = 10_000
  for (let from = 0; from < Number(given.people); from += part) {
    await telemetry.command(`
INSERT INTO events (environment_id, kind, ts, event_id, session_id, name, value, user_hash, res_endpoint, res_failed, frustration)
SELECT '${environment.id}', act.1, came + toIntervalSecond(number % 600), generateUUIDv4(), session, act.2, act.3, person,
  if(act.1 = 'resource', 'shop/cart', ''), act.1 = 'resource' AND ${even('failed', 'person, visit, act.3')} < 0.02, if(act.1 = 'action', ['rage'], [])
FROM (
  SELECT number, cityHash64('person', number) AS person, visit, toUUID(concat(substring(hex(MD5(concat(toString(number), '-', toString(visit)))), 1, 8), '-0000-7000-8000-', leftPad(toString(number), 12, '0'))) AS session,
    now64(3) - toIntervalMinute(toUInt32(30 + 43000 * ${even('when', 'number, visit')})) AS came,
    0.4 * ${normal('slow', 'number')} AS slow,
    arrayConcat([('view', '', 0.), ('resource', '', 1.), ('resource', '', 2.), ('resource', '', 3.)],
      [('vital', 'LCP', 2000 * exp(slow + 0.4 * ${normal('lcp', 'number, visit')})), ('vital', 'INP', 120 * exp(slow + 0.6 * ${normal('inp', 'number, visit')})), ('vital', 'CLS', 0.04 * exp(${normal('cls', 'number, visit')}))],
      if(${even('prone', 'number')} < 0.15 AND ${even('error', 'number, visit')} < 0.4, [('error', '', 0.)], []),
      if(${even('rage', 'number, visit')} < 0.01, [('action', '', 0.)], [])) AS acts
  FROM (SELECT number, arrayJoin(range(1 + number % 11)) AS visit FROM numbers(${from}, ${part})))
ARRAY JOIN acts AS act`)
    process.stderr.write(`\r${Math.min(from + part, Number(given.people))} people `)
  }
  process.stderr.write('\n')
}
