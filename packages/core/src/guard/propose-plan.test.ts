import { expect, test } from 'vitest'
import { isEnough } from '../statistics/boundary.ts'
import { logShareEvidence } from '../statistics/event-share.ts'
import { seededRandom } from '../statistics/testing/seeded-random.ts'
import { builtInMetrics } from './built-in-metrics.ts'
import { smallestAlarmIn, type Traffic, unitsIn } from './forecast-plan.ts'
import { type MetricTraffic, proposePlan } from './propose-plan.ts'

const hour = 3_600_000
const pool = 100_000

const named = (key: string) => {
  const found = builtInMetrics.find((metric) => metric.key === key)
  if (found === undefined) throw new Error(key)
  return found
}
const lcp: MetricTraffic = { definition: named('lcp'), base: 2_000, variancePerUnit: 0.6 }
const errors: MetricTraffic = { definition: named('users-with-an-error'), base: 0.02, rareShare: 0.02 }
const wanted = new Set(['lcp', 'users-with-an-error'])
const site = (perDay: number): Traffic => ({ perDay, inPeriod: perDay * 7, days: 14, reading: 1 })
const propose = (perDay: number, metrics = [lcp, errors]) =>
  proposePlan(site(perDay), metrics, { pool, wanted })
const weights = ({ stages }: ReturnType<typeof propose>) => stages.map(({ weight }) => weight)

test('a large site gets all stages, the default duration and the default limits', () => {
  const plan = propose(200_000)
  expect(weights(plan)).toEqual([1_000, 5_000, 25_000, 50_000, 100_000])
  expect(plan.timeBox).toBe(48 * hour)
  expect(plan.metrics).toMatchObject([
    { metric: 'lcp', role: 'required', limit: 0.05 },
    { metric: 'users-with-an-error', role: 'required', limit: 0.25 },
  ])
  expect(plan.stages.at(-2)?.minDuration).toBe(24 * hour)
})

test('a smaller site omits stages without power, with the limits it can decide', () => {
  const [large, small] = [propose(200_000), propose(1_000)]
  expect(weights(small)[0]).toBeGreaterThan(1_000)
  for (const [index, { smallest = Number.POSITIVE_INFINITY }] of small.metrics.entries())
    expect(smallest).toBeGreaterThan(large.metrics[index]?.smallest ?? 0)
  for (const { role, limit, smallest } of small.metrics)
    if (role === 'required') expect(limit).toBeGreaterThanOrEqual(smallest ?? Number.POSITIVE_INFINITY)
})

test('undecidable metrics are watched, at their default limit', () => {
  const plan = propose(300)
  const events = plan.metrics.find(({ metric }) => metric === 'users-with-an-error')
  expect(events).toMatchObject({ role: 'watched', limit: 0.25 })
  expect(weights(plan).length).toBeGreaterThan(1)
})

test('without traffic there are two stages, and no metric is required', () => {
  const nobody = { perDay: 0, inPeriod: 0, days: 1, reading: 1 }
  const plan = proposePlan(nobody, [{ definition: named('lcp'), base: undefined }], { pool, wanted })
  expect(weights(plan)).toEqual([50_000, 100_000])
  expect(plan.metrics).toMatchObject([{ role: 'watched', smallest: undefined }])
})

test('a watch-only proposal requires no more users than arrive in half of the time', () => {
  for (const perDay of [0, 1, 5, 30, 300]) {
    const plan = propose(perDay, [errors])
    expect(plan.metrics).toMatchObject([{ role: 'watched' }])
    for (const { minUnits, units, weight } of plan.stages) {
      expect(minUnits).toBeGreaterThanOrEqual(1)
      const expected = weight === pool ? units.treatment : Math.min(units.treatment, units.control)
      expect(minUnits).toBeLessThanOrEqual(Math.max(1, expected / 2))
    }
  }
  for (const { minUnits } of propose(200_000).stages) expect(minUnits).toBe(100)
})

test('users return: two days bring fewer than twice as many', () => {
  expect(unitsIn(24 * hour, site(1_000))).toBe(1_000)
  expect(unitsIn(14 * 24 * hour, site(1_000))).toBeCloseTo(7_000)
  expect(unitsIn(48 * hour, site(1_000))).toBeLessThan(2_000)
  expect(unitsIn(12 * hour, { ...site(1_000), reading: 0.5 })).toBe(250)
})

test('a larger stage detects smaller harm, and one without a control none', () => {
  const [, ...seen] = propose(200_000).metrics[0]?.smallestIn ?? []
  expect(seen.at(-1)).toBeUndefined()
  const [small = 0, middle = 0, large = 0] = seen
  expect(small).toBeGreaterThan(middle)
  expect(middle).toBeGreaterThan(large)
  expect(large).toBeGreaterThan(0)
})

test('the detectable harm of a stage is called a regression by its end in 80 % of cases', () => {
  const units = { treatment: 6_000, control: 6_000 }
  const alarm = { limit: 0.25, alpha: 0.05 / 9 }
  const seen = smallestAlarmIn({ better: 'lower', isQuantile: false, rareShare: 0.02 }, units, alarm) ?? 0
  expect(seen).toBeGreaterThan(alarm.limit)
  let called = 0
  const runs = 200
  for (let run = 0; run < runs; run += 1) {
    const random = seededRandom(run)
    const events = { treatment: 0, control: 0, share: 1 / 2 }
    for (let each = 1; each <= units.treatment; each += 1) {
      if (random.uniform() < 0.02 * (1 + seen)) events.treatment += 1
      if (random.uniform() < 0.02) events.control += 1
      if (each % 250 !== 0 || events.treatment + events.control < 8) continue
      if (isEnough(logShareEvidence([events], 1 + alarm.limit, 'more'), alarm.alpha)) {
        called += 1
        break
      }
    }
  }
  expect(called / runs).toBeGreaterThan(0.75)
  expect(called / runs).toBeLessThan(0.92)
})
