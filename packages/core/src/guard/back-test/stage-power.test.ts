import { expect, test } from 'vitest'
import { logGrowth } from '../../statistics/buckets.ts'
import { seededRandom } from '../../statistics/testing/seeded-random.ts'
import { smallestIn } from '../forecast-plan.ts'
import { judgeAll } from '../judge-all.ts'
import type { JudgedMetric } from '../metric-method.ts'
import { runBackTest } from '../testing/run-back-test.ts'
import type { BackTest } from './back-test.ts'
import { isRegressed, readObservation } from './metric-observation.ts'
import { growthOf, positionOf, type SiteUnits, type UnitRows } from './site-units.ts'
import { StagePower } from './stage-power.ts'
import { inventSite } from './testing/invent-site.ts'

const metrics: readonly JudgedMetric[] = [
  {
    metric: 'lcp',
    method: { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1 },
    better: 'lower',
    limit: 0.02,
    alphaWeight: 1,
  },
  {
    metric: 'errors',
    method: { kind: 'share', measure: 'error', of: 'session' },
    better: 'lower',
    limit: 0.05,
    alphaWeight: 1,
  },
]
const rare: readonly JudgedMetric[] = [
  {
    metric: 'errors',
    method: { kind: 'rare-share', measure: 'error', of: 'session' },
    better: 'lower',
    limit: 0.05,
    alphaWeight: 1,
  },
]
const planOf = (weights: readonly number[], keys: readonly string[]): BackTest['plan'] => ({
  alpha: 0.05,
  timeBox: 10,
  pool: 100_000,
  stages: weights.map((weight) => ({ weight, minDuration: 1, minUnits: 0, needsApproval: false })),
  metrics: keys.map((metric) => ({ metric, role: 'required', onRegression: 'notify' })),
})

const draws = 40

function see(test: BackTest, { runs = draws, scale = 1 } = {}) {
  const { plan, metrics: judged, site } = test
  const observations = new StagePower({ plan, metrics: judged, scale, growth: growthOf(site) })
  for (let run = 0; run < runs; run += 1)
    runBackTest(test, run, (stage, evidence) => observations.take(stage, evidence))
  return observations.results(true)
}

/** Everybody who is drawn into the treatment of this run is worse off by so much. */
function harm(
  site: SiteUnits,
  run: number,
  { slower, errors }: { slower: number; errors: number },
): SiteUnits {
  const [vital, failed] = site.metrics
  if (vital === undefined || failed === undefined) throw new Error('two metrics')
  const isTreated = (unit: number) => positionOf(unit, run) < 0.5
  const buckets = Math.log1p(slower) / logGrowth
  const random = seededRandom(run + 1)
  const met = new Set(failed.unit.filter((_, row) => (failed.of[row] ?? 0) > 0))
  const share = met.size / site.units
  const hurt = new Set(
    Array.from({ length: site.units }, (_, unit) => unit).filter(
      (unit) => isTreated(unit) && !met.has(unit) && random.uniform() < (share * errors) / (1 - share),
    ),
  )
  const change = (rows: UnitRows, of: (value: number, unit: number) => number): UnitRows => ({
    ...rows,
    of: rows.of.map((value, row) => of(value, rows.unit[row] ?? 0)),
  })
  return {
    ...site,
    metrics: [
      change(vital, (bucket, unit) =>
        isTreated(unit) ? bucket + Math.floor(buckets + random.uniform()) : bucket,
      ),
      change(failed, (count, unit) => (hurt.has(unit) ? 1 : count)),
    ],
  }
}

test('the smallest detectable harm fires in at least half of the assignments, and half of it almost never', () => {
  const site = inventSite(1_500, { seed: 7, errors: 0.35 })
  const plan = planOf([50_000], ['lcp', 'errors'])
  const [stage] = see({ site, plan, metrics })
  const smallest = (metric: string) => stage?.metrics.find((one) => one.metric === metric)?.half ?? 0
  const fired = (part: number) => {
    const planted = { slower: part * smallest('lcp'), errors: part * smallest('errors') }
    const found = Array.from({ length: draws }, (_, run) =>
      runBackTest({ site: harm(site, run, planted), plan, metrics }, run),
    )
    const share = (metric: string) =>
      found.filter((alarms) => alarms.some((alarm) => alarm.metric === metric)).length / found.length
    return { lcp: share('lcp'), errors: share('errors') }
  }
  const [whole, half] = [fired(1), fired(0.5)]
  // biome-ignore lint/suspicious/noConsole: what it sees is for people to read.
  console.info('smallest harm', smallest('lcp'), smallest('errors'), 'fires', whole, 'half of it', half)
  expect(whole.lcp).toBeGreaterThanOrEqual(0.4)
  expect(whole.errors).toBeGreaterThanOrEqual(0.4)
  expect(half.lcp).toBeLessThanOrEqual(0.15)
  expect(half.errors).toBeLessThanOrEqual(0.15)
})

