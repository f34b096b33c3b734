// Measures how long the twelve telemetry tiles of a dashboard take together over the given number of events: as many at
// once as the console asks for. `npm run bench:dashboards -- --events 10000000 --rounds 11`; with `--write` into
// bench/results.md.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Tile } from '@telltale/core/contract/dashboard-tiles'
import { emptyFilter } from '@telltale/core/query/filter'
import { createGate } from '../packages/console/src/api/gate.ts'
import { templates } from '../packages/console/src/features/dashboards/templates.ts'
import { ask, type Question } from '../packages/server/src/monitoring/explore/question.ts'
import { compareVitals } from '../packages/server/src/monitoring/overview/compare-vitals.ts'
import { measureExplored } from '../packages/server/src/reports/dashboards/measure-explored.ts'
import { fillHistory } from './intake/history.ts'
import { openStore, type Store, startEngine } from './intake/store.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '11' },
    /** Number of events made by the steps of the intake; the rest are copies of them with other ids. */
    made: { type: 'string', default: '500000' },
    write: { type: 'boolean', default: false },
  },
})
const environmentId = '0198a2c4-0000-7000-8000-000000000001'
const day = 86_400_000
const days = 30
const end = Math.floor(Date.now() / day) * day
const tilesShown = 12
const atOnce = 4

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(folder)
try {
  const store = await openStore(engine, 'telltale_dashboards')
  const count = await fillHistory(store, {
    environmentId,
    days,
    end,
    wanted: Number(given.events),
    made: Number(given.made),
  })
  const lines = [await measure(store, 1), await measure(store, 7), await measure(store, 30)]
  const text = [
    `${count} events over ${days} days in one environment; ${tilesShown} tiles of the templates *Web vitals* and *Errors*, ${atOnce} at once; ${given.rounds} rounds after two to warm up, in milliseconds.`,
    '',
    '| period | median | p95 |',
    '|---|--:|--:|',
    ...lines,
  ].join('\n')
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('Tiles of a dashboard', text)
  await store.close()
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measure({ telemetry }: Store, span: number): Promise<string> {
  const tiles = templates
    .filter(({ id }) => id === 'web-vitals' || id === 'errors')
    .flatMap(({ make }) => make('').tiles)
    .slice(0, tilesShown)
  const scope = { environmentId, timeZone: 'Europe/Berlin', from: end - span * day, to: end }
  const times: number[] = []
  for (let round = -2; round < Number(given.rounds); round++) {
    const pass = createGate(atOnce)
    const { signal } = new AbortController()
    const begun = performance.now()
    await Promise.all(
      tiles.map((tile) =>
        pass(signal, () => measureTile(ask(telemetry, { ...scope, filter: emptyFilter }), tile)),
      ),
    )
    if (round >= 0) times.push(performance.now() - begun)
  }
  times.sort((left, right) => left - right)
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0)
  const line = `| ${span} d | ${at(0.5)} | ${at(0.95)} |`
  process.stderr.write(`${line}\n`)
  return line
}

/** Without the control plane, which the templates do not need. */
async function measureTile(question: Question, tile: Tile): Promise<unknown> {
  if (tile.kind === 'vitals') return compareVitals(question)
  if (tile.kind === 'explore') return measureExplored(question, tile)
  throw new Error(`No telemetry tile: ${tile.kind}`)
}
