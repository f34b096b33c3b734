// Measures the duration of harm: a thousand users a minute, a treatment at 10% that triples the share of users with
// an error, and the guard on the real engine every ten seconds, on a simulated clock. From the first harmed user to
// the decision; browser batching (two seconds if the batch has an error) and the delivery of the old value to open
// pages are not included.
// `npm run bench:guard-delay -- --runs 20`; with `--write` into bench/results.md.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtInMetrics, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import type { RolloutPlan } from '@telltale/core/guard/rollout'
import { inviteVisitors } from '../packages/server/src/guard/evidence/testing/visitors.ts'
import { watchRollout } from '../packages/server/src/guard/evidence/testing/watch-rollout.ts'
import type { Telemetry } from '../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { openStore, startEngine } from './intake/store.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, write: { type: 'boolean', default: false } },
})
const runs = Number(given.runs)
const second = 1_000
const interval = 10 * second
const peopleInMinute = 1_000
const tripled = 3
const share = 10_000
const baseRates = [0.01, 0.02, 0.05, 0.1]
/** From the first harmed user, at a base rate of 5%. */
const wanted = 120 * second
/** Time in the browser and the intake until an error can be read. */
const travel = 3 * second
const longest = 30 * 60 * second
const environment = '0198a2c4-0000-7000-8000-000000000002'
const names = ['users-with-an-error', 'lcp', 'inp', 'errors-per-session', 'rage-clicks']
const metrics = names.flatMap((name) =>
  builtInMetrics
    .filter(({ key }) => key === name)
    .map((one) => freezeMetric(one, { limit: one.limit, base: undefined })),
)
const plan: RolloutPlan = {
  stages: [share, 100_000].map((weight) => ({
    weight,
    minDuration: longest,
    minUnits: 100,
    needsApproval: false,
  })),
  metrics: metrics.map(({ metric }) => ({ metric, role: 'required', onRegression: 'roll-back' })),
  alpha: 0.05,
  timeBox: 48 * 60 * 60 * second,
  whenUndecided: 'hold',
  startedBy: 'bench',
}

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(folder)
try {
  const store = await openStore(engine, 'telltale_delay')
  const lines = [
    '| people with an error before | median | nine in ten | longest | harmed until then, median | not found in 30 min |',
    '|--:|--:|--:|--:|--:|--:|',
  ]
  for (const [place, base] of baseRates.entries()) {
    lines.push(await reportDelay(store.telemetry, base, (place + 1) * 1_000))
    process.stdout.write(`${lines.at(-1)}\n`)
  }
  if (given.write) {
    const about = `${runs} rollouts each: ${peopleInMinute} people a minute, a tenth of them in a treatment that triples the share with an error, five metrics, a look every ten seconds, ${travel / second} s for an error to arrive. From the first person harmed to the decision; wanted at 5 %: below ${wanted / second} s.`
    await writeSection('From harm to the old value', [about, lines.join('\n')].join('\n\n'))
  }
  await store.close()
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

async function reportDelay(telemetry: Telemetry, base: number, seed: number): Promise<string> {
  const delays: number[] = []
  const harmed: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const site = {
      environment,
      split: String(seed + run),
      errors: { treatment: base * tripled, control: base },
      lcp: { treatment: 1_500, control: 1_500 },
    }
    const visitors = inviteVisitors(site, seed + run)
    let firstLook = 0
    const end = await watchRollout({
      telemetry,
      site,
      visitors: {
        ...visitors,
        arrive: (count, at, stage) => {
          const came = visitors.arrive(count, at, stage)
          if (visitors.harmed() === 0) firstLook += 1
          return came
        },
      },
      plan,
      metrics,
      interval,
      people: Math.round((peopleInMinute * interval) / (60 * second)),
      looks: longest / interval,
      startedAt: Date.UTC(2026, 10, 1) + (seed + run) * 60 * 60 * second,
    })
    // The first harmed user arrived before the look that would detect it: on average half an interval.
    const delay = (end.looks - firstLook) * interval - interval / 2 + travel
    if (end.rollout.state === 'rolled-back') {
      delays.push(delay)
      harmed.push(visitors.harmed())
    }
  }
  const at = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
    Number.NaN
  const seconds = (value: number) => `${Math.round(value / second)} s`
  return `| ${base * 100} % | ${seconds(at(delays, 0.5))} | ${seconds(at(delays, 0.9))} | ${seconds(at(delays, 1))} | ${at(harmed, 0.5)} | ${runs - delays.length} |`
}
