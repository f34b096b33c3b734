// Ratios whose denominator the treatment changes: twice the requests with twice the failures, half of them with as many.
import { expect, test } from 'vitest'
import { type ArmName, noSums, type UnitSums } from '../statistics/sums.ts'
import { type Random, seededRandom } from '../statistics/testing/seeded-random.ts'
import { judgeMetric } from './judge-metric.ts'
import type { JudgedMetric } from './metric-method.ts'

const failures: JudgedMetric = {
  metric: 'failed-requests',
  method: { kind: 'count', measure: 'failed_request', per: 'request', cap: 1 },
  better: 'lower',
  limit: 0.25,
  alphaWeight: 1,
}

interface Change {
  /** So many times the requests, and so many times the failures of a user. */
  requests: number
  failed: number
}

function add(sums: UnitSums, random: Random, { requests, failed }: Change): UnitSums {
  // A few use it a lot.
  const usual = 4 * Math.exp(0.8 * random.normal())
  const n = Math.max(1, Math.round(usual * requests))
  let y = 0
  const chance = (0.05 * failed) / requests
  for (let request = 0; request < n; request += 1) if (random.uniform() < chance) y += 1
  const { units } = sums
  return {
    units: units + 1,
    n: sums.n + n,
    y: sums.y + y,
    nn: sums.nn + n * n,
    ny: sums.ny + n * y,
    yy: sums.yy + y * y,
  }
}

function verdicts(change: Change, seed: number, limit = 0.25) {
  const random = seededRandom(seed)
  const stage: Record<ArmName, UnitSums> = { treatment: noSums, control: noSums }
  const found = new Set<string>()
  for (let look = 0; look < 30; look += 1) {
    for (let user = 0; user < 80; user += 1) {
      stage.treatment = add(stage.treatment, random, change)
      stage.control = add(stage.control, random, { requests: 1, failed: 1 })
    }
    const sums = { stages: [{ ...stage }], shared: { treatment: [], control: [] } }
    const finding = judgeMetric(
      { ...failures, limit },
      { kind: 'ratio', sums },
      { alpha: 0.05, nextShare: 1 },
    )
    found.add(finding.state)
    if (finding.quality?.denominator?.differs) found.add('differs')
  }
  return found
}

function rateOf(state: string, change: Change, { runs = 60, limit = 0.25 } = {}) {
  let count = 0
  for (let seed = 1; seed <= runs; seed += 1) if (verdicts(change, seed, limit).has(state)) count += 1
  return count / runs
}

test('twice the requests with twice the failures is not healthy, and it is said', () => {
  const doubled = { requests: 2, failed: 2 }
  expect(rateOf('healthy', doubled)).toBeLessThanOrEqual(0.05)
  expect(rateOf('differs', doubled)).toBe(1)
})

test('half the requests with as many failures is no regression', () => {
  expect(rateOf('regressed', { requests: 0.5, failed: 1 })).toBeLessThanOrEqual(0.05)
  expect(rateOf('regressed', { requests: 0.8, failed: 1 }, { limit: 0.02 })).toBeLessThanOrEqual(0.05)
})

test('a ratio and what each user met of it say the same: then it counts', () => {
  expect(rateOf('regressed', { requests: 0.7, failed: 1.8 })).toBeGreaterThan(0.9)
})

test('where as much is asked for, the ratio is judged as ever', () => {
  expect(rateOf('differs', { requests: 1, failed: 1 })).toBeLessThanOrEqual(0.05)
  expect(rateOf('regressed', { requests: 1, failed: 1.8 })).toBeGreaterThan(0.9)
  expect(rateOf('healthy', { requests: 1, failed: 1 })).toBeGreaterThan(0.5)
})
