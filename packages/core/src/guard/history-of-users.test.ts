import { expect, test } from 'vitest'
import { seededRandom } from '../statistics/testing/seeded-random.ts'
import { historyMetricNames, historySites, runHistory } from './testing/simulated-history.ts'

const run = { days: 6, looksPerDay: 1, isHarmful: false, alpha: 0.0125 }
const seeds = [1, 2, 3, 4, 5, 6]

test('where users return, history makes percentiles and means safe earlier, and their values stay', () => {
  const safe = { plain: 0, withHistory: 0 }
  for (const seed of seeds) {
    const looks = runHistory(historySites['logged-in'], seededRandom(seed), run)
    for (const metric of ['LCP, p75', 'LCP, mean'] as const) {
      const last = looks.at(-1)
      expect(last?.withHistory[metric].saved).toBeGreaterThan(0.4)
      expect(last?.withHistory[metric].values).toEqual(last?.plain[metric].values)
      for (const way of ['plain', 'withHistory'] as const)
        safe[way] += looks.filter((look) => look[way][metric].state === 'healthy').length
    }
  }
  expect(safe.withHistory).toBeGreaterThan(1.5 * safe.plain)
})

test('where users do not return, history is off: every verdict is the same', () => {
  for (const seed of seeds)
    for (const look of runHistory(historySites.content, seededRandom(seed), run))
      expect(look.withHistory).toEqual(look.plain)
})

test('harm of the limit is not called safe with it', () => {
  const called = seeds.flatMap((seed) => {
    const looks = runHistory(historySites['logged-in'], seededRandom(seed), { ...run, isHarmful: true })
    return historyMetricNames.filter((metric) =>
      looks.some((look) => look.withHistory[metric].state === 'healthy'),
    )
  })
  expect(called.length).toBeLessThanOrEqual(2)
})
