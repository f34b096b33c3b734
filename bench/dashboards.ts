// Measures how long the twelve telemetry tiles of a dashboard take together over the given number of events: as many at
// once as the console asks for. `npm run bench:dashboards -- --events 10000000 --rounds 11`; with `--write` into
// bench/results.md.

import { parseArgs } from 'node:util'
import type { Tile } from '@telltale/core/contract/dashboard-tiles'
import { emptyFilter } from '@telltale/core/query/filter'
import { createGate } from '../packages/console/src/api/gate.ts'
import { templates } from '../packages/console/src/features/dashboards/templates.ts'
import { ask, type Question } from '../packages/server/src/monitoring/explore/question.ts'
import { compareVitals } from '../packages/server/src/monitoring/overview/compare-vitals.ts'
import { measureExplored } from '../packages/server/src/reports/dashboards/measure-explored.ts'
import { day, end, environmentId, historyOptions, overHistory } from './intake/over-history.ts'
import type { Store } from './intake/store.ts'

const { values: given } = parseArgs({
  options: {
    ...historyOptions,
    rounds: { type: 'string', default: '11' },
  },
})
const days = 30
const tilesShown = 12
const atOnce = 4

await overHistory(
  { title: 'Tiles of a dashboard', database: 'telltale_dashboards', days, given },
  async ({ store, count }) => {
    const lines = [await measure(store, 1), await measure(store, 7), await measure(store, 30)]
    return [
      `${count} events over ${days} days in one environment; ${tilesShown} tiles of the templates *Web vitals* and *Errors*, ${atOnce} at once; ${given.rounds} rounds after two to warm up, in milliseconds.`,
      '',
      '| period | median | p95 |',
      '|---|--:|--:|',
      ...lines,
    ]
  },
)

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
