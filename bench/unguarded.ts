// How many projects with harmless splits ever show a regression without a guard, from events to verdicts on the
// real engine. `npm run bench:unguarded -- --projects 200`; with `--write` into bench/results.md.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { watchCalmProjects } from '../packages/server/src/guard/verdicts/testing/watch-calm-projects.ts'
import { openStore, startEngine } from './intake/store.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    projects: { type: 'string', default: '200' },
    people: { type: 'string', default: '120' },
    looks: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
})
const splits = 10
const environment = '0198a2c4-0000-7000-8000-000000000004'
const [projects, people, looks] = [given.projects, given.people, given.looks].map(Number)

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(folder)
try {
  const store = await openStore(engine, 'telltale_unguarded')
  const began = performance.now()
  const run = { projects: projects ?? 0, splits, people: people ?? 0, looks: looks ?? 0 }
  const end = await watchCalmProjects({ ...run, telemetry: store.telemetry, environment })
  const share = ((100 * end.regressed) / run.projects).toFixed(1)
  const time = Math.round((performance.now() - began) / 1_000)
  const line = `${run.projects} projects with ${splits} harmless splits each, seven metrics at a limit of nothing, ${run.looks} looks with ${run.people} more users of every split, weights that change once, and a site that gets slower and fails more often: projects that ever show a regression: ${end.regressed} (${share} %, wanted: at most 5), splits: ${end.splits}, splits called wrong: ${end.splitWrong}. ${time} s.`
  process.stdout.write(`${line}\n`)
  if (given.write) await writeSection('Verdicts without a guard', line)
  await store.close()
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}
