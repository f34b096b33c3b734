// Recording orders: on a simulated shop, how many verdicts have three replays and a similar session at equal bytes, by
// chance and by orders; and how often intervals of profiled times miss when arms, pages and devices are profiled
// unevenly. `npm run bench:orders -- --sites 10 --worlds 1000`; with `--write` into bench/results.md.

import { parseArgs } from 'node:util'
import { rankEvidence } from '@telltale/core/guard/rank-evidence'
import { type ProfiledResult, profileWorld } from '@telltale/core/recording/testing/profiled-world'
import { type SiteCounts, simulateSite } from '@telltale/core/recording/testing/simulated-site'
import { meanDifference } from '@telltale/core/statistics/mean-difference'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    sites: { type: 'string', default: '10' },
    worlds: { type: 'string', default: '1000' },
    write: { type: 'boolean', default: false },
  },
})
const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`

const sizes = [
  { sessionsPerDay: 3_000, replayRate: 10 },
  { sessionsPerDay: 10_000, replayRate: 5 },
  { sessionsPerDay: 30_000, replayRate: 2 },
]
const table = [
  '| sessions a day | replay rate | verdicts | by chance: three replays | and a similar session | by orders: three replays | and a similar session | times as many | bytes, orders : chance |',
  '|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
]
for (const size of sizes) {
  const found = Array.from({ length: Number(given.sites) }, (_, number) =>
    simulateSite({ seed: number + 1, days: 7, openAtOnce: 3, ...size }),
  )
  const sum = (read: (counts: SiteCounts) => number) => found.reduce((all, counts) => all + read(counts), 0)
  const verdicts = sum((counts) => counts.verdicts)
  const of = (part: number) => `${part} (${percent(part, verdicts)})`
  const [chance, ordered] = [sum((each) => each.byChance.withBoth), sum((each) => each.byOrders.withBoth)]
  const bytes = sum((each) => each.byOrders.bytes) / sum((each) => each.byChance.bytes)
  const line = [
    size.sessionsPerDay.toLocaleString('en'),
    `${size.replayRate} %`,
    verdicts,
    of(sum((each) => each.byChance.withReplays)),
    of(chance),
    of(sum((each) => each.byOrders.withReplays)),
    of(ordered),
    chance === 0 ? 'none by chance' : (ordered / chance).toFixed(1),
    bytes.toFixed(3),
  ]
  table.push(`| ${line.join(' | ')} |`)
  process.stdout.write(`${table.at(-1)}\n`)
}

const worlds = Number(given.worlds)
const lines: string[] = []
for (const effect of worlds > 0 ? [0, 0.3] : []) {
  const missed = { weighted: 0, unweighted: 0 }
  const named = { weighted: 0, unweighted: 0 }
  for (let seed = 1; seed <= worlds; seed += 1) {
    const result = profileWorld({ seed, users: 2_000, treatmentShare: 0.4, effect, functions: 3 })
    for (const sums of ['weighted', 'unweighted'] as const) {
      if (!covers(result, sums)) missed[sums] += 1
      if (namesSome(result, sums)) named[sums] += 1
    }
  }
  const what = effect === 0 ? 'the same variation twice' : `each function takes ${100 * effect} % longer`
  lines.push(
    `- ${what}, ${worlds} worlds: the interval of the time per profile misses the truth in ${percent(missed.weighted, worlds)} (without weights ${percent(missed.unweighted, worlds)})${
      effect === 0
        ? `; a function is named in ${percent(named.weighted, worlds)} (without weights ${percent(named.unweighted, worlds)}; wanted: at most 5 %)`
        : ''
    }`,
  )
  process.stdout.write(`${lines.at(-1)}\n`)
}

function covers({ truth, ...result }: ProfiledResult, sums: 'weighted' | 'unweighted'): boolean {
  const found = meanDifference([result[sums].all], 0.05)
  return found !== undefined && found.lower <= truth.all && truth.all <= found.upper
}

function namesSome(result: ProfiledResult, sums: 'weighted' | 'unweighted'): boolean {
  const { functions, all } = result[sums]
  const candidates = functions.map((part, name) => ({
    name,
    sums: { kind: 'means' as const, part: [part], rest: [all] },
  }))
  return rankEvidence(candidates).length > 0
}

if (given.write) {
  const text = [
    `${given.sites} simulated shops of 7 days each, three questions open at a time. Wanted: at least twice as many verdicts with both, at equal bytes.`,
    table.join('\n'),
    lines.join('\n'),
  ]
  await writeSection('Recording orders', text.filter((part) => part !== '').join('\n\n'))
}
