// How often the intervals of a comparison of two releases contain the true difference, on an invented site with
// confounding by hour and country, heavy users and growing adoption. `npm run bench:release-comparison`; the number of
// pairs is the first argument, 1,000 by default.

import {
  countCoverage,
  simulateSessions,
  type Trial,
  tryLoads,
  tryShares,
  trySharesTogether,
} from '@telltale/core/statistics/testing/release-world'

const pairs = Number(process.argv[2] ?? 1_000)
const worlds = [
  { name: 'no difference', users: 1_500, hours: 48, crashes: 0, slower: 0 },
  { name: 'worse', users: 1_500, hours: 48, crashes: 0.5, slower: 0.1 },
  { name: 'few users', users: 300, hours: 48, crashes: 0.3, slower: 0.05 },
]
const say = (line: string) => process.stdout.write(`${line}\n`)
const percent = (share: number) => `${(100 * share).toFixed(1)} %`

say(
  `| site | measure | pairs | compared | coverage | excludes zero | mean width |\n|---|---|--:|--:|--:|--:|--:|`,
)
let isReached = true
for (const { name, ...world } of worlds) {
  const trials: Record<string, Trial[]> = {
    'crashed sessions': [],
    'p75 of loads': [],
    'crashes, no strata': [],
  }
  for (let seed = 1; seed <= pairs; seed += 1) {
    const sessions = simulateSessions(world, seed)
    const shares = tryShares(sessions, world)
    trials['crashed sessions']?.push(shares)
    trials['p75 of loads']?.push(tryLoads(sessions, world))
    trials['crashes, no strata']?.push(trySharesTogether(sessions, shares.truth))
  }
  for (const [measure, tried] of Object.entries(trials)) {
    const { compared, covered, decided, width } = countCoverage(tried)
    const coverage = covered / compared
    if (measure !== 'crashes, no strata' && coverage < 0.94) isReached = false
    say(
      `| ${name} | ${measure} | ${tried.length} | ${compared} | ${percent(coverage)} | ${percent(decided / compared)} | ${width.toFixed(3)} |`,
    )
  }
}
say(isReached ? 'Wanted: at least 94 %. Reached.' : 'Wanted: at least 94 %. Missed.')
