// Measures how long it takes to locate the difference of a metric in the events of a split: each kind of metric, with
// all evidence, repeatedly, one at a time, through the server's code. `npm run bench:evidence -- --events 10000000`;
// with `--write` into bench/results.md. `--data <folder>` keeps the generated data for the next run.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtInMetrics, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { rankEvidence } from '@telltale/core/guard/rank-evidence'
import { openSource, readCandidates } from '../packages/server/src/guard/evidence/evidence-sources.ts'
import { findReplays } from '../packages/server/src/guard/evidence/lived-through.ts'
import {
  type PlantedSite,
  plantEvents,
} from '../packages/server/src/guard/evidence/testing/planted-events.ts'
import { noJoinedGroups } from '../packages/server/src/monitoring/explore/joined-groups.ts'
import type { Telemetry } from '../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { openStore, processorTime, startEngine } from './intake/store.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    data: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const day = 86_400_000
/** One user per 160 events, as on a site with returning users. */
const people = Math.max(2_000, Math.round(Number(given.events) / 160))
const wanted = 2_000
const metrics = ['users-with-an-error', 'failed-requests', 'lcp', 'inp', 'rage-clicks']
const site: PlantedSite = {
  environment: '0198a2c4-0000-7000-8000-000000000001',
  split: '1000',
  epoch: 1,
  share: 0.4,
  arms: { treatment: 'on', control: 'off' },
  flag: 'checkout',
  people,
  planted: 'issue',
  seed: 7,
  at: Date.now() - 20 * day,
  span: 19 * day,
}

const folder = given.data ?? (await mkdtemp(join(tmpdir(), 'telltale-bench-')))
const engine = await startEngine(folder)
try {
  const store = await openStore(engine, 'telltale_evidence')
  const made = await fill(store.telemetry)
  const lines: string[] = []
  for (const metric of metrics) lines.push(await measure(store.telemetry, metric))
  const text = [
    `${made} events under one split; ${given.rounds} rounds, in milliseconds; wanted over ten million: ${wanted}.`,
    '',
    '| metric | looked at | named | median | longest | processor time of the engine |',
    '|---|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n')
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('Evidence of a gap', text)
  await store.close()
} finally {
  await engine.stop()
  if (given.data === undefined) await rm(folder, { recursive: true, force: true })
}

async function fill(telemetry: Telemetry): Promise<number> {
  const count = async () => {
    const [found] = await telemetry.read<{ n: string; visits: number }>(
      `SELECT count() AS n, toUInt32(countIf(kind = 'exposure') / ${people}) AS visits FROM events`,
    )
    return { made: Number(found?.n), visits: Number(found?.visits) }
  }
  let { made, visits: visit } = await count()
  for (; made < Number(given.events); visit += 1) {
    await plantEvents(telemetry, site, { visit, profiles: visit < 2 })
    made = (await count()).made
    process.stderr.write(`\r${made} made `)
  }
  process.stderr.write('\n')
  for (const table of ['events', 'unit_measures', 'unit_buckets', 'profile_rows'])
    await telemetry.command(`OPTIMIZE TABLE ${table} FINAL SETTINGS optimize_skip_merged_partitions = 1`)
  return made
}

async function measure(telemetry: Telemetry, key: string): Promise<string> {
  const definition = builtInMetrics.find((one) => one.key === key)
  if (definition === undefined) throw new Error(`no metric ${key}`)
  const metric = freezeMetric(definition, { limit: definition.limit, base: undefined })
  const arms = {
    environmentId: site.environment,
    split: site.split,
    ...site.arms,
    epochs: [{ epoch: 1, share: site.share }],
  }
  // Reused data began earlier.
  const period = { from: site.at - 10 * day, to: Date.now() }
  const times: number[] = []
  let [lookedAt, named] = [0, 0]
  const used = await processorTime(engine.pid())
  for (let round = 0; round < Number(given.rounds); round += 1) {
    const began = performance.now()
    const source = await openSource(telemetry, {
      arms,
      period,
      metric,
      flag: site.flag,
      joined: noJoinedGroups,
    })
    const { candidates } = await readCandidates(source)
    const ranked = rankEvidence(candidates)
    await Promise.all(ranked.slice(0, 5).map(({ name }) => findReplays(source, name)))
    times.push(performance.now() - began)
    lookedAt = candidates.length
    named = ranked.length
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (place: number) => Math.round(sorted[place] ?? Number.NaN)
  const processor = Math.round(((await processorTime(engine.pid())) - used) / times.length)
  return `| ${definition.name} | ${lookedAt} | ${named} | ${at(sorted.length >> 1)} | ${at(sorted.length - 1)} | ${processor} |`
}
