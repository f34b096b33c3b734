// Measures sums over 10,000 profiles of one page: 1.8 million rows, 60,000 stacks, warm, through the code of the
// server's calls. Prints, and with `-- --write` writes into bench/results.md.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyFilter } from '@telltale/core/query/filter'
import type { StackMapper } from '../packages/server/src/intake/source-maps/map-frames.ts'
import { ask } from '../packages/server/src/monitoring/explore/question.ts'
import { getDifference } from '../packages/server/src/monitoring/profiles/get-difference.ts'
import { getFlameGraph } from '../packages/server/src/monitoring/profiles/get-flame-graph.ts'
import { listPages } from '../packages/server/src/monitoring/profiles/list-pages.ts'
import { openStore, startEngine } from './intake/store.ts'
import { writeSection } from './results.ts'

const environmentId = '0198a2c4-0000-7000-8000-000000000001'
const profiles = 10_000
const rowsPerProfile = 180
const stacks = 60_000
const depth = 24
const rounds = 5
const day = 86_400_000
const wanted = 1_000

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const engine = await startEngine(folder)
const lines: string[] = []
try {
  const store = await openStore(engine, 'telltale')
  const { telemetry } = store
  const id = (number: string) =>
    `toUUID(concat('0198a2c4-0000-7000-8000-', leftPad(hex(${number}), 12, '0')))`
  await telemetry.command(
    `INSERT INTO profile_stacks (environment_id, stack, seen, frames) SELECT '${environmentId}', number, today(),
      arrayMap(i -> concat('f', toString(if(i < 6, i, cityHash64(number, i) % 900)), '\\thttps://shop.example/app.js\\t', toString(i), '\\t1'), range(${depth}))
    FROM numbers(${stacks})`,
  )
  await telemetry.command(
    `INSERT INTO profile_rows (environment_id, day, page, version, browser, device, profile_id, session_id, view_id, user_hash, ts, weight, flags, arms, stack, self_ms, samples)
    SELECT '${environmentId}', today(), '/cart', '1.0', 'Chrome', 'desktop', ${id('p')}, ${id('p')}, ${id('p')}, p % 4000, now64(3) - 3600, 1,
      [if(p % 2 = 0, 'checkout=old', 'checkout=new')], [], cityHash64(p, r) % ${stacks}, 10 + cityHash64(r) % 50, 2
    FROM (SELECT intDiv(number, ${rowsPerProfile}) AS p, number % ${rowsPerProfile} AS r FROM numbers(${profiles * rowsPerProfile}))`,
  )
  const now = Date.now()
  const question = () =>
    ask(telemetry, { environmentId, timeZone: 'UTC', from: now - day, to: now + day, filter: emptyFilter })
  const mapper: StackMapper = {
    map: async (_project, stacks) =>
      stacks.map(({ frames }) =>
        frames.map((frame) => ({ ...frame, original: null, why: 'not-uploaded' as const, nearest: null })),
      ),
  }
  const graph = { page: '/cart', projectId: '' }
  const sides = { ...graph, flag: 'checkout', control: 'old', treatment: 'new', splits: [] }
  const questions: [string, () => Promise<unknown>][] = [
    ['flame graph', () => getFlameGraph(question(), mapper, graph)],
    ['difference of two variations, 200 functions', () => getDifference(question(), mapper, sides)],
    ['pages with their hottest functions', () => listPages(question(), mapper, '')],
  ]
  for (const [name, run] of questions) {
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const begun = performance.now()
      await run()
      if (round > 0) times.push(performance.now() - begun)
    }
    times.sort((one, other) => one - other)
    const [median = 0, worst = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
    lines.push(
      `| ${name} | ${Math.round(median)} | ${Math.round(worst)} | ${median <= wanted ? 'yes' : 'no'} |`,
    )
  }
  await store.close()
} finally {
  await engine.stop()
  await rm(folder, { recursive: true, force: true })
}
const text = [
  `${profiles} profiles of one page, ${profiles * rowsPerProfile} rows, ${stacks} stacks of ${depth} functions; ${rounds} times each, warm. Wanted: at most ${wanted} ms.`,
  '',
  '| | median, ms | worst, ms | reached |',
  '|---|--:|--:|---|',
  ...lines,
].join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('Sums over profiles', text)
