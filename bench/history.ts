// What the history of users saves in a guarded rollout on three simulated sites: the day on which each metric is safe,
// with and without, and how often the guard is wrong either way.
//   npm run bench:history -- [--worlds 1000] [--harmful 300]

import { parseArgs } from 'node:util'
import type { Finding } from '@telltale/core/guard/judge-metric'
import {
  type HistoryLook,
  type HistoryMetric,
  type HistorySite,
  historyMetricNames,
  historySites,
  runHistory,
} from '@telltale/core/guard/testing/simulated-history'
import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { writeSection } from './results.ts'

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '1000' },
    harmful: { type: 'string', default: '300' },
    write: { type: 'boolean', default: false },
  },
})
const [worlds, harmful] = [Number(values.worlds), Number(values.harmful)]
const run = { days: 14, looksPerDay: 2, alpha: 0.05 / historyMetricNames.length }
const ways = ['plain', 'withHistory'] as const
type Way = (typeof ways)[number]

interface Tally {
  /** Days until safe, without end if never. */
  safe: Record<Way, number[]>
  alarms: Record<Way, number>
  wronglySafe: Record<Way, number>
  saved: number[]
}

const lines: string[] = []
const print = (line: string) => {
  lines.push(line)
  process.stdout.write(`${line}\n`)
}

function rowsOf(name: string, site: HistorySite): string[] {
  const both = () => ({ plain: 0, withHistory: 0 })
  const tallies = new Map<HistoryMetric | 'any', Tally>(
    [...historyMetricNames, 'any' as const].map((metric) => [
      metric,
      { safe: { plain: [], withHistory: [] }, alarms: both(), wronglySafe: both(), saved: [] },
    ]),
  )
  for (let seed = 1; seed <= worlds; seed += 1) {
    const looks = runHistory(site, seededRandom(seed), { ...run, isHarmful: false })
    for (const way of ways) noteHarmless(tallies, looks, way)
    for (const metric of historyMetricNames)
      tallies.get(metric)?.saved.push(looks.at(-1)?.withHistory[metric].saved ?? 0)
  }
  for (let seed = 1; seed <= harmful; seed += 1) {
    const looks = runHistory(site, seededRandom(seed), { ...run, isHarmful: true })
    for (const way of ways)
      for (const metric of historyMetricNames) {
        const tally = tallies.get(metric)
        if (tally && looks.some((look) => look[way][metric].state === 'healthy')) tally.wronglySafe[way] += 1
      }
  }
  return [...tallies].map(([metric, tally]) => rowOf(name, metric, tally))
}

const isAlarm = ({ state, harm }: Finding) => state !== 'collecting' && (harm?.lower ?? 0) > 0

function noteHarmless(
  tallies: ReadonlyMap<HistoryMetric | 'any', Tally>,
  looks: HistoryLook[],
  way: Way,
): void {
  for (const metric of historyMetricNames) {
    const tally = tallies.get(metric)
    if (tally === undefined) continue
    const safe = looks.find((look) => look[way][metric].state === 'healthy')
    tally.safe[way].push(safe?.day ?? Number.POSITIVE_INFINITY)
    if (looks.some((look) => isAlarm(look[way][metric]))) tally.alarms[way] += 1
  }
  const any = tallies.get('any')
  if (any && looks.some((look) => historyMetricNames.some((metric) => isAlarm(look[way][metric]))))
    any.alarms[way] += 1
}

function rowOf(name: string, metric: HistoryMetric | 'any', tally: Tally): string {
  const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`
  const pair = (of: (way: Way) => string) => ways.map(of)
  const alarms = pair((way) => percent(tally.alarms[way], worlds))
  if (metric === 'any')
    return `| ${[name, 'any of them', '', '', '', '', '', ...alarms, '', ''].join(' | ')} |`
  const mean = tally.saved.reduce((sum, saved) => sum + saved, 0) / worlds
  const medians = pair((way) => {
    const median = tally.safe[way].toSorted((a, b) => a - b)[worlds >> 1] ?? Number.POSITIVE_INFINITY
    return Number.isFinite(median) ? median.toFixed(1) : 'over 14'
  })
  const never = pair((way) => percent(tally.safe[way].filter((day) => !Number.isFinite(day)).length, worlds))
  const wrongly = pair((way) => percent(tally.wronglySafe[way], harmful))
  return `| ${[name, metric, percent(mean, 1), ...medians, ...never, ...alarms, ...wrongly].join(' | ')} |`
}

print(
  '| site | metric | saved users | safe, day | with history | not safe in 14 days | with history | false alarm | with history | wrongly safe | with history |',
)
print('|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|')
for (const [name, site] of Object.entries(historySites)) for (const line of rowsOf(name, site)) print(line)

if (values.write)
  await writeSection(
    'History of users',
    `${worlds} harmless rollouts of 14 days with two looks a day on each site, half and half; false alarms at limit 0 with 5 % shared by four metrics. Wrongly safe: ${harmful} rollouts with harm of exactly the limit (5 % slower, 25 % more errors and less revenue), wanted at most 5 % each.\n\n${lines.join('\n')}`,
  )