test('the power of rare errors, and which would be called a regression', () => {
  const site = inventSite(3_000, { seed: 9, errors: 0.12 })
  const plan = planOf([50_000], ['errors'])
  const [, errors] = site.metrics
  if (errors === undefined) throw new Error('two metrics')
  const alone = (of: SiteUnits) => ({ ...of, metrics: of.metrics.slice(1) })
  const [stage] = see({ site: alone(site), plan, metrics: rare })
  const half = stage?.metrics[0]?.half ?? 0
  expect(half).toBeGreaterThan(0.05)
  const fired = (errorsMore: number) =>
    Array.from({ length: draws }, (_, run) =>
      runBackTest(
        { site: alone(harm(site, run, { slower: 0, errors: errorsMore })), plan, metrics: rare },
        run,
      ),
    ).filter((alarms) => alarms.length > 0).length / draws
  expect(fired(half)).toBeGreaterThanOrEqual(0.4)
  expect(fired(half / 2)).toBeLessThanOrEqual(0.15)
})

test('a regression in an assignment is a regression for the guard', () => {
  const plan = planOf([20_000, 50_000], ['lcp', 'errors'])
  for (const judged of [metrics, [...metrics.slice(0, 1), ...rare]]) {
    let regressed = 0
    for (let run = 0; run < 10; run += 1) {
      const planted = { slower: run / 15, errors: run / 7.5 }
      const site = harm(inventSite(800, { seed: run, errors: 0.3 }), run, planted)
      runBackTest({ site, plan, metrics: judged }, run, (_stage, evidence) => {
        const reported = judgeAll(judged, evidence, { alpha: 0.1, nextShare: 1 })
        for (const [index, metric] of judged.entries()) {
          const observation = readObservation(metric, evidence[index] ?? { kind: 'gone' })
          const found = isRegressed(observation, { limit: metric.limit, alpha: 0.05 })
          expect(found).toBe(reported[index]?.state === 'regressed')
          if (found) regressed += 1
        }
      })
    }
    expect(regressed, 'else it says nothing').toBeGreaterThan(5)
  }
})

test("a plan's forecast and the simulated power of a stage agree", () => {
  const site = inventSite(2_000, { seed: 11, errors: 0.5 })
  const [, errors] = metrics
  const [, rows] = site.metrics
  if (errors === undefined || rows === undefined) throw new Error('two metrics')
  const plan = planOf([25_000], ['errors'])
  const tiny = { ...errors, limit: 1e-9 }
  const [stage] = see({ site: { ...site, metrics: [rows] }, plan, metrics: [tiny] }, { runs: 120 })
  const share = new Set(rows.unit.filter((_, row) => (rows.of[row] ?? 0) > 0)).size / site.units
  const forecast = smallestIn(
    { better: 'lower', isQuantile: false, variancePerUnit: (1 - share) / share },
    { treatment: 500, control: 1_500 },
  )
  // With the whole of alpha and next to no limit both ask for the same.
  expect((stage?.metrics[0]?.fourInFive ?? 0) / (forecast ?? 1)).toBeGreaterThan(0.85)
  expect((stage?.metrics[0]?.fourInFive ?? 0) / (forecast ?? 1)).toBeLessThan(1.15)
})

test('a sample of users, extrapolated to all, has the power of all', () => {
  const plan = planOf([50_000], ['lcp', 'errors'])
  const [all] = see({ site: inventSite(4_000, { seed: 13, errors: 0.35 }), plan, metrics })
  const [part] = see({ site: inventSite(1_000, { seed: 14, errors: 0.35 }), plan, metrics }, { scale: 4 })
  for (const [index, { fourInFive }] of (all?.metrics ?? []).entries()) {
    const ratio = (part?.metrics[index]?.fourInFive ?? 0) / (fourInFive ?? 1)
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.25)
  }
})

test('a stage that is too short suggests alternatives, which work', () => {
  const [, errors] = metrics
  if (errors === undefined) throw new Error('two metrics')
  const judged = [{ ...errors, limit: 0.25 }]
  const site = inventSite(1_500, { seed: 15, errors: 0.3 })
  const alone = { ...site, metrics: site.metrics.slice(1) }
  const plan = { ...planOf([20_000, 40_000], ['errors']), timeBox: 3_600_000 }
  const [stage] = see({ site: alone, plan, metrics: judged })
  const reported = stage?.metrics[0]
  expect(reported?.healthy).toBeLessThan(0.8)
  expect(reported?.instead?.time).toBeGreaterThan(plan.timeBox)
  expect(reported?.instead?.limit).toBeGreaterThan(0.25)
  const limit = (reported?.instead?.limit ?? 0) + 1e-6
  const [wider] = see({ site: alone, plan, metrics: [{ ...errors, limit }] })
  expect(wider?.metrics[0]?.healthy).toBeGreaterThanOrEqual(0.8)
  expect(wider?.metrics[0]?.instead).toBeUndefined()
})

test('without enough users no harm is detected', () => {
  const site = inventSite(60, { seed: 17, errors: 0.3 })
  const [stage] = see({ site, plan: planOf([50_000], ['lcp', 'errors']), metrics }, { runs: 5 })
  for (const { half, fourInFive, healthy } of stage?.metrics ?? [])
    expect([half, fourInFive, healthy]).toEqual([undefined, undefined, 0])
})
