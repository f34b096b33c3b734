// The server's processor time per row of two builds, side by side in one run: this one and, with `--against`, another
// `main.js`, alternating. `--profile <file>` writes a processor profile of this build's turns.
// `npm run bench:intake-cost -- --against ../before/packages/server/dist/main.js`

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Measured } from './delivery/measured.ts'
import { measureCost, ours } from './intake/cost.ts'
import { openStore, type Store, startEngine } from './intake/store.ts'
import { program, startServer } from './intake/whole-path.ts'

const { values: given } = parseArgs({
  options: {
    against: { type: 'string' },
    rows: { type: 'string', default: '24000' },
    rounds: { type: 'string', default: '3' },
    /** Page views per second. */
    pace: { type: 'string', default: '200' },
    profile: { type: 'string' },
  },
})
const wanted = { pack: ours, rows: Number(given.rows), pace: Number(given.pace) }

interface Build {
  name: string
  server: Measured
  store: Store
  costs: number[]
}

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(join(folder, 'engine'))
try {
  const builds = [await open('this build', program)]
  const [own] = builds
  if (given.against !== undefined) builds.push(await open('other', pathToFileURL(resolve(given.against))))
  for (const { server, store } of builds) await measureCost(server, store, wanted)
  if (given.profile !== undefined) await own?.server.profile(resolve(given.profile))
  for (let round = 0; round < Number(given.rounds); round++) {
    for (const { name, server, store, costs } of round % 2 === 0 ? builds : builds.toReversed()) {
      const { perRow } = await measureCost(server, store, wanted)
      costs.push(perRow)
      process.stderr.write(`${name}: ${perRow.toFixed(1)} µs for each row\n`)
    }
  }
  for (const { server, store } of builds) {
    await server.stop()
    await store.close()
  }
  process.stdout.write(`${describe(builds)}\n`)
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}

async function open(name: string, main: URL): Promise<Build> {
  const store = await openStore(engine, `telltale_${name.replaceAll(/\W/g, '_')}`)
  const own = join(folder, name.replaceAll(/\W/g, '-'))
  await mkdir(own)
  return { name, store, server: await startServer(own, { CLICKHOUSE_URL: store.url }, main), costs: [] }
}

function describe(builds: readonly Build[]): string {
  const middle = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
  const lines = builds.map(({ name, costs }) => `${name}: ${middle(costs).toFixed(1)} µs for each row`)
  const [own, other] = builds
  if (own === undefined || other === undefined) return lines.join('\n')
  const ratio = middle(own.costs.map((cost, round) => cost / (other.costs[round] ?? cost)))
  return [...lines, `${ratio.toFixed(2)} of the other, median of ${own.costs.length} turns`].join('\n')
}
