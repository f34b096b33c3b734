// A simulated site where the treatment changes how many requests a user sends, and how many of them fail.
import { type ArmName, noSums, type UnitSums } from '../../statistics/sums.ts'
import { type Random, seededRandom } from '../../statistics/testing/seeded-random.ts'
import { judgeMetric } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'

const failures: JudgedMetric = {
  metric: 'failed-requests',
  method: { kind: 'count', measure: 'failed_request', per: 'request', cap: 1 },
  better: 'lower',
  limit: 0.25,
  alphaWeight: 1,
}

export interface RequestChange {
  /** Multiples of a user's requests and failures in the treatment. */
  requests: number
  failed: number
  /** Failures per request in the control. */
  base?: number
}

const looks = 30
const usersPerLook = 80

/** All states of the metric over time, and `differs` if its denominator was found to differ. */
export function watchRequests(change: RequestChange, seed: number, limit = 0.25): Set<string> {
  const random = seededRandom(seed)
  const stage: Record<ArmName, UnitSums> = { treatment: noSums, control: noSums }
  const found = new Set<string>()
  for (let look = 0; look < looks; look += 1) {
    for (let user = 0; user < usersPerLook; user += 1) {
      stage.treatment = add(stage.treatment, random, change)
      stage.control = add(stage.control, random, { ...change, requests: 1, failed: 1 })
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

function add(sums: UnitSums, random: Random, { requests, failed, base = 0.05 }: RequestChange): UnitSums {
  // A few users send many requests.
  const usual = 4 * Math.exp(0.8 * random.normal())
  const n = Math.max(1, Math.round(usual * requests))
  let y = 0
  // Rounding the number of requests must not change the number of failures.
  const chance = Math.min(1, (base * failed * usual) / n)
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
